//! Runs the tests of the vector kernels on an emulated 64-bit ARM processor.
//!
//! The test programs are linked statically by the linker that comes with Rust, so neither a
//! cross compiler nor a foreign C library is needed.

use crate::need::Need;
use crate::shell;

const TARGET: &str = "aarch64-unknown-linux-musl";
const EMULATOR: &str = "qemu-aarch64";

/// The emulator and the target's library; on such a processor nothing.
pub(crate) const NEEDS: &[Need] = match cfg!(target_arch = "aarch64") {
    true => &[],
    false => &[Need::Target(TARGET), Need::Program { name: EMULATOR, package: "qemu-user" }],
};

/// Tests `simd` under the emulator.
pub(crate) fn check() -> Result<(), String> {
    if cfg!(target_arch = "aarch64") {
        println!("this processor is one: the other tests have run them");
        return Ok(());
    }
    let folder = shell::target().join("neon");
    let folder = folder.to_string_lossy();
    let arguments =
        ["test", "--package", "brier-simd", "--target", TARGET, "--target-dir", &folder];
    let mut command = shell::cargo(&arguments);
    command
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld")
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", EMULATOR);
    shell::run(&mut command)
}
