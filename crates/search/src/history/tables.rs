//! Histories of single moves.

use chess::{Bitboard, Color, Move, Piece, Square};

use super::pull;

/// Quiet moves by side, squares, and whether the squares are attacked by the opponent.
pub(crate) struct QuietHistory(Box<[[[[i16; 64]; 64]; 4]; 2]>);

impl QuietHistory {
    pub(super) fn new() -> Self {
        Self(bytemuck::allocation::zeroed_box())
    }

    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().as_flattened_mut().fill(0);
    }

    #[inline(always)]
    fn threat_index(threats: Bitboard, mv: Move) -> usize {
        usize::from(threats.contains(mv.from())) * 2 + usize::from(threats.contains(mv.to()))
    }

    #[inline(always)]
    pub(super) fn get(&self, side: Color, threats: Bitboard, mv: Move) -> i32 {
        let threat = Self::threat_index(threats, mv);
        i32::from(self.0[side.index()][threat][mv.from().index()][mv.to().index()])
    }

    #[inline(always)]
    pub(super) fn update(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let threat = Self::threat_index(threats, mv);
        pull(&mut self.0[side.index()][threat][mv.from().index()][mv.to().index()], bonus);
    }
}

/// Captures and promotions by moving piece, target square and captured piece.
pub(crate) struct CaptureHistory(Box<[[[[i16; 7]; 64]; 6]; 2]>);

impl CaptureHistory {
    pub(super) fn new() -> Self {
        Self(bytemuck::allocation::zeroed_box())
    }

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
pub(crate) struct PawnHistory(Box<[[i16; 768]; PAWN_ROWS]>);

impl PawnHistory {
    pub(super) fn new() -> Self {
        Self(bytemuck::allocation::zeroed_box())
    }

    pub(super) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(0);
    }

    #[inline(always)]
    pub(super) fn get(&self, pawn_key: u64, index: u16) -> i32 {
        i32::from(self.0[pawn_key as usize % PAWN_ROWS][usize::from(index)])
    }

    #[inline(always)]
    pub(super) fn update(&mut self, pawn_key: u64, index: u16, bonus: i32) {
        pull(&mut self.0[pawn_key as usize % PAWN_ROWS][usize::from(index)], bonus);
    }
}
