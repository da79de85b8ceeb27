//! King and pawn against king, solved: one bit for each position with the pawn's side to move,
//! set if it wins. 12 KB of flash.
//!
//! Half of the usual table is enough, because the other half is one move away: with the lone
//! king to move, he holds if he can take the pawn or reach a position whose bit is clear.
//! [`solve`] makes the table; a test compares it with the one that is built in.

use crate::board::Board;
use crate::geometry::{STEPS, distance, forward};
use crate::types::{BLACK, PAWN, Side, Square, WHITE, dense, kind, on_board};

/// Bytes of the table: 24 pawn squares, 64 squares for each king.
pub const BYTES: usize = 24 * 64 * (64 / 8);

#[cfg(feature = "kpk")]
static TABLE: [u8; BYTES] = *include_bytes!("../data/kpk.bin");

/// Turns a position so that the pawn is White's and on the files a to d: pawn, own king, lone
/// king.
fn turned(side: Side, pawn: Square, own: Square, lone: Square) -> (Square, Square, Square) {
    let flip = if side == WHITE { 0 } else { 0x70 };
    let mirror = if pawn & 7 > 3 { 7 } else { 0 };
    let turn = |square: Square| square ^ flip ^ mirror;
    (turn(pawn), turn(own), turn(lone))
}

/// The bit's number for a turned position: rows 1 to 6 and files a to d of the pawn.
fn index(pawn: Square, own: Square, lone: Square) -> (usize, u8) {
    let pawn = ((pawn >> 4) - 1) << 2 | (pawn & 3);
    let number = (pawn as u16) << 9 | (dense(own) as u16) << 3 | (dense(lone) >> 3) as u16;
    (number as usize, 1 << (dense(lone) & 7))
}

fn bit(table: &[u8], pawn: Square, own: Square, lone: Square) -> bool {
    let (byte, mask) = index(pawn, own, lone);
    table.get(byte).is_some_and(|b| b & mask != 0)
}

/// Whether the lone king, to move, cannot save himself. The position is turned.
fn lone_king_loses(table: &[u8], pawn: Square, own: Square, lone: Square) -> bool {
    let guarded = |square: Square| {
        let attack = pawn.wrapping_add(forward(WHITE));
        distance(square, own) <= 1
            || square == attack.wrapping_sub(1)
            || square == attack.wrapping_add(1)
    };
    let mut moves = 0;
    for step in STEPS {
        let to = lone.wrapping_add(step);
        if !on_board(to) || to == own || guarded(to) {
            continue;
        }
        if to == pawn {
            return false;
        }
        moves += 1;
        if !bit(table, pawn, own, to) {
            return false;
        }
    }
    // No move at all is mate only if the pawn gives check (it cannot be the king).
    moves > 0 || guarded(lone)
}

/// Whether the pawn's side, to move, wins at once or reaches a position it wins.
fn pawn_side_wins(table: &[u8], pawn: Square, own: Square, lone: Square) -> bool {
    let next = pawn.wrapping_add(forward(WHITE));
    if next != own && next != lone {
        // A queen that is not lost at once wins; where she would stalemate, a rook does not.
        let safe = distance(lone, next) > 1 || distance(own, next) <= 1;
        let promotes = next & 0x70 == 0;
        if if promotes { safe } else { lone_king_loses(table, next, own, lone) } {
            return true;
        }
        let two = next.wrapping_add(forward(WHITE));
        if pawn & 0x70 == 0x60
            && two != own
            && two != lone
            && lone_king_loses(table, two, own, lone)
        {
            return true;
        }
    }
    STEPS.into_iter().any(|step| {
        let to = own.wrapping_add(step);
        on_board(to)
            && to != pawn
            && distance(to, lone) > 1
            && lone_king_loses(table, pawn, to, lone)
    })
}

/// Fills a table of [`BYTES`] zeros by looking again and again until nothing changes.
pub fn solve(table: &mut [u8]) {
    loop {
        let mut changed = false;
        for number in 0..24 * 64 * 64u32 {
            let pawn = (number >> 12) as u8;
            let pawn = ((pawn >> 2) + 1) << 4 | (pawn & 3);
            let spread = |square: u8| (square & 0x38) << 1 | square & 7;
            let (own, lone) = (spread((number >> 6) as u8 & 63), spread(number as u8 & 63));
            let impossible = own == pawn || lone == pawn || distance(own, lone) <= 1;
            // With the pawn's side to move the lone king cannot stand in check.
            let attack = pawn.wrapping_add(forward(WHITE));
            let checked = lone == attack.wrapping_sub(1) || lone == attack.wrapping_add(1);
            if impossible || checked || bit(table, pawn, own, lone) {
                continue;
            }
            if pawn_side_wins(table, pawn, own, lone) {
                let (byte, mask) = index(pawn, own, lone);
                if let Some(b) = table.get_mut(byte) {
                    *b |= mask;
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Whether a position of king and pawn against king is won, from any table that [`solve`] made.
/// `None` if the position is another ending.
pub fn is_won(table: &[u8], board: &Board) -> Option<bool> {
    let strong = match (board.count(WHITE), board.count(BLACK)) {
        (2, 1) => WHITE,
        (1, 2) => BLACK,
        _ => return None,
    };
    let pawn = board.listed(strong, 1);
    if kind(board.at(pawn)) != PAWN {
        return None;
    }
    let (pawn, own, lone) = turned(strong, pawn, board.king(strong), board.king(strong ^ 1));
    Some(if board.side() == strong {
        bit(table, pawn, own, lone)
    } else {
        lone_king_loses(table, pawn, own, lone)
    })
}

/// [`is_won`] from the table that is built in; nothing if it is left out.
pub(crate) fn probe(board: &Board) -> Option<bool> {
    #[cfg(feature = "kpk")]
    return is_won(&TABLE, board);
    #[cfg(not(feature = "kpk"))]
    {
        let _ = board;
        None
    }
}
