//! Who attacks what: check, legality of one move, and the exchange on a square.
//!
//! Attackers are found from the piece lists through the difference tables of `geometry`, which
//! costs a dozen instructions a piece and gets cheaper as pieces leave the board.

use crate::board::Board;
use crate::geometry::{DIRECTION, REACH, REACH_BIT, REACH_LINE};
use crate::types::{
    BISHOP, EMPTY, KING, Move, NO_SQUARE, PAWN, Piece, ROOK, Side, Square, kind, piece,
};

/// What a piece is worth in an exchange, in pawns; the king is beyond price. By type.
static EXCHANGE: [i8; 8] = [0, 1, 3, 3, 5, 9, 50, 0];

impl Board {
    /// Whether a piece on `from` attacks `to` through the pieces between.
    #[inline(always)]
    pub(crate) fn reaches(&self, piece: Piece, from: Square, to: Square) -> bool {
        let vector = to.wrapping_sub(from) as usize;
        if REACH[vector] & REACH_BIT[(piece & 15) as usize] == 0 {
            return false;
        }
        // Sliders are the types from bishop to queen.
        kind(piece).wrapping_sub(BISHOP) > 2 || self.is_clear(from, to)
    }

    /// Whether the squares strictly between two squares of a line are empty.
    pub(crate) fn is_clear(&self, from: Square, to: Square) -> bool {
        let step = DIRECTION[to.wrapping_sub(from) as usize];
        let mut at = from.wrapping_add(step);
        while at != to {
            if self.at(at) != EMPTY {
                return false;
            }
            at = at.wrapping_add(step);
        }
        true
    }

