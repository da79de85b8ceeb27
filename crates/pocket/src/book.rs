//! A book of openings in flash: about 20 KB for some five thousand moves.
//!
//! | bytes | meaning |
//! |---|---|
//! | 512 | for each value of the key's highest byte, where its entries begin (16 bits each) |
//! | 4 each | the position's lock (16 bits), a move (16 bits, see [`Move`]); best move first |
//!
//! All numbers are little-endian. 24 bits of hash may meet another position by chance, so a move
//! is only ever played if it is legal. `brier-lab pocket-book` makes the file.

use crate::board::Board;
use crate::level::next_random;
use crate::types::Move;

/// Bytes of the index at the start.
pub const INDEX: usize = 512;

#[cfg(feature = "book")]
static BOOK: &[u8] = include_bytes!("../data/book.bin");

fn half(book: &[u8], at: usize) -> u16 {
    match book.get(at..at + 2) {
        Some(&[low, high]) => low as u16 | (high as u16) << 8,
        _ => 0,
    }
}

/// A legal book move for the position, if the book has one. The first of its moves is taken with
/// a chance of one half, the second of one quarter, and so on.
pub fn find(book: &[u8], board: &mut Board, random: &mut u32) -> Option<Move> {
    let bucket = (board.key() >> 24) as usize;
    let total = (book.len().saturating_sub(INDEX) / 4) as u16;
    let first = half(book, bucket * 2);
    let end = if bucket == 255 { total } else { half(book, bucket * 2 + 2) };
    let checked = board.in_check();
    let mut chosen = None;
    let mut i = first;
    while i < end.min(total) {
        let at = INDEX + i as usize * 4;
        let m = Move(half(book, at + 2));
        if half(book, at) == board.lock() && board.is_pseudo_legal(m) && board.is_legal(m, checked)
        {
            chosen = Some(m);
            if next_random(random) & 1 == 0 {
                break;
            }
        }
        i += 1;
    }
    chosen
}

/// A move from the book that is built in; nothing if it is left out.
pub(crate) fn probe(board: &mut Board, random: &mut u32) -> Option<Move> {
    #[cfg(feature = "book")]
    return find(BOOK, board, random);
    #[cfg(not(feature = "book"))]
    {
        let _ = (board, random);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    extern crate std;
    use std::vec::Vec;

    /// A book with the given moves for the start.
    fn book(moves: &[u16]) -> Vec<u8> {
        let mut board = Board::ZERO;
        board.set(&Setup::START).unwrap();
        let mut bytes = Vec::new();
        for bucket in 0..256u32 {
            let after = bucket > board.key() >> 24;
            let start = if after { moves.len() as u16 } else { 0 };
            bytes.extend(start.to_le_bytes());
        }
        for m in moves {
            bytes.extend(board.lock().to_le_bytes());
            bytes.extend(m.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn legal_moves_are_found_and_others_passed_over() {
        let mut board = Board::ZERO;
        board.set(&Setup::START).unwrap();
        let knight = Move::new(0x76, 0x55, 0);
        let illegal = Move::new(0x74, 0x44, 0);
        let mut random = 1;
        let book = book(&[illegal.0, knight.0]);
        assert_eq!(find(&book, &mut board, &mut random), Some(knight));
        assert_eq!(find(&book[..INDEX], &mut board, &mut random), None);
        assert_eq!(find(&[], &mut board, &mut random), None);
    }
}
