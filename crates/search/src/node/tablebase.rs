//! Perfect knowledge inside the tree.

use chess::Board;
use eval::Evaluator;
use eval::score::{self, DRAW, Score};
use eval::tablebase::Wdl;

use crate::event::Bound;
use crate::params::tablebase as param;
use crate::pool::Worker;
use crate::table::Entry;

/// What a tablebase says about a node.
pub(super) enum Knowledge {
    /// Nothing, or nothing new.
    Nothing,
    /// The node's score.
    Answer(Score),
    /// The score is at least this: a quicker way, such as a mate, may be found.
    AtLeast(Score),
    /// The score is at most this.
    AtMost(Score),
}

impl<E: Evaluator> Worker<E> {
    /// Probes the tablebase, if the position has few enough men and its counter has just been reset.
    #[inline]
    pub(super) fn probe_tablebase(
        &mut self,
        board: &Board,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        pv: bool,
    ) -> Knowledge {
        let men = board.occupied().count() as usize;
        let most = self.job.tb_men;
        if men > most
            || men == most && depth < self.job.settings.tb_probe_depth
            || board.halfmove_clock() != 0
            || !board.castling().is_empty()
        {
            return Knowledge::Nothing;
        }
        let Some(wdl) = self.job.tablebase.as_ref().and_then(|tablebase| tablebase.wdl(board))
        else {
            return Knowledge::Nothing;
        };
        self.tb_hits += 1;
        let (score, bound) = self.tb_score(wdl, ply);
        let answers = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        if answers {
            let depth = (depth + param::depth_bonus()).min(score::MAX_PLY as i32 / 2);
            let entry = Entry::searched(depth, score, bound, None, None, pv);
            self.table().store(board.key(), ply, &entry);
            return Knowledge::Answer(score);
        }
        match bound {
            Bound::Lower if pv => Knowledge::AtLeast(score),
            Bound::Upper if pv => Knowledge::AtMost(score),
            _ => Knowledge::Nothing,
        }
    }

    fn tb_score(&self, wdl: Wdl, ply: usize) -> (Score, Bound) {
        let fifty = self.job.settings.tb_fifty_move_rule;
        match wdl {
            Wdl::Win => (score::tb_win_in(ply), Bound::Lower),
            Wdl::CursedWin if !fifty => (score::tb_win_in(ply), Bound::Lower),
            Wdl::Loss => (-score::tb_win_in(ply), Bound::Upper),
            Wdl::BlessedLoss if !fifty => (-score::tb_win_in(ply), Bound::Upper),
            // A draw in play, but leave the better side a reason to try.
            Wdl::CursedWin => (DRAW + 1, Bound::Exact),
            Wdl::BlessedLoss => (DRAW - 1, Bound::Exact),
            Wdl::Draw => (DRAW, Bound::Exact),
        }
    }
}
