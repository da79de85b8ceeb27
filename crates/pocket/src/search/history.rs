//! What cutoffs taught about quiet moves: for each piece and destination how often it was
//! right, so that good moves are tried early and bad ones searched less deep.

use crate::types::{Move, Piece, dense};

/// One score for each piece and destination.
pub(super) struct History([i16; 12 * 64]);

impl History {
    pub(super) const EMPTY: History = History([0; 12 * 64]);

    #[inline(always)]
    fn index(piece: Piece, m: Move) -> usize {
        let row = piece.wrapping_sub(1).wrapping_sub(piece >> 3 << 1) as u16;
        (row << 6 | dense(m.to()) as u16) as usize
    }

    #[inline(always)]
    pub(super) fn get(&self, piece: Piece, m: Move) -> i16 {
        self.0.get(Self::index(piece, m)).copied().unwrap_or(0)
    }

    /// Moves a score towards its limit by `bonus` (negative: away), less the nearer it is.
    pub(super) fn update(&mut self, piece: Piece, m: Move, bonus: i16) {
        if let Some(score) = self.0.get_mut(Self::index(piece, m)) {
            *score += bonus - ((*score as i32 * bonus.abs() as i32) >> 10) as i16;
        }
    }

    /// Makes room for a new search's experience.
    pub(super) fn age(&mut self) {
        for score in &mut self.0 {
            *score >>= 1;
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: i16 = 1024;

    #[test]
    fn scores_stay_within_the_limit() {
        let mut history = History::EMPTY;
        let m = Move::new(0x64, 0x44, 0);
        for _ in 0..1000 {
            history.update(1, m, 400);
        }
        assert!(history.get(1, m) <= LIMIT && history.get(1, m) > LIMIT / 2);
        for _ in 0..1000 {
            history.update(1, m, -400);
        }
        assert!(history.get(1, m) >= -LIMIT);
    }
}
