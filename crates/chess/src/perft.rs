//! Counting the leaves of the move tree: the test of all move generators.

use crate::Board;

/// The deepest count that is offered: far beyond any that could end, and safe for the stack.
pub const MAX_PERFT_DEPTH: u32 = 60;

/// How many positions are `depth` half-moves away. The last ply is counted, not made.
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves(),
        _ => {
            let mut nodes = 0;
            for mv in &board.legal_moves() {
                let next = board.after(mv);
                nodes += perft(&next, depth - 1);
            }
            nodes
        }
    }
}
