//! `cargo xtask test`: every check of the repository, one after the other.
//!
//! All of them run even when an early one fails, so that one run shows everything. The tests
//! use the `dev` profile, which is optimised but keeps overflow checks and debug assertions;
//! `--full` sets `BRIER_FULL_TESTS` for the long ones and adds the steps marked so in [`STEPS`].
//! A new step is one line there.

use crate::bench_check::{self, Build};
use crate::need::{CC, Need, POLYGLOT, STOCKFISH};
use crate::steps::{self, Depth, Outcome, Step};
use crate::{
    browser, crate_edges, deny, dist, fuzz, kernels, licences, miri, no_std, pocket, python,
    reproducible, setup, shell, threads, torture, wasm,
};

/// The environment variable that asks the tests for full depth and full counts.
const FULL_TESTS: &str = "BRIER_FULL_TESTS";

/// The environment variable of hosted builders: with the value `true`, what could not run is a
/// failure.
const CI: &str = "CI";

#[rustfmt::skip]
const STEPS: &[Step] = &[
    Step::new("format", |_| cargo("fmt --all --check")),
    Step::new("edges", |_| crate_edges::check().into()),
    Step::new("licences", |_| licences::check().into()),
    Step::new("clippy", |_| cargo("clippy --workspace --all-targets -- --deny warnings")),
    // The numbers of the search as options, for tuners: built nowhere else.
    Step::new("clippy tune", |_| cargo("clippy -p brier --features tune -- --deny warnings")),
    Step::new("docs", |_| docs()),
    Step::new("no_std", |_| no_std::check().into()).needs(no_std::NEEDS),
    Step::new("small tables", |_| cargo("test -p brier-chess --no-default-features --test rules perft")),
    Step::new("tests", tests).uses(&[CC, STOCKFISH, POLYGLOT, Need::Python]),
    Step::new("browser", |_| browser::test().into()).needs(browser::NEEDS),
    Step::new("pocket-extra", |_| cargo("test -p brier-pocket --features book,kpk --test extras")),
    Step::new("neon", |_| kernels::check_neon().into()).needs(kernels::NEON_NEEDS),
    Step::new("simd128", |_| kernels::check_simd128().into()).needs(kernels::SIMD128_NEEDS),
    Step::new("wasm", |depth| wasm::test(depth).map(drop).into()).needs(wasm::NEEDS),
    Step::new("python", |depth| python::test(depth).into()).needs(python::NEEDS),
    Step::new("pocket-arm", |_| pocket::arm::check().into()).needs(pocket::arm::NEEDS),
    Step::new("pocket-libs", pocket_libraries).needs(pocket::arm::LIBRARY_NEEDS),
    Step::new("ez80", |_| pocket::c::ez80().into()).needs(pocket::c::EZ80_NEEDS),
    Step::new("bench", |_| bench_check::check(Build::Dev)),
    Step::new("bench release", |_| bench_check::check(Build::Release)).full(),
    Step::new("torture", |_| torture::run().into()).needs(torture::NEEDS).full(),
    Step::new("fuzz", |_| fuzz::short().into()).needs(fuzz::NEEDS).full(),
    Step::new("threads", |_| threads::check().into()).needs(threads::NEEDS).full(),
    Step::new("miri", |_| miri::check().into()).needs(miri::NEEDS).full(),
    Step::new("deny", |_| deny::step()).needs(deny::NEEDS).full(),
    Step::new("reproducible", |_| reproducible::check().into()).full(),
    Step::new("dist", |_| dist::run(&[]).into()).needs(dist::NEEDS).full(),
    // Each crate is packed, unpacked and built from what was packed, with the others beside it.
    Step::new("publish", |_| cargo("publish --workspace --dry-run --allow-dirty")).full(),
    Step::new("pocket-c", |_| pocket::c::desktop().into()).needs(pocket::c::NEEDS).full(),
];

/// Every target's limits, and in full runs what the extras add.
fn pocket_libraries(depth: Depth) -> Outcome {
    let extras: &[&str] = if depth == Depth::Full { &pocket::arm::EXTRAS } else { &[] };
    pocket::arm::libraries(extras).into()
}

/// Sets up what the steps need and runs them; the arguments may hold `--full`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let depth = depth(arguments)?;
    let chosen = steps::chosen(STEPS, depth);
    setup::prepare(&steps::all_needs(&chosen));
    let strict = std::env::var(CI).is_ok_and(|value| value == "true");
    steps::run(&chosen, depth, strict)
}

/// Only the set-up.
pub(crate) fn prepare(arguments: &[String]) -> Result<(), String> {
    setup::prepare(&steps::all_needs(&steps::chosen(STEPS, depth(arguments)?)));
    Ok(())
}

fn depth(arguments: &[String]) -> Result<Depth, String> {
    match arguments {
        [] => Ok(Depth::Usual),
        [flag] if flag == "--full" => Ok(Depth::Full),
        other => Err(format!("expected nothing or --full, got `{}`", other.join(" "))),
    }
}

fn tests(depth: Depth) -> Outcome {
    let mut command = shell::cargo(&["test", "--workspace", "--no-fail-fast"]);
    match depth {
        Depth::Full => command.env(FULL_TESTS, "1"),
        Depth::Usual => command.env_remove(FULL_TESTS),
    };
    shell::run(&mut command).into()
}

fn docs() -> Outcome {
    let arguments = ["doc", "--workspace", "--no-deps"];
    shell::run(shell::cargo(&arguments).env("RUSTDOCFLAGS", "--deny warnings")).into()
}

fn cargo(arguments: &str) -> Outcome {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    shell::run(&mut shell::cargo(&arguments)).into()
}
