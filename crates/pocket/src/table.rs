//! The transposition table: what was found out about positions, eight bytes each.
//!
//! It comes as two equal [`Bank`]s, because no object may exceed 32,767 bytes on a 16-bit
//! target; the key's highest bit chooses the bank. A slot is recognised by a 16-bit lock that
//! is independent of the key and by six more bits of the key. Still one probe in some two
//! million finds another position's entry (`examples/false_hits.rs` measures it), so whoever uses
//! an entry checks first that its move is legal here.

use crate::score::{MATE_BOUND, Score};
use crate::types::Move;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// It is at most this.
    Upper = 1,
    /// It is at least this.
    Lower = 2,
    /// It is this.
    Exact = 3,
}

/// One slot.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    lock: u16,
    score: Score,
    best: Move,
    /// The bound in the low two bits (0: an empty slot), the depth above.
    state: u8,
    /// The search's number in the low two bits, key bits above.
    origin: u8,
}

const _: () = assert!(size_of::<Entry>() == 8);

/// The part of [`Entry::origin`] that comes from the position.
const KEY_BITS: u8 = 0xFC;

/// The key bits that an entry keeps: none of those that choose the slot or the bank.
#[inline(always)]
fn key_bits(key: u32) -> u8 {
    (key >> 16) as u8 & KEY_BITS
}

impl Entry {
    #[inline(always)]
    fn is_of(&self, lock: u16, key_bits: u8) -> bool {
        self.lock == lock && self.state & 3 != 0 && (self.origin ^ key_bits) & KEY_BITS == 0
    }
}

/// Half of a table: `N` slots, a power of two. Its memory may start as zeros.
pub struct Bank<const N: usize> {
    slots: [Entry; N],
}

/// The default number of slots in a bank: two of them make the plan's 32 KB.
pub const BANK: usize = 2048;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The score, with mates counted from the asking ply.
    pub score: Score,
    /// The best move, or [`Move::NONE`]; not checked.
    pub best: Move,
    /// How deep the search was that found it.
    pub depth: i8,
    is_upper: bool,
    is_lower: bool,
}

impl Found {
    /// Whether the score alone decides a node with this window.
    #[inline(always)]
    pub fn decides(&self, alpha: Score, beta: Score) -> bool {
        (self.is_lower && self.score >= beta) || (self.is_upper && self.score <= alpha)
    }

    /// Whether the score says more about the position than a static evaluation of `eval`.
    #[inline(always)]
    pub fn improves(&self, eval: Score) -> bool {
        (self.is_lower && self.score > eval) || (self.is_upper && self.score < eval)
    }
}

impl<const N: usize> Bank<N> {
    /// An empty bank.
    pub const EMPTY: Bank<N> =
        Bank { slots: [Entry { lock: 0, score: 0, best: Move::NONE, state: 0, origin: 0 }; N] };

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Bank::<1>::EMPTY.slots[0]);
    }

    #[inline(always)]
    fn slot(&mut self, i: usize) -> &mut Entry {
        const { assert!(N.is_power_of_two()) };
        &mut self.slots[i & (N - 1)]
    }

    /// Looks a position up. A position may lie in either slot of a pair.
    pub fn probe(&mut self, key: u32, lock: u16, ply: u8) -> Option<Found> {
        let i = key as usize & (N - 1);
        let bits = key_bits(key);
        let i = if self.slot(i).is_of(lock, bits) { i } else { i ^ 1 };
        let entry = self.slot(i);
        if !entry.is_of(lock, bits) {
            return None;
        }
        Some(Found {
            score: from_table(entry.score, ply),
            best: entry.best,
            depth: (entry.state >> 2) as i8,
            is_upper: entry.state & Bound::Upper as u8 != 0,
            is_lower: entry.state & Bound::Lower as u8 != 0,
        })
    }

    /// Stores what was found, in place of the same position or of the less valuable slot of
    /// its pair: an older search's first, then the shallower one. The depth is 0 to 63.
    pub fn store(&mut self, at: Key, depth: i8, score: Score, bound: Bound, best: Move) {
        let i = at.key as usize & (N - 1);
        let bits = key_bits(at.key);
        // Empty slots and those of older searches come before all others.
        let worth = |e: &Entry| {
            let fresh = (e.origin ^ at.search) & 3 == 0 && e.state & 3 != 0;
            if fresh { (e.state >> 2) + 64 } else { e.state >> 2 }
        };
        // The slots are looked at where they lie: copies would be 64-bit values on their way.
        let i = if self.slot(i).is_of(at.lock, bits) {
            i
        } else if self.slot(i ^ 1).is_of(at.lock, bits)
            || worth(self.slot(i ^ 1)) < worth(self.slot(i))
        {
            i ^ 1
        } else {
            i
        };
        let entry = self.slot(i);
        let best = if best == Move::NONE && entry.is_of(at.lock, bits) { entry.best } else { best };
        *entry = Entry {
            lock: at.lock,
            score: to_table(score, at.ply),
            best,
            state: bound as u8 | (depth as u8) << 2,
            origin: bits | at.search & 3,
        };
    }
}

