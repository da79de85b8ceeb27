//! Runs the tests of the vector kernels as WebAssembly, in node.
//!
//! The target with a system interface (WASI) is used because node can run an ordinary test program
//! built for it; the instructions are those that a browser gets.

use crate::need::{NODE, Need};
use crate::shell;

const TARGET: &str = "wasm32-wasip1";

/// Node and the target's library.
pub(crate) const NEEDS: &[Need] = &[Need::Target(TARGET), NODE];

/// Tests `simd` with the instructions of SIMD128.
pub(crate) fn check() -> Result<(), String> {
    let runner =
        format!("node --no-warnings {}", shell::root().join("xtask/src/wasi_run.mjs").display());
    let folder = shell::target().join("wasi");
    let folder = folder.to_string_lossy();
    let arguments =
        ["test", "--package", "brier-simd", "--target", TARGET, "--target-dir", &folder];
    let mut command = shell::cargo(&arguments);
    command
        .env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", "-C target-feature=+simd128")
        .env("CARGO_TARGET_WASM32_WASIP1_RUNNER", runner);
    shell::run(&mut command)
}
