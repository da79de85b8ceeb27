//! One stack of moves for all plies: a depth-first search only keeps the moves of the current
//! line, so they share a pool instead of each ply owning room for the worst case.
//!
//! When the pool is full, further moves are dropped and [`Pool::overflowed`] says so: the search
//! then sees fewer quiet moves deep in a line, but never fails.

use crate::types::Move;

/// How many moves the pool holds. The deepest lines of real searches use about half.
pub const POOL_SIZE: usize = 1024;

/// A stack of moves with their ordering scores.
pub struct Pool {
    moves: [Move; POOL_SIZE],
    scores: [i16; POOL_SIZE],
    end: u16,
    overflowed: bool,
}

impl Pool {
    /// An empty pool, all zero.
    pub const EMPTY: Pool =
        Pool { moves: [Move::NONE; POOL_SIZE], scores: [0; POOL_SIZE], end: 0, overflowed: false };

    /// How many moves are in the pool: where the next one goes.
    #[inline(always)]
    pub fn end(&self) -> u16 {
        self.end
    }

    /// Drops all moves from `end` on.
    #[inline(always)]
    pub fn truncate(&mut self, end: u16) {
        self.end = end;
    }

    /// Whether a move was ever dropped since [`Pool::clear`].
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Empties the pool.
    pub fn clear(&mut self) {
        self.end = 0;
        self.overflowed = false;
    }

    /// Appends a move, or notes that it did not fit.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        if let Some(slot) = self.moves.get_mut(self.end as usize) {
            *slot = m;
            self.end += 1;
        } else {
            self.overflowed = true;
        }
    }

    /// The move at an index below [`Pool::end`].
    #[inline(always)]
    pub fn get(&self, i: u16) -> Move {
        self.moves[i as usize & (POOL_SIZE - 1)]
    }

    /// The ordering score of a move.
    #[inline(always)]
    pub fn score(&self, i: u16) -> i16 {
        self.scores[i as usize & (POOL_SIZE - 1)]
    }

    /// Sets a move's ordering score.
    #[inline(always)]
    pub fn set_score(&mut self, i: u16, score: i16) {
        self.scores[i as usize & (POOL_SIZE - 1)] = score;
    }

    /// Overwrites the move at an index, keeping its score.
    #[inline(always)]
    pub fn set(&mut self, i: u16, m: Move) {
        self.moves[i as usize & (POOL_SIZE - 1)] = m;
    }

    /// Brings the best of `first..end` to `first` and returns it: a sort that stops early
    /// because a cutoff usually comes soon.
    pub fn select(&mut self, first: u16, end: u16) -> Move {
        let mut best = first;
        let mut best_score = self.score(first);
        let mut i = first + 1;
        while i < end {
            if self.score(i) > best_score {
                best = i;
                best_score = self.score(i);
            }
            i += 1;
        }
        let chosen = self.get(best);
        if best != first {
            self.set(best, self.get(first));
            self.set_score(best, self.score(first));
            self.set(first, chosen);
            self.set_score(first, best_score);
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_pool_drops_moves_and_says_so() {
        let mut pool = Pool::EMPTY;
        for i in 0..POOL_SIZE as u16 {
            pool.push(Move(i));
        }
        assert!(!pool.overflowed());
        pool.push(Move(7));
        assert!(pool.overflowed());
        assert_eq!(pool.end() as usize, POOL_SIZE);
    }

    #[test]
    fn selection_visits_moves_from_best_to_worst() {
        let mut pool = Pool::EMPTY;
        for (i, score) in [3, 9, -4, 9, 0].into_iter().enumerate() {
            pool.push(Move(i as u16));
            pool.set_score(i as u16, score);
        }
        let mut last = i16::MAX;
        for first in 0..pool.end() {
            pool.select(first, pool.end());
            assert!(pool.score(first) <= last);
            last = pool.score(first);
        }
        assert_eq!(last, -4);
    }
}
