//! Any text as a move in UCI's notation, after a line with the position.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (board, text) = oracle_tests::split_position(text);
    oracle_tests::check_uci_move(&board, text);
});
