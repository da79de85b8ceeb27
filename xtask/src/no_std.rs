//! Proves that the embeddable crates build without the standard library.
//!
//! `xtask/no-std-probe` is a `no_std` library with a panic handler of its own that uses
//! those crates without their default features. The standard library brings a panic
//! handler too, and a program may hold only one: if anything pulls `std` in, the probe
//! does not build, on any target. It is checked for a bare-metal target as well.

use crate::need::Need;
use crate::shell;

const PROBE: &str = "xtask/no-std-probe/Cargo.toml";
const BARE_TARGET: &str = "thumbv6m-none-eabi";

/// A target without an operating system.
pub(crate) const NEEDS: &[Need] = &[Need::Target(BARE_TARGET)];

/// Builds the probe.
pub(crate) fn check() -> Result<(), String> {
    let folder = shell::target().join("no-std-probe");
    let folder = folder.to_string_lossy();
    let place = ["--manifest-path", PROBE, "--target-dir", &folder];
    shell::run(shell::cargo(&["build"]).args(place))?;
    shell::run(shell::cargo(&["check", "--target", BARE_TARGET]).args(place))
}
