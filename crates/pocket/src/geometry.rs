//! What the shape of the board gives for free: directions, and for each difference of two
//! squares which pieces could attack along it and in which direction a slider would walk.
//!
//! The difference of two 0x88 squares, taken modulo 256, is unique for each vector, so both
//! tables are indexed by one byte and need no bounds check. They are built by the compiler.

use crate::types::{BISHOP, BLACK_BIT, KING, KNIGHT, PAWN, Piece, QUEEN, ROOK};

/// Steps of king and queen; the first four are the rook's, the last four the bishop's.
pub const STEPS: [u8; 8] = [0xF0, 0xFF, 0x01, 0x10, 0xEF, 0xF1, 0x0F, 0x11];
/// The knight's leaps.
pub const LEAPS: [u8; 8] = [0xDF, 0xE1, 0xEE, 0xF2, 0x0E, 0x12, 0x1F, 0x21];

/// The bit that stands for a piece in [`REACH`]; pawns differ by side. Indexed by piece.
pub static REACH_BIT: [u8; 16] = {
    let mut bits = [0; 16];
    bits[PAWN as usize] = 1;
    bits[(PAWN | BLACK_BIT) as usize] = 2;
    let mut kind = KNIGHT;
    while kind <= KING {
        bits[kind as usize] = 1 << kind;
        bits[(kind | BLACK_BIT) as usize] = 1 << kind;
        kind += 1;
    }
    bits
};

/// The queen's bit in [`REACH`]: the two squares share a line.
pub const REACH_LINE: u8 = 1 << QUEEN;

/// Which pieces on `from` could attack `to` on an empty board, indexed by `to - from`.
pub static REACH: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 8 {
        table[LEAPS[i] as usize] |= 1 << KNIGHT;
        table[STEPS[i] as usize] |= 1 << KING;
        let slider: Piece = if i < 4 { ROOK } else { BISHOP };
        let mut at = STEPS[i];
        let mut n = 0;
        while n < 7 {
            table[at as usize] |= 1 << slider | 1 << QUEEN;
            at = at.wrapping_add(STEPS[i]);
            n += 1;
        }
        i += 1;
    }
    // White pawns attack towards row 0, Black's towards row 7.
    table[0xEF] |= 1;
    table[0xF1] |= 1;
    table[0x0F] |= 2;
    table[0x11] |= 2;
    table
};

/// The step that leads from `from` to `to` along a line, indexed by `to - from`; 0 if none.
pub static DIRECTION: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 8 {
        let mut at = STEPS[i];
        let mut n = 0;
        while n < 7 {
            table[at as usize] = STEPS[i];
            at = at.wrapping_add(STEPS[i]);
            n += 1;
        }
        i += 1;
    }
    table
};

/// Which of the rays of [`STEPS`] from `from` pass a square beside a king on an empty board, one
/// bit each, indexed by `from - king`.
pub static RAYS_BESIDE: [u8; 256] = {
    let mut table = [0; 256];
    let (mut row, mut column) = (-7i8, -7i8);
    while row <= 7 {
        let mut ray = 0;
        while ray < 8 {
            // A step as rows and columns: the low half of its byte is -1, 0 or 1.
            let columns = (STEPS[ray] << 4) as i8 >> 4;
            let rows = STEPS[ray].wrapping_sub(columns as u8) as i8 >> 4;
            let mut n = 1;
            while n <= 7 {
                let (r, c) = (row + n * rows, column + n * columns);
                if r >= -1 && r <= 1 && c >= -1 && c <= 1 && (r != 0 || c != 0) {
                    table[(row as u8 as usize * 16 + column as u8 as usize) & 0xFF] |= 1 << ray;
                }
                n += 1;
            }
            ray += 1;
        }
        column += 1;
        if column > 7 {
            column = -7;
            row += 1;
        }
    }
    table
};

/// A pawn's step forward.
#[inline(always)]
pub const fn forward(side: u8) -> u8 {
    if side == 0 { 0xF0 } else { 0x10 }
}

/// The number of king moves between two squares on an empty board.
#[cfg_attr(target_arch = "msp430", inline(never))]
#[cfg_attr(not(target_arch = "msp430"), inline(always))]
pub const fn distance(a: u8, b: u8) -> u8 {
    let rows = (a >> 4).abs_diff(b >> 4);
    let columns = (a & 7).abs_diff(b & 7);
    if rows > columns { rows } else { columns }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::on_board;

    #[test]
    fn rays_beside_a_king_are_those_that_meet_his_neighbours() {
        for from in (0..128u8).filter(|&s| on_board(s)) {
            for king in (0..128u8).filter(|&s| on_board(s) && s != from) {
                for (ray, &step) in STEPS.iter().enumerate() {
                    let mut at = from.wrapping_add(step);
                    let mut meets = false;
                    while on_board(at) {
                        meets |= at != king && distance(at, king) == 1;
                        at = at.wrapping_add(step);
                    }
                    let said = RAYS_BESIDE[from.wrapping_sub(king) as usize] >> ray & 1 != 0;
                    // The table knows no edges: it may name a ray that leaves the board first.
                    assert!(said || !meets, "{from:02x} {king:02x} {ray}");
                }
            }
        }
    }

    #[test]
    fn a_direction_leads_to_its_square() {
        for from in (0..128u8).filter(|&s| on_board(s)) {
            for to in (0..128u8).filter(|&s| on_board(s) && s != from) {
                let step = DIRECTION[to.wrapping_sub(from) as usize];
                let rows = (to >> 4) as i8 - (from >> 4) as i8;
                let columns = (to & 7) as i8 - (from & 7) as i8;
                let lined = rows == 0 || columns == 0 || rows.abs() == columns.abs();
                assert_eq!(step != 0, lined, "{from:02x} {to:02x}");
                if lined {
                    let walked = step.wrapping_mul(distance(from, to));
                    assert_eq!(from.wrapping_add(walked), to);
                }
            }
        }
    }
}
