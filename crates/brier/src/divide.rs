//! `go perft N`: counts positions, with a line for each move of the root.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::{Board, Move, perft};

use crate::output;

/// Counts and writes; `write_move` names root moves.
pub(crate) fn divide(
    board: &Board,
    depth: u32,
    write_move: &impl Fn(Move) -> String,
    stop: &AtomicBool,
) -> io::Result<()> {
    let mut total = if depth == 0 { 1 } else { 0 };
    if depth > 0 {
        for mv in &board.legal_moves() {
            let next = board.after(mv);
            let Some(nodes) = count(&next, depth - 1, stop) else {
                return output::line("info string perft stopped");
            };
            output::line(format_args!("{}: {nodes}", write_move(mv)))?;
            total += nodes;
        }
    }
    output::line(format_args!("\nNodes searched: {total}"))
}

/// Like [`perft`], but looks at the flag between small subtrees.
fn count(board: &Board, depth: u32, stop: &AtomicBool) -> Option<u64> {
    const SMALL: u32 = 3;
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= SMALL {
        return Some(perft(board, depth));
    }
    let mut nodes = 0;
    for mv in &board.legal_moves() {
        let next = board.after(mv);
        nodes += count(&next, depth - 1, stop)?;
    }
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_as_perft_does() {
        let board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let board: Board = board.parse().unwrap();
        for depth in 0..=4 {
            assert_eq!(count(&board, depth, &AtomicBool::new(false)), Some(perft(&board, depth)));
        }
    }

    #[test]
    fn it_can_be_stopped() {
        assert_eq!(count(&Board::default(), 30, &AtomicBool::new(true)), None);
    }
}
