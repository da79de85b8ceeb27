//! Singular extensions: when one move is much better than all others, look deeper at it.

use chess::{Board, Move};
use eval::Evaluator;
use eval::score::{self, Score};

use super::{Node, NonPv};
use crate::doubt;
use crate::event::Bound;
use crate::params::{check, doubt as weight, extension, singular};
use crate::pool::Worker;

/// What the test of the table's move says.
pub(super) enum Verdict {
    /// Search the move this many plies deeper (or less deep, if negative).
    Extend(i32),
    /// Another move fails high too: the node is not worth more.
    Cutoff(Score),
}

impl<E: Evaluator> Worker<E> {
    /// Is a checking move worth an extra ply? Only where attacks on kings matter more than winning most games:
    /// in analysis, and if a mate is asked for. Not if it loses material, and not in endless rows.
    #[inline]
    pub(super) fn deserves_check_extension(&self, board: &Board, node: &Node, mv: Move) -> bool {
        (self.job.settings.analysis || self.job.limits.mate.is_some())
            && node.depth >= check::min_depth()
            && self.may_extend(node)
            && board.see_at_least(mv, 0)
    }

    /// Is the line not yet so long that extensions could go on for ever?
    #[inline]
    fn may_extend(&self, node: &Node) -> bool {
        node.ply < (self.root_depth.max(1) * extension::ply_limit() / 100) as usize
    }

    /// Searches all other moves a little lower than the table's score: does one of them reach it?
    pub(super) fn singular(&mut self, board: &Board, node: &Node, alpha: Score) -> Verdict {
        let (depth, ply) = (node.depth, node.ply);
        let Some(entry) = node.tt else { return Verdict::Extend(0) };
        let trusted = entry.depth >= depth - singular::table_depth()
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && !score::is_decisive(entry.score);
        if depth < singular::min_depth() + i32::from(node.tt_pv)
            || !trusted
            || !self.may_extend(node)
        {
            return Verdict::Extend(0);
        }
        let margin = singular::margin() * depth / 16;
        let margin = doubt::scale(margin, node.doubt().mean(), weight::singular());
        let target = entry.score - margin;
        self.stack.at(ply).excluded = node.tt_move;
        let score = self.search::<NonPv>(
            board,
            ply,
            (depth - 1) * singular::depth_share() / 100,
            target - 1,
            target,
            node.cut,
        );
        self.stack.at(ply).excluded = None;
        // The test has gone through this ply's frame.
        self.stack.at(ply).eval = node.eval.map(|eval| eval.value);
        if self.aborted {
            return Verdict::Extend(0);
        }
        if score < target {
            let double = !node.pv && score < target - singular::double_margin();
            let triple =
                !node.pv && !node.tt_move_noisy && score < target - singular::triple_margin();
            return Verdict::Extend(1 + i32::from(double) + i32::from(triple));
        }
        // Multi-cut: two moves fail high.
        if score >= node.beta && !score::is_decisive(score) {
            return Verdict::Cutoff(score);
        }
        if entry.score >= node.beta {
            return Verdict::Extend(i32::from(node.pv) - singular::fail_high());
        }
        if node.cut || entry.score <= alpha {
            return Verdict::Extend(-singular::cut());
        }
        Verdict::Extend(0)
    }
}
