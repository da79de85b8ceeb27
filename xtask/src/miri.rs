//! `cargo xtask miri`: tests under Miri, which interprets them and sees undefined behaviour.
//!
//! It is some thousand times slower than a processor, so each row names tests that end in minutes;
//! some of them do less where they find themselves under it (`cfg!(miri)`). Threads are interleaved at
//! random, and a relaxed load may see old values: the hash table is tried with both.

use std::time::Instant;

use crate::need::Need;
use crate::{nightly, shell};

/// What it cannot run without.
pub(crate) const NEEDS: &[Need] = &[nightly::WITH_SOURCE, nightly::MIRI];

/// The tests of one package: the arguments for Cargo, and those for the tests.
struct Tests {
    cargo: &'static str,
    tests: &'static str,
}

#[rustfmt::skip]
const TESTS: &[Tests] = &[
    // Tables of attacks without magic numbers: the others take Miri minutes to make.
    Tests { cargo: "-p brier-chess --no-default-features --lib", tests: "--skip choices_are_fair --skip streams_share_nothing --skip predictions_come_true" },
    Tests { cargo: "-p brier-chess --no-default-features --test rules", tests: "perft fen_errors bits_come_back" },
    Tests { cargo: "-p brier-eval --lib", tests: "" },
    Tests { cargo: "-p brier-search --lib", tests: "table:: control:: vote:: picker::" },
    Tests { cargo: "-p brier-pocket --lib --test perft", tests: "" },
    Tests { cargo: "-p brier-pocket-ffi --lib --test any_calls", tests: "" },
];

/// Runs all rows; the error names those that failed.
pub(crate) fn check() -> Result<(), String> {
    let mut failed = Vec::new();
    for Tests { cargo, tests } in TESTS {
        let start = Instant::now();
        let mut command = nightly::cargo(&["miri", "test", "--target", nightly::SYSTEM], "miri");
        command.args(cargo.split(' ')).arg("--").args(tests.split_whitespace());
        // The positions of the tests are read from files.
        command.env("MIRIFLAGS", "-Zmiri-disable-isolation");
        failed.extend(shell::run(&mut command).err());
        println!("{:.0} s for {cargo} {tests}", start.elapsed().as_secs_f64());
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}
