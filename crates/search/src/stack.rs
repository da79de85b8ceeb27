//! What a node leaves for the nodes below and beside it.

use chess::{Bitboard, Move};
use eval::Score;
use eval::score::MAX_PLY;

use crate::history::NO_MOVE;

/// Facts of one ply of the current line.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Frame {
    /// The corrected static evaluation; none in check.
    pub(crate) eval: Option<Score>,
    /// The move made here, as an index into continuation histories.
    pub(crate) index: u16,
    /// The move made here; none for a null move.
    pub(crate) mv: Option<Move>,
    /// Is it neither a capture nor a promotion?
    pub(crate) quiet: bool,
    /// What the opponent attacked when it was made.
    pub(crate) threats: Bitboard,
    /// The move left out while its singularity is tested.
    pub(crate) excluded: Option<Move>,
    /// How often nodes of this ply were cut lately.
    pub(crate) cutoffs: i32,
    /// The node is or was on a main line.
    pub(crate) tt_pv: bool,
}

impl Frame {
    const EMPTY: Self = Self {
        eval: None,
        index: NO_MOVE,
        mv: None,
        quiet: false,
        threats: Bitboard::EMPTY,
        excluded: None,
        cutoffs: 0,
        tt_pv: false,
    };
}

/// Room before the root, so that "two plies before" always exists.
const BEFORE: usize = 6;

/// One frame for every ply, and some before the root and after the end.
pub(crate) struct Stack(Box<[Frame; MAX_PLY + BEFORE + 8]>);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(Box::new([Frame::EMPTY; MAX_PLY + BEFORE + 8]))
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(Frame::EMPTY);
    }

    /// The frame of a ply.
    #[inline(always)]
    pub(crate) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// The frame `plies` before this one; empty before the root.
    #[inline(always)]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + BEFORE - plies]
    }

    /// Indices of the moves one, two and four plies before.
    #[inline(always)]
    pub(crate) fn moves_before(&self, ply: usize) -> [u16; 3] {
        [1, 2, 4].map(|plies| self.before(ply, plies).index)
    }

    /// Indices of the moves one and two plies before.
    #[inline(always)]
    pub(crate) fn last_two(&self, ply: usize) -> [u16; 2] {
        [1, 2].map(|plies| self.before(ply, plies).index)
    }
}
