//! The static evaluation of a node: the evaluator's median, corrected, with its doubt.

use chess::Board;
use eval::score;
use eval::{Evaluator, Quantiles, Score};

use crate::doubt::Doubt;
use crate::params::static_eval as param;
use crate::pool::Worker;

/// The static evaluation of a node.
#[derive(Copy, Clone, Debug)]
pub(crate) struct StaticEval {
    /// As the evaluator gave it, for the table.
    pub(crate) raw: Score,
    /// Corrected by how wrong it was in similar positions.
    pub(crate) value: Score,
    pub(crate) doubt: Doubt,
}

impl<E: Evaluator> Worker<E> {
    /// The static evaluation; `known` is what the table holds of it.
    #[inline]
    pub(crate) fn static_eval(
        &mut self,
        board: &Board,
        ply: usize,
        known: Option<(Score, Doubt)>,
    ) -> StaticEval {
        let (raw, doubt) = known.unwrap_or_else(|| {
            let q = self.evaluator.evaluate(board);
            (score::clamp_eval(q.q50), Doubt::new(q.q50 - q.q10, q.q90 - q.q50))
        });
        // A sure win is a matter of technique: nothing may blur the way to it.
        if raw.abs() >= param::sure() {
            return StaticEval { raw, value: raw, doubt: Doubt::default() };
        }
        // The closer the fifty-move rule, the closer to a draw.
        let halfmoves = Score::from(board.halfmove_clock().min(100));
        let faded = raw - raw * halfmoves / param::fifty_divisor();
        let correction = self.histories.correction.get(board, self.stack.last_two(ply));
        let risk = self.risk_bonus(board, doubt);
        let doubt = if self.job.settings.use_width { doubt } else { Doubt::default() };
        StaticEval { raw, value: score::clamp_eval(faded + correction + risk), doubt }
    }

    /// The option `Risk`: at 100 the root's side plays by its q90, at -100 by its q10.
    #[inline]
    fn risk_bonus(&self, board: &Board, doubt: Doubt) -> Score {
        if self.job.settings.risk == 0 {
            return 0;
        }
        let ours = board.side_to_move() == self.job.position.board().side_to_move();
        // The upper gap of the root's side is the lower gap of its opponent.
        if ours {
            self.risk_gain(doubt.below(), doubt.above())
        } else {
            -self.risk_gain(doubt.above(), doubt.below())
        }
    }

    /// What `Risk` adds for the root's side to an evaluation with these gaps, seen from that side.
    fn risk_gain(&self, below: Score, above: Score) -> Score {
        let risk = self.job.settings.risk;
        risk * if risk > 0 { above } else { below } / 100
    }

    /// What `Risk` has added to the score of a line whose end is judged like this, seen from the
    /// root's side. It is taken off again before anybody sees the score.
    pub(crate) fn risk_in(&self, leaf: &Quantiles) -> Score {
        if leaf.q50.abs() >= param::sure() {
            return 0;
        }
        let doubt = Doubt::new(leaf.q50 - leaf.q10, leaf.q90 - leaf.q50);
        self.risk_gain(doubt.below(), doubt.above())
    }
}
