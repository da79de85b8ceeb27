//! Histories of single moves.

use chess::{Bitboard, Color, Move, Piece, Square};

use super::{ByMove, pull};

/// By threat (see [`threat_index`]) and the squares of a move.
pub(super) type BySquares = [[[i16; 64]; 64]; 4];

/// Are the squares of a move attacked by the opponent? Both answers as a number below four.
#[inline(always)]
pub(super) fn threat_index(threats: Bitboard, mv: Move) -> usize {
    usize::from(threats.contains(mv.from())) * 2 + usize::from(threats.contains(mv.to()))
}

/// Quiet moves by side, squares, and whether the squares are attacked by the opponent.
pub(crate) struct QuietHistory(pub(super) Box<[BySquares; 2]>);

impl QuietHistory {
    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// The part of one side.
    #[inline(always)]
    pub(super) fn side(&self, side: Color) -> &BySquares {
        &self.0[side.index()]
    }

    #[inline(always)]
    pub(crate) fn update(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let threat = threat_index(threats, mv);
        pull(&mut self.0[side.index()][threat][mv.from().index()][mv.to().index()], bonus);
    }
}

/// Captures and promotions by moving piece, target square and captured piece.
pub(crate) struct CaptureHistory(pub(super) Box<[[[[i16; 7]; 64]; 6]; 2]>);

impl CaptureHistory {
    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().as_flattened_mut().fill(0);
    }

    #[inline(always)]
    pub(crate) fn get(&self, side: Color, piece: Piece, to: Square, victim: Option<Piece>) -> i32 {
        let victim = victim.map_or(6, Piece::index);
        i32::from(self.0[side.index()][piece.index()][to.index()][victim])
    }

    #[inline(always)]
    pub(crate) fn update(
        &mut self,
        side: Color,
        piece: Piece,
        to: Square,
        victim: Option<Piece>,
        bonus: i32,
    ) {
        let victim = victim.map_or(6, Piece::index);
        pull(&mut self.0[side.index()][piece.index()][to.index()][victim], bonus);
    }
}

const PAWN_ROWS: usize = 1024;

/// Quiet moves by pawn structure: the same plans suit the same pawns.
pub(crate) struct PawnHistory(pub(super) Box<[ByMove; PAWN_ROWS]>);

impl PawnHistory {
    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(0);
    }

    #[inline(always)]
    pub(super) fn row(&self, pawn_key: u64) -> &ByMove {
        &self.0[pawn_key as usize % PAWN_ROWS]
    }

    #[inline(always)]
    pub(super) fn update(&mut self, pawn_key: u64, index: u16, bonus: i32) {
        pull(&mut self.0[pawn_key as usize % PAWN_ROWS][usize::from(index)], bonus);
    }
}
