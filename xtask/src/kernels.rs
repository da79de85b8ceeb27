//! Runs the tests of the vector kernels on processors that this machine does not have.

use crate::need::{NODE, Need};
use crate::shell;

const ARM: &str = "aarch64-unknown-linux-musl";
const EMULATOR: &str = "qemu-aarch64";
const WASM: &str = "wasm32-wasip1";

/// The emulator and the target's library; on a 64-bit ARM processor nothing.
pub(crate) const NEON_NEEDS: &[Need] = match cfg!(target_arch = "aarch64") {
    true => &[],
    false => &[Need::Target(ARM), Need::Program { name: EMULATOR, package: "qemu-user" }],
};

/// Node and the target's library.
pub(crate) const SIMD128_NEEDS: &[Need] = &[Need::Target(WASM), NODE];

/// Tests `simd` on an emulated 64-bit ARM processor. The test programs are linked statically by the
/// linker that comes with Rust, so neither a cross compiler nor a foreign C library is needed.
pub(crate) fn check_neon() -> Result<(), String> {
    if cfg!(target_arch = "aarch64") {
        println!("this processor is one: the other tests have run them");
        return Ok(());
    }
    check(ARM, "neon", [("LINKER", "rust-lld"), ("RUNNER", EMULATOR)])
}

/// Tests `simd` as WebAssembly in node, with the instructions that a browser gets. The target is the
/// one with a system interface (WASI), because node can run an ordinary test program built for it.
pub(crate) fn check_simd128() -> Result<(), String> {
    let script = shell::root().join("xtask/src/wasi_run.mjs");
    let runner = format!("node --no-warnings {}", script.display());
    check(WASM, "wasi", [("RUSTFLAGS", "-C target-feature=+simd128"), ("RUNNER", &runner)])
}

/// Tests `simd` for a target, with these of cargo's settings for it.
fn check(target: &str, folder: &str, settings: [(&str, &str); 2]) -> Result<(), String> {
    let folder = shell::target().join(folder);
    let folder = folder.to_string_lossy();
    let arguments =
        ["test", "--package", "brier-simd", "--target", target, "--target-dir", &folder];
    let prefix = format!("CARGO_TARGET_{}", target.to_uppercase().replace('-', "_"));
    let settings = settings.map(|(name, value)| (format!("{prefix}_{name}"), value));
    shell::run(shell::cargo(&arguments).envs(settings))
}
