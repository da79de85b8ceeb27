//! Any text as an EPD; the promises are those of `oracle_tests::check_epd`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| oracle_tests::check_epd(text));
