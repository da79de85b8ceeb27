//! Runs the tests of the vector kernels on an emulated 64-bit ARM processor.
//!
//! The test programs are linked statically by the linker that comes with Rust, so neither a
//! cross compiler nor a foreign C library is needed: only the target's standard library, which
//! rustup fetches, and `qemu-aarch64`, which [`crate::setup`] installs where it may.

use crate::shell;
use crate::steps::Outcome;

const TARGET: &str = "aarch64-unknown-linux-musl";
const EMULATOR: &str = "qemu-aarch64";

/// Tests `simd` under the emulator, or says what is missing.
pub(crate) fn check() -> Outcome {
    if cfg!(target_arch = "aarch64") {
        return Outcome::Skipped("this processor is one: the other tests have run them".into());
    }
    if shell::find(EMULATOR).is_none() {
        return Outcome::Skipped(format!(
            "{EMULATOR} is not here; install the package `qemu-user`"
        ));
    }
    if shell::run(&mut shell::program("rustup", &["target", "add", TARGET])).is_err() {
        return Outcome::Skipped(format!("the target {TARGET} cannot be installed"));
    }
    let folder = shell::target().join("neon");
    let folder = folder.to_string_lossy();
    let arguments =
        ["test", "--package", "brier-simd", "--target", TARGET, "--target-dir", &folder];
    let mut command = shell::cargo(&arguments);
    command
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld")
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", EMULATOR);
    shell::run(&mut command).into()
}
