//! Any bytes as an opening book: what it gives is legal, whatever it holds.
#![no_main]

use book::{Book, Shelf, merge};
use chess::Board;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let book = Book::from_bytes(bytes.to_vec());
    let merged = merge(&[(&book, 1), (&book, 2)]);
    assert!(merged.is_sorted_by_key(|entry| entry.key));
    let mut board = Board::default();
    let shelf = Shelf::new(vec![book]);
    // The bytes also choose: each eight of them are a random number.
    for random in bytes.chunks_exact(8).filter_map(|chunk| chunk.try_into().ok()) {
        let Some(mv) = shelf.choose(&board, u64::from_le_bytes(random)) else { break };
        assert!(board.is_legal(mv));
        board.make_move(mv, &mut ());
    }
});
