//! How well a move does after another one, one, two or four plies before.

use chess::{Color, Piece, Square};

use super::{ByMove, pull};

pub(super) const MOVES: usize = 768;

/// Stands for "no move before": a null move or the start of the line.
pub(crate) const NO_MOVE: u16 = MOVES as u16;

/// A move as side, piece and target square, 0 … 767.
#[inline(always)]
pub(crate) fn move_index(side: Color, piece: Piece, to: Square) -> u16 {
    ((side.index() * 6 + piece.index()) * 64 + to.index()) as u16
}

/// One row for each earlier move, and one that stays at zero for none.
pub(crate) struct Continuation(pub(super) Box<[ByMove; MOVES + 1]>);

impl Continuation {
    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(0);
    }

    #[inline(always)]
    pub(super) fn row(&self, earlier: u16) -> &ByMove {
        &self.0[usize::from(earlier)]
    }

    #[inline(always)]
    pub(crate) fn update(&mut self, earlier: u16, index: u16, bonus: i32) {
        if earlier != NO_MOVE {
            pull(&mut self.0[usize::from(earlier)][usize::from(index)], bonus);
        }
    }
}
