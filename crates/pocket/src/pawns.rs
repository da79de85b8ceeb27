//! What the pawns alone are worth, remembered: most positions of a search share their pawns with
//! many others.

use crate::board::Board;
use crate::eval::{Sum, Trace};
use crate::terms::{BACKWARD, CONNECTED, DOUBLED, ISOLATED, PASSED};
use crate::types::{BLACK, PAWN, Side, Square, WHITE, kind};

/// What is known of one arrangement of pawns.
#[derive(Clone, Copy)]
struct Structure {
    key: u32,
    middlegame: i16,
    endgame: i16,
    /// The files with a passed pawn, one bit each, for each side.
    passed: [u8; 2],
}

/// How many arrangements are remembered.
const SLOTS: usize = 64;

/// The last arrangements. Its memory may start as zeros: that is right for a board without pawns.
pub(crate) struct PawnTable([Structure; SLOTS]);

impl PawnTable {
    pub(crate) const EMPTY: PawnTable =
        PawnTable([Structure { key: 0, middlegame: 0, endgame: 0, passed: [0; 2] }; SLOTS]);

    /// Sets `sum` to the terms of the pawns; returns the files of the passed ones.
    pub(crate) fn structure(&mut self, board: &Board, sum: &mut Sum<()>) -> [u8; 2] {
        let key = board.pawn_key();
        let slot = &mut self.0[key as usize & (SLOTS - 1)];
        if slot.key != key {
            sum.middlegame = 0;
            sum.endgame = 0;
            let passed = sum.structure(board);
            *slot = Structure { key, middlegame: sum.middlegame, endgame: sum.endgame, passed };
        }
        sum.middlegame = slot.middlegame;
        sum.endgame = slot.endgame;
        slot.passed
    }
}

/// The two files beside one, together.
#[inline(always)]
fn beside(board: &Board, side: Side, number: u8) -> u8 {
    board.pawn_file(side, number.wrapping_sub(1)) | board.pawn_file(side, number + 1)
}

/// The rows in front of a row, as a side sees it.
#[inline(always)]
fn ahead(side: Side, row: u8) -> u8 {
    if side == WHITE { ((1u16 << row) - 1) as u8 } else { !(((2u16 << row) - 1) as u8) }
}

impl<T: Trace> Sum<T> {
    /// Adds the terms of all pawns that depend on pawns alone; returns the files of the passed
    /// ones of each side.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    pub(crate) fn structure(&mut self, board: &Board) -> [u8; 2] {
        let mut passed = [0; 2];
        // Not a range with both ends: its iterator is slow and long where code must be small.
        for side in WHITE..BLACK + 1 {
            for i in 1..board.count(side) {
                let square = board.listed(side, i);
                if kind(board.at(square)) == PAWN && self.pawn(board, side, square) {
                    passed[(side & 1) as usize] |= 1 << (square & 7);
                }
            }
            // Twice round, so White sees the sums again at the end.
            self.turn();
        }
        passed
    }

    /// Adds a pawn's terms; returns whether it is passed.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    fn pawn(&mut self, board: &Board, side: Side, square: Square) -> bool {
        let (file, row) = ((square & 7) + 1, square >> 4);
        let rank = if side == WHITE { 7 - row } else { row };
        let front = ahead(side, row);
        let doubled = board.pawn_file(side, file) & front != 0;
        if doubled {
            self.add(side, DOUBLED);
        }
        let neighbours = beside(board, side, file);
        let opponents = beside(board, side ^ 1, file);
        let row_bit = 1u8 << row;
        let row_behind = if side == WHITE { row_bit << 1 } else { row_bit >> 1 };
        if neighbours & (row_bit | row_behind) != 0 {
            self.add(side, CONNECTED + rank);
        } else if neighbours == 0 {
            self.add(side, ISOLATED);
        } else if neighbours & !front == 0 {
            // Nobody behind can come to help; weak if the next square is guarded by a pawn.
            let two = if side == WHITE { row_bit >> 2 } else { row_bit << 2 };
            if opponents & two != 0 {
                self.add(side, BACKWARD);
            }
        }
        let passed = !doubled && (board.pawn_file(side ^ 1, file) | opponents) & front == 0;
        if passed {
            self.add(side, PASSED + rank);
        }
        passed
    }
}
