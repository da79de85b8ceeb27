//! Legal moves by construction.
//!
//! Two masks make every generated move legal: in check a piece may only capture the checker or
//! step between (`check mask`), and a pinned piece may only move in line with its king. Kings and
//! captures en passant are tested one by one. No move is ever tried on a copy.

use super::Board;
use super::make_move::castling_targets;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks,
};
use crate::{Bitboard, Color, Move, MoveList, Piece, Rank, Square, Wing};

/// Takes moves as they are generated, in sets where that is cheaper.
pub trait MoveSink {
    /// A single move.
    fn push(&mut self, mv: Move);

    /// One piece goes to each of the squares.
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }

    /// Pawns go to each of the squares, each from the square `offset` before it.
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            self.push(Move::normal(step_back(to, offset), to));
        }
    }

    /// Pawns promote on each of the squares, each coming from the square `offset` before it.
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            for piece in Piece::PROMOTIONS {
                self.push(Move::promotion(step_back(to, offset), to, piece));
            }
        }
    }
}

#[inline(always)]
fn step_back(to: Square, offset: i32) -> Square {
    Square::from_index((to.index() as i32 - offset) as usize)
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        MoveList::push(self, mv);
    }
}

/// Counts without listing, for the last ply of perft.
struct Counter(u64);

impl MoveSink for Counter {
    #[inline(always)]
    fn push(&mut self, _: Move) {
        self.0 += 1;
    }
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * u64::from(targets.count());
    }
}

