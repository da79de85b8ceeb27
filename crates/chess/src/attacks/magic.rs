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

/// A piece that moves along rays; a queen is both.
#[derive(Copy, Clone)]
enum Slider {
    Rook,
    Bishop,
}

impl Slider {
    const fn attacks(self, square: usize, blockers: u64) -> u64 {
        match self {
            Self::Rook => rays::rook(square, blockers),
            Self::Bishop => rays::bishop(square, blockers),
        }
    }

    const fn magic_number(self, square: usize) -> u64 {
        match self {
            Self::Rook => ROOK_MAGICS[square],
            Self::Bishop => BISHOP_MAGICS[square],
        }
    }
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// The squares whose occupation matters: the rays without the last square of each.
const fn relevant(square: usize, slider: Slider) -> u64 {
    let (file, rank) = (square & 7, square >> 3);
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
    slider.attacks(square, 0) & !edges
}

const fn magics(slider: Slider) -> [Magic; 64] {
    let mut table = [const { Magic { mask: 0, number: 0, shift: 0, offset: 0 } }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, slider);
        let (number, shift) = (slider.magic_number(square), 64 - mask.count_ones());
        table[square] = Magic { mask, number, shift, offset };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    table
}

/// Fills a table over all subsets of each square's mask. A bad magic number stops the build.
const fn attacks<const N: usize>(slider: Slider) -> [Bitboard; N] {
    let magics = magics(slider);
    let mut table = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < 64 {
        let magic = &magics[square];
        let mut blockers = 0_u64;
        loop {
            let attacks = slider.attacks(square, blockers);
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

static ROOK: [Magic; 64] = magics(Slider::Rook);
static BISHOP: [Magic; 64] = magics(Slider::Bishop);
static ROOK_TABLE: [Bitboard; ROOK_ENTRIES] = attacks(Slider::Rook);
static BISHOP_TABLE: [Bitboard; BISHOP_ENTRIES] = attacks(Slider::Bishop);

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
