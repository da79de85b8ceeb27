//! `cargo run --release --example perft -- 6 [FEN]`
#![expect(clippy::print_stdout, reason = "an example")]
use chess::{Board, perft};
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let depth = args[0].parse().unwrap();
    let board: Board = args.get(1).map_or_else(Board::default, |fen| fen.parse().unwrap());
    let start = Instant::now();
    println!("{} in {:?}", perft(&board, depth), start.elapsed());
}
