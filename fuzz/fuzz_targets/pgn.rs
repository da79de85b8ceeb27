//! Any bytes as games for a book: all of them are read, and counted or left out.
#![no_main]

use std::path::Path;

use book::build::{BuildOptions, Builder};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Nothing is written: the memory is ample, and the book is never finished.
    let mut builder = Builder::new(Path::new("unused.bin"), BuildOptions::default());
    builder.add_pgn(bytes).expect("bytes in memory can be read");
});
