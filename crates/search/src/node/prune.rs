//! Pruning: ending a node, or skipping a move, on a guess that is good enough.

use chess::attacks::king_attacks;
use chess::{Board, see_value};
use eval::Evaluator;
use eval::score::{self, Score};

use super::{Candidate, Node, NonPv, Quiets, blend};
use crate::doubt;
use crate::event::Bound;
use crate::params::doubt as weight;
use crate::params::{
    analysis, capture_futility, futility, history_pruning, lmp, nmp, probcut, razoring,
    reduced_depth, rfp, see_pruning,
};
use crate::picker::{Picker, Wanted};
use crate::pool::Worker;
use crate::table::Entry;

impl<E: Evaluator> Worker<E> {
    /// Razoring, reverse futility, null move and ProbCut, in this order.
    #[inline]
    pub(super) fn prune_node(&mut self, board: &Board, node: &Node, alpha: Score) -> Option<Score> {
        if score::is_decisive(node.beta) {
            return None;
        }
        self.razor(board, node, alpha)
            .or_else(|| self.reverse_futility(board, node))
            .or_else(|| self.null_move(board, node))
            .or_else(|| self.prob_cut(board, node))
    }

    /// Razoring: so far below alpha that only captures and checks can help; a quiescence search decides.
    fn razor(&mut self, board: &Board, node: &Node, alpha: Score) -> Option<Score> {
        let depth = node.depth;
        // First of all, for a margin of a great depth would not fit its integer.
        if depth > razoring::max_depth() {
            return None;
        }
        let margin = razoring::base() + razoring::slope() * depth * depth;
        let margin = doubt::scale(margin, node.doubt().above(), weight::razoring());
        if node.guess + margin >= alpha {
            return None;
        }
        let score = self.quiescence::<NonPv>(board, node.ply, alpha, alpha + 1, Quiets::Checks);
        (score <= alpha && !score::is_decisive(score)).then_some(score)
    }

    /// Reverse futility: so far above beta that the opponent will not allow this position.
    fn reverse_futility(&self, board: &Board, node: &Node) -> Option<Score> {
        let margin = rfp::margin() * node.depth
            - rfp::improving() * i32::from(node.improving)
            - rfp::worsening() * i32::from(node.worsening);
        let margin = doubt::scale(margin, node.doubt().below(), weight::rfp());
        let surplus = node.guess - margin - node.beta;
        let applies = node.depth <= rfp::max_depth()
            && surplus >= 0
            && !score::is_decisive(node.guess)
            && !node.tt_pv
            && (!self.job.settings.analysis || surplus >= king_danger(board));
        applies.then(|| blend(node.guess, node.beta, rfp::blend()))
    }

    /// Null move: if even passing the turn keeps the score above beta, a real move will.
    fn null_move(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let (depth, beta, ply) = (node.depth, node.beta, node.ply);
        let eval = node.eval?.value;
        let needed = nmp::eval_base() + doubt::surplus(node.doubt().below(), weight::nmp());
        if depth < nmp::min_depth()
            || !node.cut
            || node.guess < beta
            || eval + nmp::eval_slope() * depth < beta + needed
            || ply < self.null_move_after
            || self.stack.before(ply, 1).mv.is_none()
            || !board.has_pieces(board.side_to_move())
        {
            return None;
        }
        let per_ply =
            doubt::scale(nmp::eval_divisor(), node.doubt().below(), weight::nmp_reduction());
        let reduction = nmp::base()
            + depth / nmp::divisor()
            + ((node.guess - beta) / per_ply).min(nmp::eval_max())
            + i32::from(node.tt_move_noisy);
        let null_key = self.null_key;
        let next = self.make_null(board, ply);
        let mut score =
            -self.search::<NonPv>(&next, ply + 1, depth - reduction, -beta, 1 - beta, false);
        self.unmake_null(null_key);
        if self.aborted || score < beta {
            return None;
        }
        if score::is_win(score) {
            score = beta; // a win found with two moves in a row is not proved
        }
        if depth < nmp::verify_depth() || self.null_move_after > 0 {
            return Some(score);
        }
        // In zugzwang passing would be best: verify without null moves for most of the depth.
        let plies = (depth - reduction).max(0) * nmp::verify_share() / 100;
        self.null_move_after = ply + plies as usize;
        let verified = self.search::<NonPv>(board, ply, depth - reduction, beta - 1, beta, false);
        self.null_move_after = 0;
        (verified >= beta && !self.aborted).then_some(score)
    }

