//! `cargo xtask test`: every check of the repository, one after the other.
//!
//! All of them run even when an early one fails, so that one run tells everything. The tests
//! use the `dev` profile, which is optimised but keeps overflow checks and debug assertions;
//! `--full` sets `BRIER_FULL_TESTS` for the long ones, compares the bench of the release build
//! as well, and takes the pocket engine to the eZ80.

use crate::steps::{Outcome, Steps};
use crate::{bench_check, crate_edges, neon, no_std, pocket, setup, shell, wasm_kernels};

/// The environment variable that asks the tests for full depth and full counts.
const FULL_TESTS: &str = "BRIER_FULL_TESTS";

/// Runs the checks; the arguments may hold `--full`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let full = match arguments {
        [] => false,
        [flag] if flag == "--full" => true,
        other => return Err(format!("expected nothing or --full, got `{}`", other.join(" "))),
    };

    let mut steps = Steps::default();
    steps.run("setup", || match setup::prepare() {
        Ok(missing) if missing.is_empty() => Outcome::Passed,
        Ok(missing) => Outcome::Skipped(format!("some tests will skip without {missing}")),
        Err(reason) => Outcome::Failed(reason),
    });
    steps.run("format", || cargo("fmt --all --check"));
    steps.run("edges", crate_edges::check);
    steps.run("clippy", || cargo("clippy --workspace --all-targets -- --deny warnings"));
    // The numbers of the search as options, for tuners: built nowhere else.
    steps.run("clippy tune", || cargo("clippy -p brier --features tune -- --deny warnings"));
    steps.run("docs", || {
        let arguments = ["doc", "--workspace", "--no-deps"];
        shell::run(shell::cargo(&arguments).env("RUSTDOCFLAGS", "--deny warnings"))
    });
    steps.run("no_std", no_std::check);
    steps.run("small tables", || {
        cargo("test --package brier-chess --no-default-features --test rules perft")
    });
    steps.run("tests", || tests(full));
    steps.run("pocket-extra", || {
        cargo("test --package brier-pocket --features book,kpk --test extras")
    });
    steps.run("neon", neon::check);
    steps.run("simd128", wasm_kernels::check);
    steps.run("pocket-arm", || match pocket::arm::missing() {
        Some(missing) => Outcome::Skipped(format!("{missing} is not here")),
        None if full => pocket::arm::run(&["--all-targets".to_owned()]).into(),
        None => pocket::arm::run(&[]).into(),
    });
    steps.run("bench", || bench_check::check(bench_check::Build::Dev));
    if full {
        steps.run("bench (rel.)", || bench_check::check(bench_check::Build::Release));
        steps.run("pocket-ez80", || match pocket::ez80::missing() {
            Some(missing) => Outcome::Skipped(format!("{missing} is not here")),
            None => pocket::ez80::run().into(),
        });
    }
    steps.finish()
}

fn tests(full: bool) -> Result<(), String> {
    let mut command = shell::cargo(&["test", "--workspace", "--no-fail-fast"]);
    match full {
        true => command.env(FULL_TESTS, "1"),
        false => command.env_remove(FULL_TESTS),
    };
    shell::run(&mut command)
}

fn cargo(arguments: &str) -> Result<(), String> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    shell::run(&mut shell::cargo(&arguments))
}
