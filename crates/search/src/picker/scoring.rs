//! Scores for the order of moves, given while the moves are generated.
//!
//! What one piece's moves have in common is looked up once for all of them.

use chess::attacks::piece_attacks;
use chess::{Bitboard, Board, CheckSquares, Color, Move, MoveSink, Piece, Square, see_value};

use super::stack::{Room, Scored};
use crate::history::{CaptureHistory, QuietScores};
use crate::params::{order, quiescence};
use crate::threats::Threats;

/// Scores captures and promotions by what they take and how well such captures did.
pub(super) struct NoisyScorer<'a> {
    pub(super) room: Room<'a>,
    pub(super) board: &'a Board,
    pub(super) history: &'a CaptureHistory,
}

impl MoveSink for NoisyScorer<'_> {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        let Some(piece) = self.board.piece_at(mv.from()) else { return };
        let victim = self.board.captured(mv);
        let gain = victim.map_or(0, see_value) + mv.promoted().map_or(0, see_value);
        let history = self.history.get(self.board.side_to_move(), piece, mv.to(), victim);
        self.room.push(Scored::new(mv, order::victim() * gain + history));
    }
}

/// Scores quiet moves by their histories, the danger they meet or escape, and checks.
pub(super) struct QuietScorer<'a> {
    pub(super) room: Room<'a>,
    pub(super) board: &'a Board,
    pub(super) histories: QuietScores<'a>,
    pub(super) threats: &'a Threats,
    pub(super) checks: &'a CheckSquares,
}

impl QuietScorer<'_> {
    #[inline(always)]
    fn score(&mut self, piece: Piece, mv: Move, danger: (Bitboard, i32), checks: Bitboard) {
        let (zone, worth) = danger;
        // Leaving danger is good, walking into it is bad.
        let escape = i32::from(zone.contains(mv.from())) - i32::from(zone.contains(mv.to()));
        let mut score = self.histories.get(piece, mv) + worth * escape;
        // A check that is not a plain sacrifice forces matters: early.
        let gives_check = checks.contains(mv.to()) || self.checks.discovers(mv.from(), mv.to());
        if gives_check && self.board.see_at_least(mv, order::check_see()) {
            score += order::check();
        }
        self.room.push(Scored::new(mv, score));
    }
}

impl MoveSink for QuietScorer<'_> {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        let Some(piece) = self.board.piece_at(mv.from()) else { return };
        self.score(piece, mv, self.threats.danger(piece), self.checks.from(piece));
    }

    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        if targets.is_empty() {
            return;
        }
        let Some(piece) = self.board.piece_at(from) else { return };
        let (danger, checks) = (self.threats.danger(piece), self.checks.from(piece));
        for to in targets {
            self.score(piece, Move::normal(from, to), danger, checks);
        }
    }
}

/// Finds quiet checks by the piece that moves, unless they lose something or have a bad history.
///
/// It looks from the squares of check backwards: most positions have none, and generating all quiet
/// moves to see that would be the dearest part of a quiescence node.
pub(super) struct CheckFinder<'a> {
    pub(super) room: Room<'a>,
    pub(super) board: &'a Board,
    pub(super) histories: QuietScores<'a>,
    pub(super) checks: &'a CheckSquares,
}

impl CheckFinder<'_> {
    pub(super) fn find(&mut self) {
        let (us, occupied) = (self.board.side_to_move(), self.board.occupied());
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let targets = self.checks.from(piece) & !occupied;
            for from in self.board.pieces(us, piece) {
                for to in piece_attacks(piece, from, occupied) & targets {
                    self.consider(piece, Move::normal(from, to));
                }
            }
        }
        let pawns = self.board.pieces(us, Piece::Pawn);
        for to in self.checks.from(Piece::Pawn) & !occupied {
            // One step or two.
            for step in [8, 16] {
                let from = match us {
                    Color::White => to.index().checked_sub(step),
                    Color::Black => Some(to.index() + step).filter(|&from| from < 64),
                };
                if let Some(from) = from.map(Square::from_index).filter(|&at| pawns.contains(at)) {
                    self.consider(Piece::Pawn, Move::normal(from, to));
                }
            }
        }
    }

    #[inline]
    fn consider(&mut self, piece: Piece, mv: Move) {
        let history = self.histories.get(piece, mv);
        if history >= quiescence::check_history()
            && self.board.is_legal(mv)
            && self.board.see_at_least(mv, quiescence::check_see())
        {
            self.room.push(Scored::new(mv, history));
        }
    }
}
