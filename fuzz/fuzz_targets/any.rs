//! One target of `fuzz_targets::TARGETS` under libFuzzer; `BRIER_FUZZ_TARGET` says which.
#![no_main]

use std::sync::LazyLock;

use fuzz_targets::Target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("BRIER_FUZZ_TARGET").unwrap_or_default();
    let names: Vec<_> = fuzz_targets::TARGETS.iter().map(|target| target.name).collect();
    let unknown = || panic!("expected BRIER_FUZZ_TARGET to be one of {names:?}, got {name:?}");
    fuzz_targets::find(&name).unwrap_or_else(unknown)
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
