//! Where generated moves live: a stack shared by all nodes of a thread.

use chess::Move;

/// A move with its rank among its kind, in one number so that the best is simply the largest.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Scored(i64);

impl Scored {
    const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) fn new(mv: Move, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(mv.bits()))
    }

    /// Only [`Scored::new`] makes one that is looked at, so there always is a move.
    #[inline(always)]
    pub(super) fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline(always)]
    pub(super) fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }

    /// The same move with more or less score.
    #[inline]
    pub(super) fn raised(self, by: i32) -> Self {
        Self(self.0 + (i64::from(by) << 16))
    }
}

/// The stack of generated moves.
#[derive(Default)]
pub(crate) struct MoveStack {
    slots: Vec<Scored>,
    used: usize,
}

/// More than the moves of any legal position.
const ROOM: usize = 256;

impl MoveStack {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Forgets everything from here on.
    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.used = len;
    }

    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> Scored {
        self.slots[at]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, scored: Scored) {
        self.slots[at] = scored;
    }

    /// Everything from `first` on.
    #[inline(always)]
    pub(super) fn from(&mut self, first: usize) -> &mut [Scored] {
        &mut self.slots[first..self.used]
    }

    /// Room for the moves of one position, on top of the stack.
    #[inline(always)]
    pub(super) fn room(&mut self) -> Room<'_> {
        if self.slots.len() < self.used + ROOM {
            self.grow();
        }
        let start = self.used;
        let slots = self.slots[start..].first_chunk_mut().expect("grown to have room");
        Room { slots, count: 0, used: &mut self.used }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.slots.resize(2 * self.used + 8 * ROOM, Scored::NONE);
    }

    /// Brings the best from `first` on to the front and returns it.
    #[inline(always)]
    pub(super) fn select(&mut self, first: usize) -> Option<Scored> {
        let left = &mut self.slots[first..self.used];
        // One plain pass that compilers turn into vector code: the place rides in low bits.
        const PLACE_BITS: u32 = 8;
        let found = left.iter().enumerate().fold(i64::MIN, |most, (place, scored)| {
            most.max(scored.0 << PLACE_BITS | place as i64)
        });
        if left.is_empty() {
            return None;
        }
        left.swap(0, found as usize % (1 << PLACE_BITS));
        Some(Scored(found >> PLACE_BITS))
    }
}

/// The free top of a stack while moves are generated into it.
pub(super) struct Room<'a> {
    slots: &'a mut [Scored; ROOM],
    count: usize,
    used: &'a mut usize,
}

impl Room<'_> {
    /// Adds a move; no position has too many.
    #[inline(always)]
    pub(super) fn push(&mut self, scored: Scored) {
        debug_assert!(self.count < ROOM, "no legal board has that many moves");
        self.slots[self.count % ROOM] = scored;
        self.count += 1;
    }

    /// Keeps the moves on the stack.
    #[inline(always)]
    pub(super) fn keep(self) {
        *self.used += self.count.min(ROOM);
    }
}

#[cfg(test)]
mod tests {
    use super::{MoveStack, Scored};
    use chess::{Move, Square};

    #[test]
    fn the_best_comes_first_whatever_its_place() {
        let mv = |i| Move::normal(Square::from_index(i), Square::from_index(63 - i));
        let mut stack = MoveStack::default();
        for scores in [vec![-70_000, 5, 90_000, -1], vec![3], vec![i32::MIN / 2, i32::MIN / 2 + 1]]
        {
            let first = stack.len();
            let mut room = stack.room();
            for (i, &score) in scores.iter().enumerate() {
                room.push(Scored::new(mv(i), score));
            }
            room.keep();
            let mut sorted = scores.clone();
            sorted.sort_by_key(|&score| -score);
            for (i, score) in sorted.into_iter().enumerate() {
                let found = stack.select(first + i).unwrap();
                let place = scores.iter().position(|&s| s == score).unwrap();
                assert_eq!((found.score(), found.mv()), (score, Some(mv(place))));
            }
            assert_eq!(stack.select(first + scores.len()), None);
        }
    }
}
