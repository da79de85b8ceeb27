//! The seam between the search and whoever judges positions.

use chess::{Board, MoveObserver};

use crate::Quantiles;

/// Judges positions, following the search move by move.
///
/// One per thread, statically dispatched. The search calls [`push`](Self::push), then makes the
/// move with the evaluator as its observer, and [`pop`](Self::pop) when it takes the move back.
/// A null move changes no piece and is not announced.
pub trait Evaluator: MoveObserver {
    /// Forgets everything and starts from this board.
    fn reset(&mut self, board: &Board);

    /// A move is about to be made.
    fn push(&mut self);

    /// The last move is taken back.
    fn pop(&mut self);

    /// Judges the current board, for the side to move.
    fn evaluate(&mut self, board: &Board) -> Quantiles;
}
