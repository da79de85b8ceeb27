//! Any text as a FEN; the promises are those of `oracle_tests::check_fen`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| oracle_tests::check_fen(text));
