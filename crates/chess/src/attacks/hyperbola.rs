//! Slider attacks by subtraction ("hyperbola quintessence"): 2 KB of tables.
//!
//! In `occupied - 2 * slider` the borrow runs from the slider to the first blocker above it and
//! flips exactly the squares between; the same on the mirrored board gives the other direction.

use crate::{Bitboard, Square};

struct Masks {
    file: u64,
    rank: u64,
    diagonal: u64,
    anti_diagonal: u64,
}

const fn masks(square: usize) -> Masks {
    let (file, rank) = (square & 7, square >> 3);
    let mut masks = Masks {
        file: 0x0101_0101_0101_0101 << file,
        rank: 0xff << (8 * rank),
        diagonal: 0,
        anti_diagonal: 0,
    };
    let mut other = 0;
    while other < 64 {
        let (f, r) = (other & 7, other >> 3);
        if f + rank == file + r {
            masks.diagonal |= 1 << other;
        }
        if f + r == file + rank {
            masks.anti_diagonal |= 1 << other;
        }
        other += 1;
    }
    masks
}

static MASKS: [Masks; 64] = {
    let mut table = [const { masks(0) }; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = masks(square);
        square += 1;
    }
    table
};

/// Attacks along one line; `reverse` mirrors the line onto itself.
#[inline(always)]
fn along(square: Square, occupied: Bitboard, mask: u64, reverse: impl Fn(u64) -> u64) -> Bitboard {
    let (slider, blockers) = (square.bitboard().0, occupied.0 & mask);
    let up = blockers.wrapping_sub(slider << 1);
    let down = reverse(reverse(blockers).wrapping_sub(reverse(slider) << 1));
    Bitboard((up ^ down) & mask & !slider)
}

/// The squares a bishop attacks.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let Masks { diagonal, anti_diagonal, .. } = MASKS[square.index()];
    along(square, occupied, diagonal, u64::swap_bytes)
        | along(square, occupied, anti_diagonal, u64::swap_bytes)
}

/// The squares a rook attacks.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let Masks { file, rank, .. } = MASKS[square.index()];
    along(square, occupied, file, u64::swap_bytes)
        | along(square, occupied, rank, u64::reverse_bits)
}
