//! The seam through which evaluators follow the board without the board knowing them.

use crate::{Color, Piece, Square};

/// Observes every piece that a move adds, removes or moves.
///
/// `()` ignores everything, which costs nothing.
pub trait MoveObserver {
    /// A piece appeared on an empty square (a promotion).
    fn added(&mut self, color: Color, piece: Piece, square: Square);
    /// A piece left the board (a capture, or the pawn that is promoted).
    fn removed(&mut self, color: Color, piece: Piece, square: Square);
    /// A piece went from one square to another, which was or has just become empty.
    /// In Chess960 castling the two moves are announced king first, and the rook's square may be
    /// the king's target.
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square);
}

impl MoveObserver for () {
    #[inline(always)]
    fn added(&mut self, _: Color, _: Piece, _: Square) {}
    #[inline(always)]
    fn removed(&mut self, _: Color, _: Piece, _: Square) {}
    #[inline(always)]
    fn moved(&mut self, _: Color, _: Piece, _: Square, _: Square) {}
}
