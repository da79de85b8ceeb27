//! How long one classical evaluation takes: `cargo bench -p brier-classical`.
//!
//! The boards are those two plies after known positions, as the leaves of a search are: each is
//! evaluated once, with the pawn table as warm as that makes it.

mod positions;

use std::hint::black_box;
use std::time::Instant;

use chess::Board;
use classical::Classical;
use eval::Evaluator;
use positions::POSITIONS;

const ROUNDS: usize = 200;

/// Boards two plies around each start, as the leaves of a search are.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    for fen in POSITIONS {
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
