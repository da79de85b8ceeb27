//! The threats around a square, found by sorting the board into rays.
//!
//! One permutation brings the squares that are seen from a square into 64 lanes: eight rays of eight
//! lanes, each beginning with one of the knight's jumps, then the squares at distance 1 to 7. On such
//! a board the nearest piece of every ray, whether it attacks the square, and what stands on the
//! opposite ray are a few operations on masks, and a compression makes lists of them.

use core::arch::x86_64::*;

use crate::threats::{AS_ATTACKER, AS_VICTIM, EMPTY, FROM, List, Parts};

/// Files and ranks that each ray goes by a step: north, then clockwise. Opposite rays are four apart.
const RAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// The knight's jumps.
const JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Lanes of the jumps.
const JUMP_LANES: u64 = 0x0101_0101_0101_0101;
/// Lanes at the far end of the rays.
const LAST_LANES: u64 = 0x80 * JUMP_LANES;
/// Lanes at distance 1.
const NEXT_LANES: u64 = 0x02 * JUMP_LANES;
/// Lanes of the rays along ranks and files; the others are diagonals.
const STRAIGHT_LANES: u64 = 0x00FF_00FF_00FF_00FF & !JUMP_LANES;
const DIAGONAL_LANES: u64 = 0xFF00_FF00_FF00_FF00 & !JUMP_LANES;
/// The two squares a pawn of either color attacks, and those from where it attacks.
const NORTH_PAWN_LANES: u64 = 0x02 << 8 | 0x02 << 56;
const SOUTH_PAWN_LANES: u64 = 0x02 << 24 | 0x02 << 40;

/// A mark in the square of a lane: there is none, the board ends before it.
const OFF_BOARD: u8 = 0x80;

/// A register's bytes in memory.
#[repr(C, align(64))]
struct Bytes([u8; 64]);

/// The square of each lane, seen from each square.
static LANES: [Bytes; 64] = {
    let mut lanes = [const { Bytes([OFF_BOARD; 64]) }; 64];
    let mut at = 0;
    while at < 64 * 64 {
        let (from, ray, distance) = (at / 64, at / 8 % 8, (at % 8) as i8);
        let (east, north) = if distance == 0 { JUMPS[ray] } else { RAYS[ray] };
        let steps = if distance == 0 { 1 } else { distance };
        let (file, rank) = ((from % 8) as i8 + east * steps, (from / 8) as i8 + north * steps);
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            lanes[from].0[at % 64] = (rank * 8 + file) as u8;
        }
        at += 1;
    }
    lanes
};

/// Kinds of pieces as bits; pawns of either color are two.
const WHITE_PAWN: u8 = 1;
const BLACK_PAWN: u8 = 2;
const KNIGHT: u8 = 4;
const BISHOP: u8 = 8;
const ROOK: u8 = 16;
const QUEEN: u8 = 32;
const KING: u8 = 64;

/// The bit of each code; an empty square has none.
static BITS: [u8; 16] = {
    let mut bits = [0; 16];
    let kinds = [WHITE_PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];
    let mut code = 0;
    while code < EMPTY as usize {
        bits[code] = kinds[code % 6];
        code += 1;
    }
    bits[6] = BLACK_PAWN;
    bits
};

/// Lanes that a piece in the middle attacks, if nothing stands between, by its code.
static ATTACKED: [u64; 16] = {
    let mut attacked = [0; 16];
    let mut code = 0;
    while code < EMPTY as usize {
        attacked[code] = match BITS[code] {
            WHITE_PAWN => NORTH_PAWN_LANES,
            BLACK_PAWN => SOUTH_PAWN_LANES,
            KNIGHT => JUMP_LANES,
            BISHOP => DIAGONAL_LANES,
            ROOK => STRAIGHT_LANES,
            QUEEN => DIAGONAL_LANES | STRAIGHT_LANES,
            _ => NEXT_LANES,
        };
        code += 1;
    }
    attacked
};

/// The kinds of pieces that attack the middle from each lane.
static ATTACKERS: Bytes = {
    let mut kinds = [0; 64];
    let mut code = 0;
    while code < EMPTY as usize {
        // Pawns attack from where pawns of the other color are attacked; for all others it is the same.
        let attacked = match BITS[code] {
            WHITE_PAWN => SOUTH_PAWN_LANES,
            BLACK_PAWN => NORTH_PAWN_LANES,
            _ => ATTACKED[code],
        };
        let mut lane = 0;
        while lane < 64 {
            if attacked >> lane & 1 != 0 {
                kinds[lane] |= BITS[code];
            }
            lane += 1;
        }
        code += 1;
    }
    Bytes(kinds)
};

/// The lower and the upper byte of the parts that pieces have in a threat's number.
const fn bytes_of(parts: &Parts) -> [[u8; 16]; 2] {
    let mut bytes = [[0; 16]; 2];
    let mut code = 0;
    while code < 16 {
        [bytes[0][code], bytes[1][code]] = parts.0[code].to_le_bytes();
        code += 1;
    }
    bytes
}
static ATTACKER_BYTES: [[u8; 16]; 2] = bytes_of(&AS_ATTACKER);
static VICTIM_BYTES: [[u8; 16]; 2] = bytes_of(&AS_VICTIM);

