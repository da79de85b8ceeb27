//! Is one given move, perhaps from a hash table, legal here?

use super::Board;
use crate::attacks::{king_attacks, line, pawn_attacks, piece_attacks};
use crate::{Move, MoveKind, Piece, Rank, Square, Wing};

impl Board {
    /// Is the move legal? Takes any sixteen bits that [`Move::from_bits`] accepts.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return false };
        if !self.color(us).contains(from) {
            return false;
        }
        match mv.kind() {
            MoveKind::Castling => {
                piece == Piece::King
                    && !self.in_check()
                    && Wing::ALL.into_iter().any(|wing| {
                        self.castling.rook_square(us, wing) == Some(to)
                            && self.castling_rook(us, from, wing).is_some()
                    })
            }
            MoveKind::EnPassant => {
                piece == Piece::Pawn
                    && self.en_passant == Some(to)
                    && pawn_attacks(us, from).contains(to)
                    && self.en_passant_is_safe(from, to)
            }
            MoveKind::Normal => self.is_legal_step(piece, from, to, false),
            MoveKind::Promotion(_) => self.is_legal_step(piece, from, to, true),
        }
    }

    fn is_legal_step(&self, piece: Piece, from: Square, to: Square, promotes: bool) -> bool {
        let us = self.side;
        if self.color(us).contains(to) {
            return false;
        }
        let king = self.king(us);
        if piece == Piece::King {
            let occupied = self.occupied() ^ king.bitboard();
            return !promotes
                && king_attacks(from).contains(to)
                && !self.is_attacked(to, !us, occupied);
        }
        if self.checkers.many()
            || !self.check_mask(king).contains(to)
            || self.pinned.contains(from) && !line(king, from).contains(to)
        {
            return false;
        }
        if piece == Piece::Pawn {
            let reaches_last = to.rank() == Rank::Eighth.relative_to(us);
            return promotes == reaches_last && self.is_pawn_step(from, to);
        }
        !promotes && piece_attacks(piece, from, self.occupied()).contains(to)
    }

    fn is_pawn_step(&self, from: Square, to: Square) -> bool {
        let us = self.side;
        if pawn_attacks(us, from).contains(to) {
            return self.color(!us).contains(to);
        }
        let occupied = self.occupied();
        let one = from.forward(us);
        if occupied.contains(one) {
            return false;
        }
        to == one
            || from.rank() == Rank::Second.relative_to(us)
                && to == one.forward(us)
                && !occupied.contains(to)
    }
}
