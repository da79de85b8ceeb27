//! Pseudo-legal moves: all, captures, quiet ones, or those of one square.
//!
//! Captures include every promotion, so that the quiet moves are those that change no material.
//! The generator writes into the [`Pool`], which drops what does not fit. Loops run over numbers and
//! tables, not over arrays by value, whose iterators are slow where code must be small.

use crate::board::Board;
use crate::geometry::{LEAPS, STEPS, forward};
use crate::pool::Pool;
use crate::types::{
    BISHOP, EMPTY, KING, KNIGHT, Move, PAWN, QUEEN, ROOK, Side, Square, WHITE, flag, kind,
};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Wanted {
    /// Captures and promotions.
    Captures = 1,
    /// Everything else.
    Quiets = 2,
    /// Both.
    All = 3,
}

impl Wanted {
    #[inline(always)]
    fn captures(self) -> bool {
        self as u8 & 1 != 0
    }

    #[inline(always)]
    fn quiets(self) -> bool {
        self as u8 & 2 != 0
    }
}

impl Board {
    /// Appends the pseudo-legal moves of the side to move.
    pub fn generate(&self, wanted: Wanted, pool: &mut Pool) {
        for i in 0..self.count(self.side()) {
            self.generate_from(self.listed(self.side(), i), wanted, pool);
        }
    }

    /// Appends the pseudo-legal moves of the piece on one square, which must be the mover's.
    pub fn generate_from(&self, from: Square, wanted: Wanted, pool: &mut Pool) {
        match kind(self.at(from)) {
            PAWN => self.pawn_moves(from, wanted, pool),
            KNIGHT => self.leaps(from, &LEAPS, wanted, pool),
            KING => {
                self.leaps(from, &STEPS, wanted, pool);
                if wanted.quiets() {
                    self.castling_moves(from, pool);
                }
            }
            BISHOP => self.slides(from, 4, 8, wanted, pool),
            ROOK => self.slides(from, 0, 4, wanted, pool),
            QUEEN => self.slides(from, 0, 8, wanted, pool),
            _ => {}
        }
    }

    fn leaps(&self, from: Square, steps: &[u8; 8], wanted: Wanted, pool: &mut Pool) {
        let enemy = self.side() ^ 1;
        for &step in steps {
            let to = from.wrapping_add(step);
            if self.at(to) == EMPTY {
                if wanted.quiets() {
                    pool.push(Move::new(from, to, 0));
                }
            } else if wanted.captures() && self.is_of(to, enemy) {
                pool.push(Move::new(from, to, flag::CAPTURE));
            }
        }
    }

    fn slides(&self, from: Square, first: u8, end: u8, wanted: Wanted, pool: &mut Pool) {
        let enemy = self.side() ^ 1;
        for i in first..end {
            let step = STEPS[(i & 7) as usize];
            let mut to = from.wrapping_add(step);
            while self.at(to) == EMPTY {
                if wanted.quiets() {
                    pool.push(Move::new(from, to, 0));
                }
                to = to.wrapping_add(step);
            }
            if wanted.captures() && self.is_of(to, enemy) {
                pool.push(Move::new(from, to, flag::CAPTURE));
            }
        }
    }

    fn castling_moves(&self, from: Square, pool: &mut Pool) {
        if self.castling() & own_rights(self.side()) == 0 {
            return;
        }
        self.castling_move(from, from.wrapping_add(2), pool);
        self.castling_move(from, from.wrapping_sub(2), pool);
    }

    fn castling_move(&self, from: Square, to: Square, pool: &mut Pool) {
        if self.may_castle(from, to) {
            pool.push(Move::new(from, to, flag::CASTLE));
        }
    }

    fn pawn_moves(&self, from: Square, wanted: Wanted, pool: &mut Pool) {
        let side = self.side();
        let step = forward(side);
        let (last_row, home_row) = if side == WHITE { (0x00, 0x60) } else { (0x70, 0x10) };
        let one = from.wrapping_add(step);
        let promotes = one & 0x70 == last_row;
        if self.at(one) == EMPTY {
            if promotes {
                if wanted.captures() {
                    push_promotions(from, one, 0, pool);
                }
            } else if wanted.quiets() {
                pool.push(Move::new(from, one, 0));
                let two = one.wrapping_add(step);
                if from & 0x70 == home_row && self.at(two) == EMPTY {
                    pool.push(Move::new(from, two, flag::DOUBLE));
                }
            }
        }
        if !wanted.captures() {
            return;
        }
        self.pawn_capture(from, one.wrapping_sub(1), promotes, pool);
        self.pawn_capture(from, one.wrapping_add(1), promotes, pool);
    }

    fn pawn_capture(&self, from: Square, to: Square, promotes: bool, pool: &mut Pool) {
        if self.is_of(to, self.side() ^ 1) {
            if promotes {
                push_promotions(from, to, flag::CAPTURE, pool);
            } else {
                pool.push(Move::new(from, to, flag::CAPTURE));
            }
        } else if to == self.en_passant() {
            pool.push(Move::new(from, to, flag::CAPTURE | flag::EN_PASSANT));
        }
    }
}

/// The castling bits of a side.
#[inline(always)]
fn own_rights(side: Side) -> u8 {
    3 << (side << 1)
}

fn push_promotions(from: Square, to: Square, capture: u16, pool: &mut Pool) {
    for kind in KNIGHT..QUEEN + 1 {
        pool.push(Move::new(from, to, Move::promotion_flags(kind) | capture));
    }
}
