//! Making a move.

use super::{Board, zobrist};
use crate::{Color, MoveKind, MoveObserver, Piece, Rank, Square, Wing};
use crate::{Move, attacks::pawn_attacks};

impl Board {
    /// Makes a legal move and reports to the observer which pieces came, went and moved.
    ///
    /// The move must be legal here ([`Board::is_legal`]); with any other the board is undefined,
    /// though never unsafe.
    #[inline]
    pub fn make_move(&mut self, mv: Move, observer: &mut impl MoveObserver) {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let (us, them) = (self.side, !self.side);
        let (from, to) = (mv.from(), mv.to());
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.forget_en_passant();

        match mv.kind() {
            MoveKind::Normal => {
                let Some(piece) = self.piece_at(from) else { return };
                self.capture(to, observer);
                self.placement.shift(us, piece, from, to);
                observer.moved(us, piece, from, to);
                match piece {
                    Piece::Pawn => {
                        self.halfmove_clock = 0;
                        if from.index() ^ to.index() == 16 {
                            self.remember_en_passant(from.forward(us));
                        }
                    }
                    Piece::Rook => self.lose_rook_right(us, from),
                    Piece::King => self.lose_both_rights(us),
                    _ => {}
                }
            }
            MoveKind::Promotion(promoted) => {
                self.capture(to, observer);
                self.placement.remove(us, Piece::Pawn, from);
                self.placement.add(us, promoted, to);
                observer.removed(us, Piece::Pawn, from);
                observer.added(us, promoted, to);
                self.halfmove_clock = 0;
            }
            MoveKind::EnPassant => {
                let victim = to.forward(them);
                self.placement.remove(them, Piece::Pawn, victim);
                self.placement.shift(us, Piece::Pawn, from, to);
                observer.removed(them, Piece::Pawn, victim);
                observer.moved(us, Piece::Pawn, from, to);
                self.halfmove_clock = 0;
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                self.placement.remove(us, Piece::King, from);
                self.placement.remove(us, Piece::Rook, to);
                self.placement.add(us, Piece::King, king_to);
                self.placement.add(us, Piece::Rook, rook_to);
                observer.moved(us, Piece::King, from, king_to);
                observer.moved(us, Piece::Rook, to, rook_to);
                self.lose_both_rights(us);
            }
        }
        self.pass_the_turn();
        if let Some(target) = self.en_passant {
            self.keep_en_passant_if_legal(target);
        }
    }

    /// The board after a legal move, for whoever has no observer and wants to keep this one.
    ///
    /// ```
    /// use chess::Board;
    ///
    /// let board = Board::default();
    /// let next = board.after(board.parse_uci("e2e4")?);
    /// assert_eq!(next.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    /// # Ok::<(), chess::notation::uci::UciMoveError>(())
    /// ```
    #[inline]
    #[must_use = "the board itself stays as it is"]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make_move(mv, &mut ());
        next
    }

    /// Lets the side to move pass, for null-move pruning; it must not be in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check(), "a side in check cannot pass");
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.forget_en_passant();
        self.pass_the_turn();
    }

    /// The key after a move, without castling rights and en passant: good enough to prefetch by.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let mut key = self.key() ^ zobrist::BLACK_TO_MOVE;
        if let Some(victim) = self.piece_at(to) {
            key ^= zobrist::piece(!us, victim, to);
        }
        if let Some(piece) = self.piece_at(from) {
            key ^= zobrist::piece(us, piece, from) ^ zobrist::piece(us, piece, to);
        }
        key
    }

    /// The key the position would have with the other side to move.
    #[inline]
    pub fn key_after_null_move(&self) -> u64 {
        let file = self.en_passant.map(|square| zobrist::en_passant(square.file()));
        self.key() ^ zobrist::BLACK_TO_MOVE ^ file.unwrap_or(0)
    }

    #[inline(always)]
    fn capture(&mut self, to: Square, observer: &mut impl MoveObserver) {
        let Some(victim) = self.piece_at(to) else { return };
        let them = !self.side;
        self.placement.remove(them, victim, to);
        observer.removed(them, victim, to);
        self.halfmove_clock = 0;
        if victim == Piece::Rook {
            self.lose_rook_right(them, to);
        }
    }

    #[inline(always)]
    fn pass_the_turn(&mut self) {
        self.fullmove_number =
            self.fullmove_number.saturating_add(u16::from(self.side == Color::Black));
        self.side = !self.side;
        self.placement.fold(zobrist::BLACK_TO_MOVE);
        self.find_checks_and_pins();
    }

    #[inline(always)]
    fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.placement.fold(zobrist::en_passant(square.file()));
        }
    }

    /// After a double push: notes the passed square if a pawn stands ready to capture there.
    #[inline(always)]
    fn remember_en_passant(&mut self, passed: Square) {
        let capturers = pawn_attacks(self.side, passed) & self.pieces(!self.side, Piece::Pawn);
        if capturers.any() {
            self.en_passant = Some(passed);
        }
    }

    /// With the turn passed: keeps the square only if one of the captures is legal.
    pub(super) fn keep_en_passant_if_legal(&mut self, target: Square) {
        let mut capturers = pawn_attacks(!self.side, target) & self.pieces(self.side, Piece::Pawn);
        capturers.0 &= capturers.into_iter().fold(0, |legal, from| {
            if self.en_passant_is_safe(from, target) { legal | from.bitboard().0 } else { legal }
        });
        if capturers.any() {
            self.en_passant = Some(target);
            self.placement.fold(zobrist::en_passant(target.file()));
        } else {
            self.en_passant = None;
        }
    }

    #[inline]
    fn lose_rook_right(&mut self, color: Color, rook: Square) {
        if rook.rank() != Rank::First.relative_to(color) {
            return;
        }
        for wing in Wing::ALL {
            if self.castling.rook_file(color, wing) == Some(rook.file()) {
                self.castling.set(color, wing, None);
                self.placement.fold(zobrist::castling(color, rook.file()));
            }
        }
    }

    #[inline]
    fn lose_both_rights(&mut self, color: Color) {
        for wing in Wing::ALL {
            if let Some(file) = self.castling.rook_file(color, wing) {
                self.castling.set(color, wing, None);
                self.placement.fold(zobrist::castling(color, file));
            }
        }
    }
}

/// Where king and rook end when the king castles with the rook on `rook`.
#[inline]
pub(super) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let wing = if rook > king { Wing::King } else { Wing::Queen };
    let rank = king.rank();
    (Square::new(wing.king_file(), rank), Square::new(wing.rook_file(), rank))
}
