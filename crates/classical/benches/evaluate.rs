//! How long one classical evaluation takes: `cargo bench -p brier-classical`.
//!
//! The positions come from random games out of seven known ones, walked as a search would: each
//! board is evaluated once, with the pawn table as warm as the walk makes it.

use std::hint::black_box;
use std::time::Instant;

use chess::Board;
use classical::Classical;
use eval::Evaluator;

const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "2r3k1/5p1p/p3pQp1/1p6/3q1P2/8/PP4PP/2R4K b - - 0 1",
];
const ROUNDS: usize = 200;

/// Boards two plies around each start, as the leaves of a search are.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    for fen in STARTS {
        let start: Board = fen.parse().expect("the positions are legal");
        for &first in start.legal_moves().iter() {
            let next = start.after(first);
            for &second in next.legal_moves().iter().take(8) {
                let leaf = next.after(second);
                boards.push(leaf);
            }
        }
    }
    boards
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
fn main() {
    let boards = boards();
    let mut evaluator = Classical::new();
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for board in &boards {
            evaluator.reset(black_box(board));
            black_box(evaluator.evaluate(board));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / boards.len() as f64);
    }
    let mut resets = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for board in &boards {
            evaluator.reset(black_box(board));
            black_box(&evaluator);
        }
        resets = resets.min(start.elapsed().as_nanos() as f64 / boards.len() as f64);
    }
    // The search resets once and then follows the moves, so the reset is not its cost.
    println!("{} boards: {:.0} ns an evaluation (best of {ROUNDS})", boards.len(), best - resets);
}
