//! Builds the Python package into the tests' environment and runs its tests.
//!
//! They compare it with python-chess and with the UCI program of the same source. A full run
//! starts a Ray cluster as well; Ray is large, so it is installed only then.

use crate::need::Need;
use crate::shell::{self, program};
use crate::steps::Depth;

/// The environment with maturin and what the tests import.
pub(crate) const NEEDS: &[Need] = &[Need::Python];

/// The environment variable that makes the tests of the cluster run.
const CLUSTER_TESTS: &str = "BRIER_CLUSTER_TESTS";

/// Tests the package.
pub(crate) fn test(depth: Depth) -> Result<(), String> {
    let environment = shell::virtual_environment();
    let programs = environment.join("bin");
    let package = shell::root().join("bindings").join("python");
    shell::run(
        program(programs.join("maturin"), &["develop"])
            .current_dir(&package)
            .env("VIRTUAL_ENV", &environment)
            .env("CARGO_TARGET_DIR", shell::target().join("python")),
    )?;
    shell::run(&mut shell::cargo(&["build", "--package", "brier"]))?;
    let python = programs.join("python3");
    let mut tests = program(&python, &["-m", "pytest", "--quiet", "tests"]);
    tests
        .current_dir(&package)
        .env("BRIER_PROGRAM", shell::target().join("debug").join("brier"))
        .env_remove(CLUSTER_TESTS);
    if depth == Depth::Full {
        shell::run(&mut program(&python, &["-m", "pip", "install", "--quiet", "ray"]))?;
        tests.env(CLUSTER_TESTS, "1");
        shell::run(&mut shell::cargo(&["build", "--package", "brier-lab"]))?;
        tests.env("BRIER_LAB", shell::target().join("debug").join("brier-lab"));
    }
    shell::run(&mut tests)
}
