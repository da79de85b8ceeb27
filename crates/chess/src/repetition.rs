//! Has this position been here before, and can the next move bring one back?
//!
//! Both questions are asked of a slice of keys: every position of the game and of the search path,
//! oldest first, the current one not included.

use crate::attacks::between;
use crate::board::zobrist;
use crate::{Board, Square};

/// Is the current position a draw by repetition?
///
/// `keys[..root]` are positions of the game before the search's root, `keys[root..]` those of the
/// search path (the root first). Once on the path is enough, since what was possible once is
/// possible again; positions of the game count only when they were there twice.
pub fn is_repetition(keys: &[u64], root: usize, board: &Board) -> bool {
    let reversible = (board.halfmove_clock() as usize).min(keys.len());
    let mut seen = false;
    // The position two half-moves back cannot be the same one.
    let mut back = 4;
    while back <= reversible {
        let index = keys.len() - back;
        if keys[index] == board.key() {
            if index >= root || seen {
                return true;
            }
            seen = true;
        }
        back += 2;
    }
    false
}

/// How often the current position occurred before, since the last irreversible move.
pub fn occurrences(keys: &[u64], board: &Board) -> usize {
    let reversible = (board.halfmove_clock() as usize).min(keys.len());
    keys[keys.len() - reversible..].iter().filter(|&&key| key == board.key()).count()
}

/// Can the side to move bring back an earlier position with one reversible move?
///
/// The key of such a position differs from ours by exactly one move, and all moves' differences
/// are in a cuckoo table. A position before the root counts only if it was there twice.
pub fn can_repeat(keys: &[u64], root: usize, board: &Board) -> bool {
    let reversible = (board.halfmove_clock() as usize).min(keys.len());
    if reversible < 3 {
        return false;
    }
    // The opponent's moves must have undone each other; nearly always they have not, and the
    // cuckoo table need not be asked.
    let newest = keys.len() - 1;
    let mut theirs = board.key() ^ keys[newest] ^ zobrist::BLACK_TO_MOVE;
    let mut back = 3;
    while back <= reversible {
        let index = keys.len() - back;
        theirs ^= keys[index + 1] ^ keys[index] ^ zobrist::BLACK_TO_MOVE;
        if theirs == 0
            && let Some((a, b)) = find(keys[index] ^ board.key())
            && (between(a, b) & board.occupied()).is_empty()
        {
            let ours = board.color(board.side_to_move());
            let movable = ours.contains(a) || ours.contains(b);
            let earlier_twin = || keys[..index].iter().rev().any(|&key| key == keys[index]);
            if movable && (index >= root || earlier_twin()) {
                return true;
            }
        }
        back += 2;
    }
    false
}

const SIZE: usize = 8192;

struct Cuckoo {
    keys: [u64; SIZE],
    /// The two squares, `from | to << 6`.
    squares: [u16; SIZE],
}

const fn first_slot(key: u64) -> usize {
    (key & (SIZE as u64 - 1)) as usize
}

const fn second_slot(key: u64) -> usize {
    ((key >> 16) & (SIZE as u64 - 1)) as usize
}

/// Where a piece other than a pawn goes on an empty board: enough to know which moves exist.
const fn reaches(piece: usize, from: usize, to: usize) -> bool {
    let files = (from & 7).abs_diff(to & 7);
    let ranks = (from >> 3).abs_diff(to >> 3);
    match piece {
        1 => files * ranks == 2,
        2 => files == ranks,
        3 => files == 0 || ranks == 0,
        4 => files == ranks || files == 0 || ranks == 0,
        _ => files <= 1 && ranks <= 1,
    }
}

const fn build() -> Cuckoo {
    let mut table = Cuckoo { keys: [0; SIZE], squares: [0; SIZE] };
    let mut count = 0;
    let mut color = 0;
    while color < 2 {
        let mut piece = 1;
        while piece < 6 {
            let mut from = 0;
            while from < 64 {
                let mut to = from + 1;
                while to < 64 {
                    if reaches(piece, from, to) {
                        let key = zobrist::piece_const(color, piece, from)
                            ^ zobrist::piece_const(color, piece, to)
                            ^ zobrist::BLACK_TO_MOVE;
                        insert(&mut table, key, (from | to << 6) as u16);
                        count += 1;
                    }
                    to += 1;
                }
                from += 1;
            }
            piece += 1;
        }
        color += 1;
    }
    assert!(count == 3668, "the number of reversible moves of chess");
    table
}

/// Puts a key into one of its two slots, moving on whoever was there.
const fn insert(table: &mut Cuckoo, mut key: u64, mut squares: u16) {
    let mut slot = first_slot(key);
    loop {
        (table.keys[slot], key) = (key, table.keys[slot]);
        (table.squares[slot], squares) = (squares, table.squares[slot]);
        if key == 0 {
            return;
        }
        slot = if slot == first_slot(key) { second_slot(key) } else { first_slot(key) };
    }
}

static CUCKOO: Cuckoo = build();

fn find(difference: u64) -> Option<(Square, Square)> {
    let slots = [first_slot(difference), second_slot(difference)];
    let slot = slots.into_iter().find(|&slot| CUCKOO.keys[slot] == difference)?;
    let squares = CUCKOO.squares[slot] as usize;
    Some((Square::from_index(squares), Square::from_index(squares >> 6)))
}

#[cfg(test)]
mod tests;