    /// Whether `by` attacks a square.
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        self.is_attacked_without(square, by, NO_SQUARE)
    }

    /// Whether `by` attacks a square with pieces other than the one on `gone`.
    fn is_attacked_without(&self, square: Square, by: Side, gone: Square) -> bool {
        for i in 0..self.count(by) {
            let from = self.listed(by, i);
            if self.reaches(self.at(from), from, square) && from != gone {
                return true;
            }
        }
        false
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side()), self.side() ^ 1)
    }

    /// [`Board::in_check`] where `m` was the last move: only the piece that moved and those it
    /// uncovered can give check.
    pub fn in_check_after(&self, m: Move) -> bool {
        if m.is_castle() || m.is_en_passant() {
            return self.in_check();
        }
        let (side, king) = (self.side(), self.king(self.side()));
        if self.reaches(self.at(m.to()), m.to(), king) {
            return true;
        }
        let step = DIRECTION[m.from().wrapping_sub(king) as usize];
        if step == 0 {
            return false;
        }
        let mut at = king.wrapping_add(step);
        while self.at(at) == EMPTY {
            at = at.wrapping_add(step);
        }
        let slider = kind(self.at(at)).wrapping_sub(BISHOP) <= 2;
        let bit = REACH_BIT[(self.at(at) & 15) as usize];
        slider && self.is_of(at, side ^ 1) && REACH[king.wrapping_sub(at) as usize] & bit != 0
    }

    /// Whether a pseudo-legal move leaves its own king safe. `checked` is [`Board::in_check`],
    /// which every caller knows already.
    pub fn is_legal(&mut self, m: Move, checked: bool) -> bool {
        let side = self.side();
        let (from, to) = (m.from(), m.to());
        let king = self.king(side);
        if from == king {
            if m.is_castle() && self.is_attacked((from + to) >> 1, side ^ 1) {
                return false;
            }
            // The king must not hide behind himself from a slider.
            let me = self.pretend(from, EMPTY);
            let safe = !self.is_attacked_without(to, side ^ 1, to);
            self.pretend(from, me);
            return safe;
        }
        // Away from every line through the king nothing can be uncovered.
        let lined = REACH[from.wrapping_sub(king) as usize] & REACH_LINE != 0;
        if !checked && !lined && !m.is_en_passant() {
            return true;
        }
        let victim = m.victim_square();
        let taken = self.pretend(victim, EMPTY);
        let me = self.pretend(from, EMPTY);
        let under = self.pretend(to, me);
        let safe = !self.is_attacked_without(king, side ^ 1, victim);
        self.pretend(to, under);
        self.pretend(from, me);
        self.pretend(victim, taken);
        safe
    }

    /// Whether the pawn on `from` may take in passing onto `to`.
    pub(crate) fn is_legal_en_passant(&mut self, from: Square, to: Square) -> bool {
        use crate::types::flag::{CAPTURE, EN_PASSANT};
        self.is_legal(Move::new(from, to, CAPTURE | EN_PASSANT), true)
    }

    /// The least valuable piece of `side` that attacks a square, or [`NO_SQUARE`]. Pieces that
    /// are listed but lifted from the board array do not count.
    fn least_attacker(&self, square: Square, side: Side) -> Square {
        let (mut best, mut best_kind) = (NO_SQUARE, KING + 1);
        for i in 0..self.count(side) {
            let from = self.listed(side, i);
            let p = self.at(from);
            if p != EMPTY && kind(p) < best_kind && from != square && self.reaches(p, from, square)
            {
                (best, best_kind) = (from, kind(p));
                if best_kind == PAWN {
                    break;
                }
            }
        }
        best
    }

    /// Whether a capture or move at least keeps the material balance when both sides then
    /// exchange on the destination with their least pieces first.
    pub fn keeps_material(&mut self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let mover = kind(self.at(from));
        if m.is_promotion() || m.is_en_passant() || m.is_castle() {
            return true;
        }
        let balance = EXCHANGE[kind(self.at(to)) as usize] - EXCHANGE[mover as usize];
        // Even if the mover is lost the victim paid for it.
        if balance >= 0 {
            return true;
        }
        let me = self.pretend(from, EMPTY);
        let at = self.least_attacker(to, self.side() ^ 1);
        let keeps = at == NO_SQUARE || self.survives(to, at, balance);
        self.pretend(from, me);
        keeps
    }

    /// Whether the exchange on `to` ends well for the side to move, whose piece came there and
    /// can be taken from `at`. `balance` is what it nets if that ends the exchange.
    fn survives(&mut self, to: Square, at: Square, balance: i8) -> bool {
        let taker = kind(self.at(at));
        // A king cannot take what is still protected.
        if taker == KING && self.least_attacker(to, self.side()) != NO_SQUARE {
            return true;
        }
        // Losing the taker too would still leave its owner ahead.
        let balance = -1 - balance - EXCHANGE[taker as usize];
        balance < 0 && self.wins_exchange(to, at, balance)
    }

    /// The rest of a long exchange, after the opponent took from `at` and nets `balance`.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    fn wins_exchange(&mut self, to: Square, at: Square, mut balance: i8) -> bool {
        // Each capture lifts a piece, so that the sliders behind it count; all go back at the end.
        let mut lifted = [(0u8, EMPTY); 32];
        let mut count = 1usize;
        lifted[0] = (at, self.pretend(at, EMPTY));
        let mut side = self.side();
        let mut winning = false;
        loop {
            let at = self.least_attacker(to, side);
            if at == NO_SQUARE {
                break;
            }
            let p = self.at(at);
            if kind(p) == KING && self.least_attacker(to, side ^ 1) != NO_SQUARE {
                break;
            }
            if let Some(slot) = lifted.get_mut(count) {
                *slot = (at, p);
            }
            self.pretend(at, EMPTY);
            count += 1;
            balance = -1 - balance - EXCHANGE[kind(p) as usize];
            side ^= 1;
            winning = !winning;
            // The other side gives up.
            if balance >= 0 || count >= 32 {
                break;
            }
        }
        for &(square, p) in lifted.iter().take(count) {
            self.pretend(square, p);
        }
        winning
    }

    /// Whether a move from elsewhere (the table, another ply) is legal in this position.
    pub fn is_legal_here(&mut self, m: Move, checked: bool) -> bool {
        self.is_pseudo_legal(m) && self.is_legal(m, checked)
    }

    /// Whether a move is one the generator could have made here: for moves that come from
    /// the table or from killers and may belong to another position.
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        use crate::geometry::forward;
        let side = self.side();
        let (from, to) = (m.from(), m.to());
        let p = self.at(from);
        if m == Move::NONE || !self.is_of(from, side) {
            return false;
        }
        let takes = self.is_of(to, side ^ 1);
        if m.is_castle() {
            return kind(p) == KING && self.may_castle(from, to);
        }
        if kind(p) == PAWN {
            let last_row = if side == 0 { 0x00 } else { 0x70 };
            if m.is_en_passant() {
                return m.is_capture() && to == self.en_passant() && self.reaches(p, from, to);
            }
            if m.is_promotion() != (to & 0x70 == last_row) {
                return false;
            }
            if m.is_capture() {
                return takes && self.reaches(p, from, to) && !m.is_double();
            }
            let one = from.wrapping_add(forward(side));
            let home_row = if side == 0 { 0x60 } else { 0x10 };
            return self.at(to) == EMPTY
                && if m.is_double() {
                    from & 0x70 == home_row
                        && self.at(one) == EMPTY
                        && to == one.wrapping_add(forward(side))
                } else {
                    to == one
                };
        }
        let plain = !m.is_promotion() && !m.is_double() && !m.is_en_passant();
        plain
            && m.is_capture() == takes
            && (takes || self.at(to) == EMPTY)
            && self.reaches(p, from, to)
    }

    /// Whether the pieces stand so that the king may castle from `from` to `to`, with the right
    /// still there and the king not in check; the squares he crosses are tested by `is_legal`.
    pub(crate) fn may_castle(&self, from: Square, to: Square) -> bool {
        let side = self.side();
        let home = if side == 0 { 0x74 } else { 0x04 };
        let short = to == home + 2;
        let right = if short { 1 } else { 2 } << (side << 1);
        if from != home || (to != home - 2 && !short) || self.castling() & right == 0 {
            return false;
        }
        let (rook, _) = Move::rook_squares(to);
        self.at(rook) == piece(ROOK, side)
            && self.is_clear(from, rook)
            && !self.is_attacked(from, side ^ 1)
    }
}
