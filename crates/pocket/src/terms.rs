//! What the numbers of `weights` mean: the place of each term, and the value of a piece on a
//! square.
//!
//! All terms lie in one array, so that the tuner sees the evaluation as a sum of
//! "count times weight" without knowing chess.

use crate::types::{BISHOP, KNIGHT, PAWN, Piece, QUEEN, ROOK, Square, dense, kind, side_of};
use crate::weights::{SQUARES_ENDGAME, SQUARES_MIDDLEGAME, TERMS, VALUE_ENDGAME, VALUE_MIDDLEGAME};

/// How much of the middlegame each piece type carries; a full set has 12 a side.
pub static PHASE: [u8; 8] = [0, 0, 1, 1, 2, 4, 0, 0];

/// Mobility by number of squares, for knight, bishop, rook and queen: where each begins.
pub static MOBILITY: [u8; 8] = [0, 0, 0, 9, 23, 38, 0, 0];
/// Threats of knight to queen (by fives) against pawn to queen.
pub const THREAT: u8 = 66;
/// A pawn's threat against pawn to queen.
pub const PAWN_THREAT: u8 = 86;
/// The king under attack, by attack units up to [`MAX_UNITS`].
pub const KING_ATTACK: u8 = 91;
/// The highest index of [`KING_ATTACK`].
pub const MAX_UNITS: u8 = 31;
/// The king's cover on a neighbouring file: pawn at home, one step, further, none.
pub const SHELTER: u8 = 123;
/// The same on the king's own file.
pub const SHELTER_OWN: u8 = 127;
/// A passed pawn by row from its side.
pub const PASSED: u8 = 131;
/// Added if it is blocked.
pub const PASSED_BLOCKED: u8 = 139;
/// By the own king's distance to its next square.
pub const PASSED_OWN_KING: u8 = 147;
/// By the enemy king's distance to its next square.
pub const PASSED_ENEMY_KING: u8 = 155;
/// A pawn with a neighbour beside or behind it, by row.
pub const CONNECTED: u8 = 163;
/// A pawn behind another of its own.
pub const DOUBLED: u8 = 171;
/// A pawn without any on the files beside it.
pub const ISOLATED: u8 = 172;
/// A pawn that no other can ever protect and whose next square a pawn guards.
pub const BACKWARD: u8 = 173;
/// Two bishops.
pub const BISHOP_PAIR: u8 = 174;
/// A rook on a file without pawns, or (one further) without own ones.
pub const ROOK_FILE: u8 = 175;
/// Having the move.
pub const TEMPO: u8 = 177;

const _: () = assert!(TERMS.len() == TEMPO as usize + 1);

/// The weight of a king attack by the type of the attacker.
pub static ATTACKER: [u8; 8] = [0, 0, 2, 2, 3, 4, 0, 0];

#[inline(always)]
fn square_index(piece: Piece, square: Square) -> usize {
    let seen = if side_of(piece) == 0 { dense(square) } else { dense(square) ^ 0x38 };
    ((kind(piece).wrapping_sub(PAWN) as u16) << 6 | seen as u16) as usize
}

#[inline(always)]
fn on_square(table: &[i8; 384], piece: Piece, square: Square) -> i16 {
    table.get(square_index(piece, square)).copied().unwrap_or(0) as i16
}

/// Material and piece-square value in the middlegame, positive for White.
#[inline(always)]
pub fn middlegame_value(piece: Piece, square: Square) -> i16 {
    let value =
        VALUE_MIDDLEGAME[kind(piece) as usize] + on_square(&SQUARES_MIDDLEGAME, piece, square);
    if side_of(piece) == 0 { value } else { -value }
}

/// The same in the endgame.
#[inline(always)]
pub fn endgame_value(piece: Piece, square: Square) -> i16 {
    let value = VALUE_ENDGAME[kind(piece) as usize] + on_square(&SQUARES_ENDGAME, piece, square);
    if side_of(piece) == 0 { value } else { -value }
}

/// The place of the threat of a piece (knight to queen) against a victim (pawn to queen).
#[inline(always)]
pub fn threat(attacker: Piece, victim: Piece) -> u8 {
    debug_assert!(matches!(attacker, KNIGHT | BISHOP | ROOK | QUEEN));
    let row = attacker.wrapping_sub(KNIGHT);
    THREAT.wrapping_add(row << 2).wrapping_add(row).wrapping_add(victim.wrapping_sub(PAWN))
}
