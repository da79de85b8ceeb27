//! The targets of crate `fuzz-targets` under libFuzzer, one program each (`src/bin`).
//!
//! After every input libFuzzer looks at the counters of all code in the program, so a program with the
//! code of one target is several times as fast as one with all of them.

pub use fuzz_targets;
pub use libfuzzer_sys;

/// The program of the target with this name.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        // The function alone: the list would bring all the others with it.
        const RUN: fn(&[u8]) = match $crate::fuzz_targets::find($name) {
            Some(target) => target.run,
            None => panic!("expected the name of a target"),
        };
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| RUN(bytes));
    };
}
