//! The random numbers that name positions: a 32-bit key that chooses a table slot and counts
//! repetitions, and an independent 16-bit lock that confirms the slot.
//!
//! They are constants (4.7 KB of flash), drawn by the compiler from a fixed seed, so a book built
//! on one machine fits every other.

use crate::types::{Piece, Square, dense};

const PIECES: usize = 12 * 64;

/// All numbers of one width.
pub(crate) struct Keys<T: 'static> {
    pieces: [T; PIECES],
    castling: [T; 16],
    en_passant: [T; 8],
    /// Toggled when Black is to move.
    pub(crate) side: T,
}

/// A step of Marsaglia's 32-bit xorshift.
const fn next(state: u32) -> u32 {
    let mut x = state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^ x << 5
}

macro_rules! draw {
    ($width:ty, $seed:expr) => {{
        let mut keys = Keys { pieces: [0; PIECES], castling: [0; 16], en_passant: [0; 8], side: 0 };
        let mut state: u32 = $seed;
        let mut i = 0;
        while i < PIECES + 16 + 8 + 1 {
            state = next(next(state));
            // The high bits of an xorshift are the better ones.
            let drawn = (state >> (32 - <$width>::BITS)) as $width;
            if i < PIECES {
                keys.pieces[i] = drawn;
            } else if i < PIECES + 16 {
                keys.castling[i - PIECES] = drawn;
            } else if i < PIECES + 24 {
                keys.en_passant[i - PIECES - 16] = drawn;
            } else {
                keys.side = drawn;
            }
            i += 1;
        }
        keys
    }};
}

/// The numbers of the 32-bit key.
pub(crate) static KEY: Keys<u32> = draw!(u32, 0x9E37_79B9);
/// The numbers of the 16-bit lock.
pub(crate) static LOCK: Keys<u16> = draw!(u16, 0x6A09_E667);

impl<T: Copy + Default> Keys<T> {
    #[inline(always)]
    pub(crate) fn piece(&self, piece: Piece, square: Square) -> T {
        // Piece codes are 1..=6 and 9..=14: closing the gap gives 0..=11.
        let row = piece.wrapping_sub(1).wrapping_sub(piece >> 3 << 1) as u16;
        // A piece that does not exist has no number: there is nothing in this crate to panic.
        self.pieces.get((row << 6 | dense(square) as u16) as usize).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn castling(&self, rights: u8) -> T {
        self.castling[(rights & 15) as usize]
    }

    #[inline(always)]
    pub(crate) fn en_passant(&self, square: Square) -> T {
        self.en_passant[(square & 7) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::HashSet;

    #[test]
    fn no_two_squares_share_both_numbers() {
        let mut seen = HashSet::new();
        for (key, lock) in KEY.pieces.iter().zip(&LOCK.pieces) {
            assert!(*key != 0 && seen.insert((*key, *lock)));
        }
    }
}
