//! A list of moves on the stack.

use core::ops::Deref;

use crate::{Move, Square};

/// No legal position has more than 218 legal moves.
const CAPACITY: usize = 256;

/// Up to 256 moves without allocation; derefs to a slice.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        let filler = Move::normal(Square::from_index(0), Square::from_index(0));
        Self { moves: [filler; CAPACITY], len: 0 }
    }

    /// Appends a move. A full list (impossible for a legal board) keeps what it has.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        debug_assert!(self.len < CAPACITY, "no legal board has more moves");
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Move>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl core::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