/// See [`crate::nnue::NnueKernels::threats`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn threats(
    codes: &[u8; 64],
    gone: u64,
    own: u8,
    square: u8,
    near: &mut List,
    across: &mut List,
) {
    let (own, square) = (usize::from(own % 16), square % 64);
    // SAFETY: all that is loaded has the size of a register.
    let (lanes, codes, attackers_of_lanes) = unsafe {
        (
            _mm512_load_si512(LANES[usize::from(square)].0.as_ptr().cast()),
            _mm512_loadu_si512(codes.as_ptr().cast()),
            _mm512_load_si512(ATTACKERS.0.as_ptr().cast()),
        )
    };
    let codes = _mm512_mask_mov_epi8(codes, gone, _mm512_set1_epi8(EMPTY as i8));
    let pieces = _mm512_permutexvar_epi8(lanes, codes);
    let kinds = _mm512_shuffle_epi8(table(&BITS), pieces);
    let are = |bits: u8| _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(bits as i8));

    let occupied = are(u8::MAX) & !_mm512_movepi8_mask(lanes);
    // The lowest bit of each ray: one less has all bits up to it turned round. The last lane lends to
    // rays that are empty.
    let on_rays = occupied & !JUMP_LANES;
    let nearest = on_rays & !((on_rays | LAST_LANES) - JUMP_LANES);
    let seen = nearest | occupied & JUMP_LANES;
    let attackers = seen & _mm512_test_epi8_mask(kinds, attackers_of_lanes);
    let victims = seen & are(!KING);
    // Sliders and those behind the square, if both are there.
    let sliders = attackers & are(BISHOP | ROOK | QUEEN);
    let parted = nearest & victims & opposite(sliders);
    let sliders = sliders & opposite(parted);

    let [attacker, victim] = [&ATTACKER_BYTES, &VICTIM_BYTES]
        .map(|bytes| [0, 1].map(|k| _mm512_shuffle_epi8(table(&bytes[k]), pieces)));
    let one = |byte: u8| _mm512_set1_epi8(byte as i8);
    let victim = [_mm512_add_epi8(victim[0], lanes), victim[1]];

    let attacks = [0, 1].map(|k| _mm512_add_epi8(victim[k], one(ATTACKER_BYTES[k][own])));
    choose(near, victims & ATTACKED[own], [attacks[0], attacks[1], one(square)]);
    let here = [VICTIM_BYTES[0][own] + square, VICTIM_BYTES[1][own]];
    let attacked = [0, 1].map(|k| _mm512_add_epi8(attacker[k], one(here[k])));
    let is_victim = u64::from(BITS[own] != KING).wrapping_neg();
    choose(near, attackers & is_victim, [attacked[0], attacked[1], lanes]);

    // Rays turned by half a circle: each victim comes to lie in the ray of its attacker.
    let turned = victim.map(|bytes| {
        let bytes = _mm512_maskz_compress_epi8(
            parted.rotate_left(32),
            _mm512_shuffle_i64x2::<0b0100_1110>(bytes, bytes),
        );
        _mm512_castsi512_si128(bytes)
    });
    let [low, high, from] = [attacker[0], attacker[1], lanes]
        .map(|bytes| _mm512_castsi512_si128(_mm512_maskz_compress_epi8(sliders, bytes)));
    let sums = [_mm_add_epi8(low, turned[0]), _mm_add_epi8(high, turned[1]), from];
    append(across, sums, sliders.count_ones() as usize);
}

/// Sixteen bytes to look up in, four times.
#[inline]
#[target_feature(enable = "avx512f")]
fn table(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: sixteen bytes are loaded.
    _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

/// All lanes of the rays that lie opposite to rays with a piece, of which each has one at most, and no jump.
#[inline]
const fn opposite(lanes: u64) -> u64 {
    // Whatever bit is set, this carries it to the end of its ray.
    let last = (lanes + 0x7F * JUMP_LANES) & LAST_LANES;
    (last | (last - (last >> 7))).rotate_left(32)
}

/// Appends the threats of some lanes, at most sixteen, to a list: the bytes of their numbers, the lowest first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
fn choose(list: &mut List, lanes: u64, bytes: [__m512i; 3]) {
    let bytes = bytes.map(|bytes| _mm512_castsi512_si128(_mm512_maskz_compress_epi8(lanes, bytes)));
    append(list, bytes, lanes.count_ones() as usize);
}

/// Appends the first `count` of sixteen threats to a list.
#[inline]
#[target_feature(enable = "avx512f")]
fn append(list: &mut List, bytes: [__m128i; 3], count: usize) {
    let [low, high, from] = bytes.map(|bytes| _mm512_cvtepu8_epi32(bytes));
    let number = _mm512_or_si512(low, _mm512_slli_epi32::<8>(high));
    let threats = _mm512_or_si512(number, _mm512_slli_epi32::<FROM>(from));
    let room = &mut list.threats[list.len..][..16];
    // SAFETY: there is room for sixteen.
    unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), threats) };
    list.len += count;
}