impl Board {
    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<true, true>(&mut moves);
        moves
    }

    /// Captures (en passant too) and promotions, appended to `moves`.
    #[inline]
    pub fn noisy_moves(&self, moves: &mut impl MoveSink) {
        self.generate::<true, false>(moves);
    }

    /// Everything that is not noisy, castling included, appended to `moves`.
    #[inline]
    pub fn quiet_moves(&self, moves: &mut impl MoveSink) {
        self.generate::<false, true>(moves);
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate::<true, true>(&mut counter);
        counter.0
    }

    /// Is there a legal move at all?
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Is the side to move checkmated?
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Is the side to move stalemated?
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    #[inline(always)]
    fn generate<const NOISY: bool, const QUIET: bool>(&self, sink: &mut impl MoveSink) {
        match self.side {
            Color::White => self.generate_for::<true, NOISY, QUIET>(sink),
            Color::Black => self.generate_for::<false, NOISY, QUIET>(sink),
        }
    }

    #[inline]
    fn generate_for<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        &self,
        sink: &mut impl MoveSink,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let king = self.king(us);
        let occupied = self.occupied();
        let targets = match (NOISY, QUIET) {
            (true, true) => !self.color(us),
            (true, false) => self.color(!us),
            _ => !occupied,
        };

        self.king_moves(sink, us, king, targets);
        if self.checkers.many() {
            return;
        }
        let check_mask = self.check_mask(king);
        let allowed = targets & check_mask;

        for from in self.pieces(us, Piece::Knight) & !self.pinned {
            sink.piece(from, knight_attacks(from) & allowed);
        }
        let diagonal = self.diagonal_sliders(us);
        for from in diagonal & !self.pinned {
            sink.piece(from, bishop_attacks(from, occupied) & allowed);
        }
        let straight = self.straight_sliders(us);
        for from in straight & !self.pinned {
            sink.piece(from, rook_attacks(from, occupied) & allowed);
        }
        for from in diagonal & self.pinned {
            sink.piece(from, bishop_attacks(from, occupied) & allowed & line(king, from));
        }
        for from in straight & self.pinned {
            sink.piece(from, rook_attacks(from, occupied) & allowed & line(king, from));
        }

        self.pawn_moves::<WHITE, NOISY, QUIET>(sink, king, check_mask);
        if QUIET && self.checkers.is_empty() {
            for wing in Wing::ALL {
                if let Some(rook) = self.castling_rook(us, king, wing) {
                    sink.push(Move::castling(king, rook));
                }
            }
        }
    }

    /// Where a piece other than the king must go: anywhere, or against the single checker.
    #[inline(always)]
    pub(super) fn check_mask(&self, king: Square) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::ALL,
            Some(checker) => between(king, checker) | self.checkers,
        }
    }

    #[inline(always)]
    fn king_moves(&self, sink: &mut impl MoveSink, us: Color, king: Square, targets: Bitboard) {
        // The king leaves its square, so a slider sees through it.
        let occupied = self.occupied() ^ king.bitboard();
        let mut safe = king_attacks(king) & targets;
        for to in safe {
            if self.is_attacked(to, !us, occupied) {
                safe ^= to.bitboard();
            }
        }
        sink.piece(king, safe);
    }

    #[inline(always)]
    fn pawn_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        &self,
        sink: &mut impl MoveSink,
        king: Square,
        check_mask: Bitboard,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let ahead = if WHITE { 8 } else { -8 };
        let last = Rank::Eighth.relative_to(us).bitboard();
        let empty = !self.occupied();
        let enemies = self.color(!us) & check_mask;
        let pawns = self.pieces(us, Piece::Pawn);
        let free = pawns & !self.pinned;

        // A pinned pawn may still push when its king is on the same file.
        let pushers = free | pawns & king.file().bitboard();
        let single = pushers.forward(us) & empty;
        if QUIET {
            let third = Rank::Third.relative_to(us).bitboard();
            let double = (single & third).forward(us) & empty & check_mask;
            sink.pawns(single & check_mask & !last, ahead);
            sink.pawns(double, 2 * ahead);
        }
        if NOISY {
            sink.promotions(single & check_mask & last, ahead);
            let east = free.forward(us).east() & enemies;
            let west = free.forward(us).west() & enemies;
            sink.pawns(east & !last, ahead + 1);
            sink.pawns(west & !last, ahead - 1);
            sink.promotions(east & last, ahead + 1);
            sink.promotions(west & last, ahead - 1);
            for from in pawns & self.pinned {
                let targets = pawn_attacks(us, from) & enemies & line(king, from);
                for to in targets {
                    let offset = to.index() as i32 - from.index() as i32;
                    sink.promotions(to.bitboard() & last, offset);
                    sink.pawns(to.bitboard() & !last, offset);
                }
            }
            if let Some(target) = self.en_passant {
                for from in pawn_attacks(!us, target) & pawns {
                    if self.en_passant_is_safe(from, target) {
                        sink.push(Move::en_passant(from, target));
                    }
                }
            }
        }
    }

    /// Would the king be safe after this capture en passant? Two pawns leave a line at once.
    pub(super) fn en_passant_is_safe(&self, from: Square, target: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let victim = target.forward(them).bitboard();
        let occupied = self.occupied() ^ from.bitboard() ^ victim ^ target.bitboard();
        let king = self.king(us);
        let leapers = self.kind(Piece::Knight) | self.kind(Piece::Pawn);
        (self.checkers & leapers & !victim).is_empty()
            && (bishop_attacks(king, occupied) & self.diagonal_sliders(them)).is_empty()
            && (rook_attacks(king, occupied) & self.straight_sliders(them)).is_empty()
    }

    /// The rook to castle with, if castling on this wing is legal and the king not in check.
    #[inline]
    pub(super) fn castling_rook(&self, us: Color, king: Square, wing: Wing) -> Option<Square> {
        let rook = self.castling.rook_square(us, wing)?;
        let (king_to, rook_to) = castling_targets(king, rook);
        let both = king.bitboard() | rook.bitboard();
        let king_path = between(king, king_to) | king_to.bitboard();
        let path = king_path | between(rook, rook_to) | rook_to.bitboard();
        if (path & self.occupied() & !both).any() || self.pinned.contains(rook) {
            return None;
        }
        let occupied = self.occupied() ^ king.bitboard();
        let safe = king_path.into_iter().all(|square| !self.is_attacked(square, !us, occupied));
        safe.then_some(rook)
    }
}
