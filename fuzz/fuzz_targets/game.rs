//! Any bytes as games: all of them are read, and what is written of them is read again.
#![no_main]

use pgn::Reader;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for game in Reader::new(bytes).games() {
        let game = game.expect("bytes in memory can be read");
        let text = game.to_string();
        let again: Vec<_> = Reader::new(text.as_bytes()).games().map(Result::unwrap).collect();
        assert_eq!(again.len(), 1, "{text}");
        assert_eq!(again[0].moves, game.moves, "{text}");
        assert_eq!(again[0].to_string(), text);
    }
});
