//! `cargo bench -p brier-book`: what asking a book costs before a search may begin.

use book::{Book, Books, embedded, key};
use chess::Board;
use divan::{Bencher, black_box};

/// In the book, left by it, and never in it.
const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

fn main() {
    divan::main();
}

fn board(fen: &str) -> Board {
    fen.parse().expect("a legal position")
}

#[divan::bench(args = POSITIONS)]
fn position_key(bencher: Bencher<'_, '_>, fen: &str) {
    let board = board(fen);
    bencher.bench(|| key(black_box(&board)));
}

#[divan::bench(args = POSITIONS)]
fn choose_a_move(bencher: Bencher<'_, '_>, fen: &str) {
    let board = board(fen);
    let books = Books::new(vec![embedded()]);
    bencher.bench(|| books.choose(black_box(&board), black_box(42)));
}

/// A book from a file of a million entries, none of them ours: the longest binary search.
#[divan::bench]
fn search_a_million_entries(bencher: Bencher<'_, '_>) {
    let mut bytes = Vec::new();
    for index in 0..1_000_000u64 {
        bytes.extend_from_slice(&(index << 44).to_be_bytes());
        bytes.extend_from_slice(&[0; 8]);
    }
    let books = Books::new(vec![Book::from_bytes(bytes)]);
    let board = Board::default();
    bencher.bench(|| books.choose(black_box(&board), black_box(42)));
}
