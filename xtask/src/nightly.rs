//! The nightly compiler, for what a stable one cannot do: sanitizers and Miri.
//!
//! The compiler of `rust-toolchain.toml` is a stable one, so a nightly one is asked for by rustup's own
//! name. What is built with it has a build folder of its own.

use std::process::Command;

use crate::need::Need;
use crate::shell;

/// A nightly compiler and the source of the standard library, which sanitizers and Miri build anew.
pub(crate) const WITH_SOURCE: Need = Need::Nightly { component: "rust-src" };
/// The interpreter that sees undefined behaviour.
pub(crate) const MIRI: Need = Need::Nightly { component: "miri" };

/// The system for which nightly compilers build with sanitizers here.
pub(crate) const SYSTEM: &str = "x86_64-unknown-linux-gnu";

/// Cargo of the nightly compiler, with a folder of this name in the build folder.
pub(crate) fn cargo(arguments: &[&str], folder: &str) -> Command {
    let mut command = shell::program("rustup", &["run", "nightly", "cargo"]);
    command
        .args(arguments)
        .env("CARGO_TARGET_DIR", shell::target().join(folder))
        // Both name the stable compiler while Cargo runs a chore.
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    command
}
