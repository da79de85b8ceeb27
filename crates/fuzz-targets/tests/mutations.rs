//! Every target with changed examples: a few thousand inputs, more with `BRIER_FULL_TESTS=1`, or as
//! many as `BRIER_FUZZ_RUNS` says for the cheapest target.
//!
//! `BRIER_FUZZ_SEED` starts another sequence. A failure names the input's number and the seed, and
//! writes the input to a file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use fuzz_targets::{TARGETS, Target, mutate};

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Runs one target and says with how many inputs.
fn run(target: &Target) -> u64 {
    let full = std::env::var("BRIER_FULL_TESTS").is_ok_and(|value| value == "1");
    let most = number("BRIER_FUZZ_RUNS").unwrap_or(if full { 100_000 } else { 3000 });
    let seed = number("BRIER_FUZZ_SEED").unwrap_or(1);
    let count = (most * u64::from(target.share) / 1000).max(2);
    let examples = mutate::seeds(target).expect("the examples can be read");
    examples.iter().for_each(|example| (target.run)(example));
    for index in 0..count {
        let input = mutate::input(&examples, seed, index);
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        if outcome.is_err() {
            let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(target.name);
            let kept = std::fs::write(&path, &input);
            let text = String::from_utf8_lossy(&input);
            let (name, path) = (target.name, path.display());
            panic!("{name}, input {index} of seed {seed} ({path}, {kept:?}): {text:?}");
        }
    }
    count
}

#[test]
fn every_target_has_examples() {
    for target in TARGETS {
        assert!(!mutate::seeds(target).expect("a folder").is_empty(), "{}", target.name);
    }
}

#[test]
fn inputs_are_the_same_every_time_and_differ_among_each_other() {
    let examples = [b"one example".to_vec(), b"and another".to_vec()];
    let all: Vec<_> = (0..1000).map(|index| mutate::input(&examples, 7, index)).collect();
    assert_eq!(mutate::input(&examples, 7, 999), all[999]);
    let mut different = all.clone();
    different.sort();
    different.dedup();
    assert!(different.len() > 900, "{}", different.len());
}

/// One test for each target, so that they run beside each other and fail one by one.
macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(fuzz_targets::find(stringify!($name)).expect("a target of this name"));
        })*

        #[test]
        fn no_target_is_left_out() {
            let tested = [$(stringify!($name)),*];
            assert!(TARGETS.iter().map(|target| target.name).eq(tested));
        }
    };
}

targets! {
    fen epd san uci_move uci_command uci_reply option genfens table_name pgn game http json
    book syzygy viri record forecast people gguf net net_threats checkpoint session pocket_api
}