/// Which position is stored, by which search, and how far from its root.
#[derive(Clone, Copy)]
pub struct Key {
    /// The position's key.
    pub key: u32,
    /// The position's lock.
    pub lock: u16,
    /// The number of the search, so that old entries go first.
    pub search: u8,
    /// The distance from the root.
    pub ply: u8,
}

/// A mate counted from the root becomes one counted from the stored position.
fn to_table(score: Score, ply: u8) -> Score {
    if score >= MATE_BOUND {
        score + ply as Score
    } else if score <= -MATE_BOUND {
        score - ply as Score
    } else {
        score
    }
}

fn from_table(score: Score, ply: u8) -> Score {
    if score >= MATE_BOUND {
        score - ply as Score
    } else if score <= -MATE_BOUND {
        score + ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;

    fn key(key: u32, lock: u16, ply: u8) -> Key {
        Key { key, lock, search: 1, ply }
    }

    #[test]
    fn a_mate_is_counted_from_the_asking_ply() {
        let mut bank = Bank::<16>::EMPTY;
        bank.store(key(5, 77, 6), 3, MATE - 10, Bound::Exact, Move(9));
        let found = bank.probe(5, 77, 2).unwrap();
        assert_eq!((found.score, found.best, found.depth), (MATE - 6, Move(9), 3));
        bank.store(key(5, 77, 6), 3, -MATE + 10, Bound::Exact, Move(9));
        assert_eq!(bank.probe(5, 77, 2).unwrap().score, -MATE + 6);
    }

    #[test]
    fn the_shallow_entry_of_a_pair_goes_first() {
        let mut bank = Bank::<16>::EMPTY;
        bank.store(key(4, 1, 0), 9, 10, Bound::Lower, Move(1));
        bank.store(key(4, 2, 0), 2, 20, Bound::Lower, Move(2));
        bank.store(key(4, 3, 0), 5, 30, Bound::Lower, Move(3));
        assert!(bank.probe(4, 1, 0).is_some() && bank.probe(4, 3, 0).is_some());
        assert!(bank.probe(4, 2, 0).is_none());
    }

    #[test]
    fn an_old_search_goes_before_a_shallow_one() {
        let mut bank = Bank::<16>::EMPTY;
        bank.store(key(4, 1, 0), 9, 10, Bound::Lower, Move(1));
        let now = |lock| Key { key: 4, lock, search: 2, ply: 0 };
        bank.store(now(2), 2, 20, Bound::Lower, Move(2));
        bank.store(now(3), 1, 30, Bound::Lower, Move(3));
        assert!(bank.probe(4, 1, 0).is_none() && bank.probe(4, 2, 0).is_some());
    }

    #[test]
    fn key_bits_beyond_the_slot_are_compared() {
        let mut bank = Bank::<16>::EMPTY;
        bank.store(key(4, 1, 0), 9, 10, Bound::Lower, Move(1));
        assert!(bank.probe(4 | 1 << 18, 1, 0).is_none());
        assert!(bank.probe(4 | 1 << 24, 1, 0).is_some(), "these are not kept");
    }

    #[test]
    fn the_deepest_depth_is_kept() {
        let mut bank = Bank::<16>::EMPTY;
        bank.store(key(4, 1, 0), 63, 10, Bound::Exact, Move(1));
        assert_eq!(bank.probe(4, 1, 0).unwrap().depth, 63);
    }

    #[test]
    fn zeroed_memory_holds_nothing() {
        let mut bank = Bank::<16>::EMPTY;
        assert!(bank.probe(0, 0, 0).is_none());
    }
}
