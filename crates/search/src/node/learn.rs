//! What is remembered of a finished node: histories, corrections, the table.

use chess::{Board, Move};
use eval::Evaluator;
use eval::score::Score;

use super::{Kind, Node, Outcome};
use crate::history::NO_MOVE;
use crate::params::history;
use crate::pool::Worker;

/// The history bonus of a good move at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (history::bonus_slope() * depth - history::bonus_base()).clamp(0, history::bonus_max())
}

/// The history malus of a failed move at this depth.
fn malus(depth: i32) -> i32 {
    (history::malus_slope() * depth - history::malus_base()).clamp(0, history::malus_max())
}

impl<E: Evaluator> Worker<E> {
    /// Everything that is remembered after a node.
    pub(super) fn learn<K: Kind>(&mut self, board: &Board, node: &Node, outcome: &Outcome) {
        if let Some(best) = outcome.best_move {
            self.update_moves(board, node, outcome, best);
        } else {
            self.fail_low_bonus(board, node);
        }
        if node.excluded.is_none() && !(K::ROOT && self.root.line() > 0) {
            self.store_result::<K>(board, node, outcome);
            self.correct_eval(board, node, outcome);
        }
    }

    /// A bonus for the best move, a malus for those tried before it.
    fn update_moves(&mut self, board: &Board, node: &Node, outcome: &Outcome, best: Move) {
        let (depth, threats, before) = (node.depth, node.threats.all, node.before);
        let bonus = bonus(depth);
        let malus = malus(depth);
        if board.is_noisy(best) {
            self.update_noisy(board, best, bonus);
        } else {
            self.histories.update_quiet(board, threats, &before, best, bonus);
            let crowd = history::malus_crowd() * outcome.quiets.len as i32;
            let malus = (malus - crowd).max(malus / 4);
            for mv in outcome.quiets.iter() {
                self.histories.update_quiet(board, threats, &before, mv, -malus);
            }
        }
        for mv in outcome.noisy.iter() {
            self.update_noisy(board, mv, -malus);
        }
    }

    fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        let Some(piece) = board.piece_at(mv.from()) else { return };
        let victim = board.captured(mv);
        self.histories.capture.update(board.side_to_move(), piece, mv.to(), victim, bonus);
    }

    /// Fail-low bonus: none of our moves reached alpha, so the opponent's last move was a good one.
    fn fail_low_bonus(&mut self, board: &Board, node: &Node) {
        let bonus = bonus(node.depth);
        let [previous, before_that] = self.stack.last_two(node.ply);
        if previous != NO_MOVE {
            let bonus = bonus * history::fail_low() / 100;
            self.histories.continuation.update(before_that, previous, bonus);
        }
        self.update_last_move(board, node.ply, bonus * history::fail_low_plain() / 100);
    }

    /// The opponent's last move is judged by how the static evaluation changed, before any search.
    #[inline]
    pub(super) fn learn_from_swing(&mut self, board: &Board, node: &Node) {
        let theirs = self.stack.before(node.ply, 1).eval;
        if let (Some(ours), Some(theirs)) = (node.eval, theirs) {
            let lost = (ours.value + theirs).clamp(-history::swing_max(), history::swing_max());
            self.update_last_move(board, node.ply, -lost * history::swing());
        }
    }

    /// Adds a bonus to the plain history of the opponent's last move, if that was quiet.
    #[inline]
    fn update_last_move(&mut self, board: &Board, ply: usize, bonus: i32) {
        let last = self.stack.before(ply, 1);
        if let Some(mv) = last.mv.filter(|_| last.quiet) {
            self.histories.quiet.update(!board.side_to_move(), last.threats, mv, bonus);
        }
    }

    /// A reduced move was searched again in full: its continuation histories follow the result.
    pub(super) fn update_after_research(
        &mut self,
        node: &Node,
        score: Score,
        alpha: Score,
        depth: i32,
    ) {
        let index = self.stack.at(node.ply).index;
        let bonus = if score <= alpha {
            -malus(depth)
        } else if score >= node.beta {
            bonus(depth)
        } else {
            bonus(depth) * history::research() / 100
        };
        for earlier in node.before {
            self.histories.continuation.update(earlier, index, bonus);
        }
    }

    /// The search knows better than the static evaluation: remember by how much.
    fn correct_eval(&mut self, board: &Board, node: &Node, outcome: &Outcome) {
        let Some(eval) = node.eval else { return };
        let best_is_noisy = outcome.best_move.is_some_and(|mv| board.is_noisy(mv));
        let error = outcome.best_score - eval.value;
        // A bound on the wrong side of the evaluation says nothing.
        let says_nothing = outcome.best_score >= node.beta && error <= 0
            || outcome.best_move.is_none() && error >= 0;
        if best_is_noisy || says_nothing || eval::score::is_decisive(outcome.best_score) {
            return;
        }
        let last = self.stack.last_two(node.ply);
        self.histories.correction.update(board, last, node.depth, error);
    }
}
