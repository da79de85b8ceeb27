//! How the iterations of a search went: for the clock, and for forecasts.

use chess::Move;
use eval::Quantiles;
use eval::forecast::MEMORY;
use eval::score::Score;

use super::moves::RootMove;
use crate::params::stretch;

/// A confidence that stands still says nothing before this many nodes.
const SETTLED_NODES: u64 = 4000;
/// Thousandths by which a confidence must grow to be called higher.
const SURER: i32 = 20;

/// A complete iteration.
struct Iteration {
    /// The best moves and their scores, best first.
    lines: Vec<(Move, Score)>,
    /// Nodes of this thread at its end.
    nodes: u64,
    fails_low: i32,
    fails_high: i32,
    shown: Shown,
}

/// What listeners have seen of the best line.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Shown {
    /// How sure the forecast was of the move, in thousandths.
    pub(crate) confidence: Option<u16>,
    /// From q10 to q90.
    pub(crate) width: Score,
}

/// All iterations of a search, as one thread saw them.
#[derive(Default)]
pub(crate) struct Iterations {
    iterations: Vec<Iteration>,
    /// Window failures of the iteration that is going on.
    fails_low: i32,
    fails_high: i32,
    /// How often the best move changed lately, older changes counting less.
    changes: f64,
    /// The static evaluation of the root, once somebody has asked.
    root: Option<Quantiles>,
}

impl Iterations {
    /// A search begins.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The static evaluation of the root: `evaluate` is called the first time.
    pub(crate) fn root(&mut self, evaluate: impl FnOnce() -> Quantiles) -> Quantiles {
        *self.root.get_or_insert_with(evaluate)
    }

    pub(crate) fn fail_low(&mut self) {
        self.fails_low += 1;
    }

    pub(crate) fn fail_high(&mut self) {
        self.fails_high += 1;
    }

    /// An iteration is complete and has found these lines.
    pub(crate) fn complete<'a>(&mut self, lines: impl Iterator<Item = &'a RootMove>, nodes: u64) {
        let lines: Vec<_> = lines.map(|root| (root.mv, root.score)).collect();
        let changed = self.move_at(0, 0).is_some_and(|mv| Some(mv) != lines.first().map(|l| l.0));
        let kept = f64::from(stretch::changes_decay()) / 1000.0;
        self.changes = kept * (self.changes + f64::from(u8::from(changed)));
        let Self { fails_low, fails_high, .. } = *self;
        let iteration = Iteration { lines, nodes, fails_low, fails_high, shown: Shown::default() };
        self.iterations.push(iteration);
        (self.fails_low, self.fails_high) = (0, 0);
    }

    /// The line with this index, `ago` complete iterations before.
    fn line(&self, index: usize, ago: usize) -> Option<(Move, Score)> {
        self.iterations.iter().rev().nth(ago)?.lines.get(index).copied()
    }

    fn move_at(&self, index: usize, ago: usize) -> Option<Move> {
        self.line(index, ago).map(|(mv, _)| mv)
    }

    /// In how many complete iterations in a row, the last included, a move stood in this place.
    pub(crate) fn stood(&self, index: usize, mv: Move) -> usize {
        (0..self.iterations.len()).take_while(|&ago| self.move_at(index, ago) == Some(mv)).count()
    }

    /// How often the move in this place changed in the last iterations.
    pub(crate) fn recent_changes(&self, index: usize) -> usize {
        let pairs = (0..MEMORY)
            .filter_map(|ago| Some(self.move_at(index, ago)? != self.move_at(index, ago + 1)?));
        pairs.filter(|&changed| changed).count()
    }

    /// How often the best move changed, older changes counting less.
    pub(crate) fn changes(&self) -> f64 {
        self.changes
    }

    /// The scores in this place, newest first; the oldest is repeated, `otherwise` stands for none.
    pub(crate) fn scores(&self, index: usize, otherwise: Score) -> [Score; MEMORY] {
        let mut last = otherwise;
        std::array::from_fn(|ago| {
            last = self.line(index, ago).map_or(last, |(_, score)| score);
            last
        })
    }

    /// What was shown after the iteration that was completed last.
    pub(crate) fn set_shown(&mut self, shown: Shown) {
        if let Some(last) = self.iterations.last_mut() {
            last.shown = shown;
        }
    }

    /// What was shown after the last complete iteration, the one before it if nothing yet was.
    pub(crate) fn shown(&self) -> Shown {
        let known = self.iterations.iter().rev().find(|iteration| iteration.shown.width > 0);
        known.map_or(Shown::default(), |iteration| iteration.shown)
    }

    /// The confidence after the last complete iteration.
    pub(crate) fn confidence(&self) -> Option<u16> {
        self.iterations.last()?.shown.confidence
    }

    /// Has the confidence stopped growing? Since a sixteenth of the nodes it was never higher, by
    /// more than a little, than it was then.
    pub(crate) fn no_surer(&self) -> bool {
        let then = self.nodes() / 16;
        let begun = self.iterations.partition_point(|iteration| iteration.nodes < then);
        let sure = |iteration: &Iteration| iteration.shown.confidence.map_or(0, i32::from);
        let Some(before) = self.iterations.get(begun).map(sure) else { return false };
        then >= SETTLED_NODES
            && self.iterations[begun..].iter().all(|later| sure(later) <= before + SURER)
    }

    /// How far the last score is below the mean of the four before it.
    pub(crate) fn drop(&self) -> Score {
        let score = |ago| self.line(0, ago).map(|(_, score)| score);
        let before: Vec<Score> = (1..=4).map_while(score).collect();
        match (score(0), before.len()) {
            (Some(last), count @ 1..) => before.iter().sum::<Score>() / count as Score - last,
            _ => 0,
        }
    }

    /// Nodes of this thread when the last complete iteration ended.
    pub(crate) fn nodes(&self) -> u64 {
        self.iterations.last().map_or(0, |last| last.nodes)
    }

    /// Window failures, low and high, of the iteration that is going on, or else of the last.
    pub(crate) fn fails(&self) -> (i32, i32) {
        match (self.fails_low + self.fails_high, self.iterations.last()) {
            (0, Some(last)) => (last.fails_low, last.fails_high),
            _ => (self.fails_low, self.fails_high),
        }
    }
}