    /// ProbCut: a good capture that beats beta by a margin at low depth will beat beta.
    fn prob_cut(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let (depth, ply) = (node.depth, node.ply);
        let eval = node.eval?.value;
        let margin = probcut::margin() - probcut::improving() * i32::from(node.improving);
        let margin = doubt::scale(margin, node.doubt().below(), weight::probcut());
        let beta = node.beta + margin;
        let table_says_no = node
            .tt
            .is_some_and(|entry| entry.depth > depth - probcut::reduction() && entry.score < beta);
        if depth < probcut::min_depth() || table_says_no || score::is_decisive(beta) {
            return None;
        }
        let tt_move = node.tt_move.filter(|_| node.tt_move_noisy);
        let mut picker = Picker::new(&self.moves, Wanted::Noisy(beta - eval), tt_move);
        let mut result = None;
        while let Some(mv) = picker.next(&mut self.moves, board, &self.histories) {
            self.ask_table_early(board, mv);
            let next = self.make(board, mv, ply);
            let mut score =
                -self.quiescence::<NonPv>(&next, ply + 1, -beta, 1 - beta, Quiets::None);
            if score >= beta {
                score = -self.search::<NonPv>(
                    &next,
                    ply + 1,
                    depth - probcut::reduction(),
                    -beta,
                    1 - beta,
                    !node.cut,
                );
            }
            self.unmake();
            if self.aborted {
                break;
            }
            if score >= beta {
                let depth = depth - probcut::reduction() + 1;
                let entry =
                    Entry::searched(depth, score, Bound::Lower, Some(mv), node.eval, node.tt_pv);
                self.table().store(board.key(), ply, &entry);
                result = Some(score - margin);
                break;
            }
        }
        picker.finish(&mut self.moves);
        result
    }

    /// Is the move not worth a search? May also make the picker skip all quiet moves. `raised_alpha`: an
    /// earlier move did.
    #[inline]
    pub(super) fn prune_move(
        &mut self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
        raised_alpha: bool,
        picker: &mut Picker,
    ) -> bool {
        let Candidate { mv, number, noisy, gives_check, history } = *candidate;
        let depth = node.depth;
        let reduction = self.reductions.get(noisy, depth, number) / 1024;
        let reduced = (depth - 1 - reduction + history / reduced_depth::history_divisor()).max(0);
        // Late-move pruning: enough quiet moves have been tried.
        let enough = lmp::base() + lmp::slope() * depth * depth / 100;
        let enough = if node.improving { enough } else { enough / 2 };
        if number >= enough && !node.in_check {
            picker.skip_quiets();
        }
        // Captures and checks can turn the tables: only hopeless captures and clear losses of
        // material are left out.
        if noisy || gives_check {
            if let Some(eval) = node.eval.filter(|_| !gives_check) {
                // Futility of captures: even the captured piece does not reach alpha.
                let gain =
                    board.captured(mv).map_or(0, see_value) + mv.promoted().map_or(0, see_value);
                let margin = capture_futility::base() + capture_futility::margin() * reduced;
                let margin = doubt::scale(margin, eval.doubt.above(), weight::capture_futility());
                let hope =
                    eval.value + margin + gain + history / capture_futility::history_divisor();
                if reduced < capture_futility::max_depth() && hope <= alpha && !node.pv {
                    return true;
                }
            }
            let threshold =
                -see_pruning::noisy() * depth - history / see_pruning::history_divisor();
            return !board.see_at_least(mv, threshold.min(0));
        }
        if picker.skips_quiets() && !node.in_check {
            return true;
        }
        // History pruning: such moves have failed here too often.
        if reduced < history_pruning::max_depth() && history < -history_pruning::margin() * depth {
            return true;
        }
        // Futility: a quiet move cannot make up for so much.
        if let Some(eval) = node.eval {
            let hopeful = if raised_alpha { 0 } else { futility::hopeful() };
            let margin = futility::base() + hopeful + futility::margin() * reduced;
            let hope = eval.value
                + doubt::scale(margin, eval.doubt.above(), weight::futility())
                + history / futility::history_divisor();
            if reduced < futility::max_depth() && hope <= alpha {
                picker.skip_quiets();
                return true;
            }
        }
        !board.see_at_least(mv, -see_pruning::quiet() * reduced * reduced)
    }
}

/// What an attack on the king of the side to move may be worth, by the squares around it that the opponent
/// attacks.
fn king_danger(board: &Board) -> Score {
    let us = board.side_to_move();
    let attacked = king_attacks(board.king(us)) & board.attacks_of(!us);
    analysis::king() * (attacked.count() as Score - analysis::king_free()).max(0)
}
