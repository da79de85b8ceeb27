//! `cargo bench -p brier-tablebase`: what asking the tables costs, in and out of their reach.

use std::path::Path;

use chess::Board;
use divan::{Bencher, black_box};
use eval::Tablebase;
use tablebase::SyzygyTables;

/// Three men, four men, a capture to look into, and far too many.
const POSITIONS: [&str; 4] = [
    "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
    "8/3k4/8/8/2BN4/8/8/K7 w - - 0 1",
    "8/8/8/8/8/1k1r4/8/K2Q4 b - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

fn main() {
    divan::main();
}

fn tables() -> SyzygyTables {
    SyzygyTables::open(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syzygy")])
}

#[divan::bench(args = POSITIONS)]
fn wdl(bencher: Bencher<'_, '_>, fen: &str) {
    let tables = tables();
    let board: Board = fen.parse().expect("a legal position");
    bencher.bench(|| tables.wdl(black_box(&board)));
}

#[divan::bench(args = POSITIONS)]
fn root(bencher: Bencher<'_, '_>, fen: &str) {
    let tables = tables();
    let board: Board = fen.parse().expect("a legal position");
    bencher.bench(|| tables.root(black_box(&board), &[], true));
}
