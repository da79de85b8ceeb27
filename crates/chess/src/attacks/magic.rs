//! Slider attacks by magic multiplication: one multiply, one shift, one load.
//!
//! For each square the blockers that matter (`mask`) times a magic number collect in the top bits
//! of the product; those bits index the square's own slice of one shared table. Everything here is
//! computed by the compiler from the numbers in [`super::magic_numbers`].

use super::magic_numbers::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays;
use crate::{Bitboard, Square};

struct Magic {
    mask: u64,
    number: u64,
    shift: u32,
    offset: u32,
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// The squares whose occupation matters: the rays without the last square of each.
const fn relevant(square: usize, rook: bool) -> u64 {
    let (file, rank) = (square & 7, square >> 3);
    let full = if rook { rays::rook(square, 0) } else { rays::bishop(square, 0) };
    let mut edges = 0;
    if file != 0 {
        edges |= 0x0101_0101_0101_0101;
    }
    if file != 7 {
        edges |= 0x8080_8080_8080_8080;
    }
    if rank != 0 {
        edges |= 0xff;
    }
    if rank != 7 {
        edges |= 0xff << 56;
    }
    full & !edges
}

const fn magics(rook: bool) -> [Magic; 64] {
    let mut table = [const { Magic { mask: 0, number: 0, shift: 0, offset: 0 } }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, rook);
        let number = if rook { ROOK_MAGICS[square] } else { BISHOP_MAGICS[square] };
        table[square] = Magic { mask, number, shift: 64 - mask.count_ones(), offset };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    table
}

/// Fills a table over all subsets of each square's mask. A bad magic number stops the build.
const fn attacks<const N: usize>(rook: bool) -> [Bitboard; N] {
    let magics = magics(rook);
    let mut table = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < 64 {
        let magic = &magics[square];
        let mut blockers = 0_u64;
        loop {
            let attacks =
                if rook { rays::rook(square, blockers) } else { rays::bishop(square, blockers) };
            let index = blockers.wrapping_mul(magic.number) >> magic.shift;
            let slot = magic.offset as usize + index as usize;
            assert!(table[slot].0 == 0 || table[slot].0 == attacks, "a magic number collides");
            table[slot] = Bitboard(attacks);
            blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
            if blockers == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

static ROOK: [Magic; 64] = magics(true);
static BISHOP: [Magic; 64] = magics(false);
static ROOK_TABLE: [Bitboard; ROOK_ENTRIES] = attacks(true);
static BISHOP_TABLE: [Bitboard; BISHOP_ENTRIES] = attacks(false);

#[inline(always)]
fn slot(magic: &Magic, occupied: Bitboard) -> usize {
    let product = (occupied.0 & magic.mask).wrapping_mul(magic.number);
    magic.offset as usize + (product >> magic.shift) as usize
}

/// The squares a rook attacks.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_TABLE[slot(&ROOK[square.index()], occupied)]
}

/// The squares a bishop attacks.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[slot(&BISHOP[square.index()], occupied)]
}
