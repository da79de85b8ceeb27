//! What a finished node teaches: histories, corrections, the table.

use chess::{Board, Move};
use eval::Evaluator;
use eval::score::Score;

use super::{Kind, Node, Outcome};
use crate::history::NO_MOVE;
use crate::params::history;
use crate::worker::Worker;

/// How much a good move of this depth teaches.
pub(super) fn bonus(depth: i32) -> i32 {
    (history::bonus_slope() * depth - history::bonus_base()).clamp(0, history::bonus_max())
}

/// How much a failed move of this depth teaches.
fn malus(depth: i32) -> i32 {
    (history::malus_slope() * depth - history::malus_base()).clamp(0, history::malus_max())
}

impl<E: Evaluator> Worker<E> {
    /// How well a move did before, here or in the like.
    #[inline]
    pub(super) fn history_of(&self, board: &Board, node: &Node, mv: Move, noisy: bool) -> i32 {
        let Some(piece) = board.piece_at(mv.from()) else { return 0 };
        if noisy {
            let victim = board.captured(mv);
            self.histories.capture.get(board.side_to_move(), piece, mv.to(), victim)
        } else {
            self.histories.quiets(board, node.threats.all, &node.before).get(piece, mv)
        }
    }

    /// Everything that is remembered after a node.
    pub(super) fn learn<K: Kind>(&mut self, board: &Board, node: &Node, outcome: &Outcome) {
        if let Some(best) = outcome.best_move {
            self.teach_moves(board, node, outcome, best);
        } else {
            self.praise_previous_move(node);
        }
        if node.excluded.is_none() && !(K::ROOT && self.root.line() > 0) {
            self.store_result::<K>(board, node, outcome);
            self.correct_eval(board, node, outcome);
        }
    }

    /// The best move was good, those tried before it were not.
    fn teach_moves(&mut self, board: &Board, node: &Node, outcome: &Outcome, best: Move) {
        let (depth, threats, before) = (node.depth, node.threats.all, node.before);
        let bonus = bonus(depth);
        let malus = malus(depth);
        if board.is_noisy(best) {
            self.teach_noisy(board, best, bonus);
        } else {
            self.histories.teach_quiet(board, threats, &before, best, bonus);
            for mv in outcome.quiets.iter() {
                self.histories.teach_quiet(board, threats, &before, mv, -malus);
            }
        }
        for mv in outcome.noisy.iter() {
            self.teach_noisy(board, mv, -malus);
        }
    }

    fn teach_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        let Some(piece) = board.piece_at(mv.from()) else { return };
        let victim = board.captured(mv);
        self.histories.capture.update(board.side_to_move(), piece, mv.to(), victim, bonus);
    }

    /// All our moves failed low, so the opponent's last move was a good one.
    fn praise_previous_move(&mut self, node: &Node) {
        let previous = self.stack.before(node.ply, 1).index;
        let before_that = self.stack.before(node.ply, 2).index;
        if previous != NO_MOVE {
            self.histories.continuation.update(before_that, previous, bonus(node.depth) / 2);
        }
    }

    /// A reduced move turned out well, or not, when searched in full: its continuations learn.
    pub(super) fn teach_after_research(
        &mut self,
        node: &Node,
        score: Score,
        alpha: Score,
        depth: i32,
    ) {
        let index = self.stack.at(node.ply).index;
        let lesson = if score <= alpha {
            -malus(depth)
        } else if score >= node.beta {
            bonus(depth)
        } else {
            0
        };
        for earlier in node.before {
            self.histories.continuation.update(earlier, index, lesson);
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
