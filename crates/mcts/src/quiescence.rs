//! Captures until a position is quiet, so that it is judged by what is left on the board.

use chess::{Board, Move, MoveList, Piece, see_value};
use eval::Evaluator;
use eval::score::{self, DRAW, INFINITY, Score};

use crate::playout::Worker;
use crate::points;

/// A capture that leaves the score so far below the window is not tried.
const MARGIN: Score = 150;

/// The number of half-moves without captures or pawn moves at which an evaluation would be 0.
const FADES_AT: Score = 220;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a position for its side to move, once all worthwhile captures are played out.
    /// `eval` is its static evaluation, none in check; `ply` counts from where the judging began.
    pub(crate) fn quiescence(
        &mut self,
        board: &Board,
        eval: Option<Score>,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let mut best = eval.unwrap_or(-INFINITY);
        if best >= beta || self.aborted {
            return if best == -INFINITY { DRAW } else { best };
        }
        alpha = alpha.max(best);
        let first = self.tactics.len();
        self.collect_tactics(board);
        if self.tactics.len() == first && eval.is_none() {
            return score::mated_in(ply);
        }
        for index in first..self.tactics.len() {
            let mv = self.tactics[index];
            if let Some(eval) = eval {
                let gain = board.captured(mv).map_or(0, see_value);
                let reach = eval + gain + mv.promoted().map_or(0, see_value) + MARGIN;
                if reach <= alpha || !board.see_at_least(mv, 0) {
                    continue;
                }
            }
            let next = self.make(board, mv);
            let score = if next.is_insufficient_material() {
                DRAW
            } else {
                let eval = (!next.in_check()).then(|| self.static_score(&next));
                -self.quiescence(&next, eval, ply + 1, -beta, -alpha)
            };
            self.unmake();
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta || self.aborted {
                break;
            }
        }
        self.tactics.truncate(first);
        best
    }

    /// Puts captures and promotions to queens on the stack, all moves in check; the most urgent
    /// first.
    fn collect_tactics(&mut self, board: &Board) {
        let first = self.tactics.len();
        let mut list = MoveList::new();
        board.noisy_moves(&mut list);
        if board.in_check() {
            board.quiet_moves(&mut list);
        }
        let worthwhile = |mv: &Move| board.in_check() || mv.promoted().is_none_or(is_queen);
        self.tactics.extend(list.iter().copied().filter(worthwhile));
        self.tactics[first..].sort_by_cached_key(|&mv| -urgency(board, mv));
    }

    /// The static evaluation, nearer to a draw the nearer the fifty-move rule is.
    fn static_score(&mut self, board: &Board) -> Score {
        faded(board, self.evaluator.evaluate(board).q50)
    }
}

fn is_queen(piece: Piece) -> bool {
    piece == Piece::Queen
}

/// An evaluation with the fifty-move rule in mind. A sure win is a matter of technique: nothing may blur
/// the way to it.
pub(crate) fn faded(board: &Board, score: Score) -> Score {
    if points::is_sure(score) {
        return score::clamp_eval(score);
    }
    score::clamp_eval(score - score * Score::from(board.halfmove_clock().min(100)) / FADES_AT)
}

/// The most valuable victim first, taken by the least valuable piece.
pub(crate) fn urgency(board: &Board, mv: Move) -> Score {
    let victim = board.captured(mv).map_or(0, see_value) + mv.promoted().map_or(0, see_value);
    let attacker = board.piece_at(mv.from()).map_or(0, see_value);
    if victim == 0 { -attacker / 64 } else { 8 * victim - attacker / 8 }
}
