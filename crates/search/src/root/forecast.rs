//! What the search knows of a line, gathered for the forecaster.

use chess::{Board, Move};
use eval::score::{self, Score};
use eval::{Evaluator, Facts, Forecast, Quantiles};

use super::moves::News;
use crate::pool::{Summary, Worker};

/// The place where a line ends, and whether the rules end it there.
struct LineEnd {
    /// The last position of the line that is no check, if there is one.
    calm: Option<Board>,
    drawn: bool,
}

/// What listeners get to see of a line.
pub(crate) struct Outlook {
    /// Without what `Risk` added to it.
    pub(crate) score: Score,
    pub(crate) quantiles: Quantiles,
    pub(crate) confidence: Option<u16>,
}

impl<E: Evaluator> Worker<E> {
    /// What to show of a line, which is the best or one of the next best, and what a longer search
    /// would say of it; what is proved needs no forecast. `score` is the search's, or that of the
    /// tablebases.
    ///
    /// Without a forecaster the static evaluation at the end of the line, where the score comes
    /// from, gives the distribution its shape.
    pub(crate) fn outlook(&mut self, found: &Summary, score: Score, index: usize) -> Outlook {
        if score::is_decisive(score) || self.job.tb_root.is_some() {
            let Forecast { quantiles, confidence } = Forecast::proved(score);
            return Outlook { score, quantiles, confidence: Some(confidence) };
        }
        let end = self.line_end(&found.line);
        let root = self.job.position.board().clone();
        let leaf = end.calm.as_ref().map_or(Quantiles::certain(score), |calm| {
            self.evaluator.reset(calm);
            let leaf = self.evaluator.evaluate(calm);
            self.evaluator.reset(&root);
            if calm.side_to_move() == root.side_to_move() { leaf } else { leaf.flipped() }
        });
        let risk = if end.drawn { 0 } else { self.risk_in(&leaf) };
        let score = score - risk;
        let Some(forecaster) = self.job.forecaster.clone() else {
            let quantiles = leaf.shifted(score - leaf.q50);
            return Outlook { score, quantiles, confidence: None };
        };
        let mut facts = self.facts(&root, found, index, leaf, end.drawn);
        facts.score -= risk;
        facts.scores = facts.scores.map(|score| score - risk);
        let Forecast { quantiles, confidence } = forecaster.forecast(&facts);
        // There is nothing else to play.
        let confidence = if self.root.len() == 1 { 1000 } else { confidence };
        Outlook { score, quantiles, confidence: Some(confidence) }
    }

    fn facts(
        &mut self,
        root: &Board,
        found: &Summary,
        index: usize,
        leaf: Quantiles,
        drawn: bool,
    ) -> Facts {
        let mv = found.line[0];
        let check = root.in_check();
        let quantiles = match check {
            true => Quantiles::certain(leaf.q50),
            false => self.iterations.root(|| self.evaluator.evaluate(root)),
        };
        let last_two = self.stack.last_two(0);
        let correction = if check { 0 } else { self.histories.correction.get(root, last_two) };
        let stood = self.iterations.stood(index, mv) as i32;
        // A new move of an unfinished iteration is a change that no complete one knows of.
        let changes = self.iterations.recent_changes(index) as i32 + i32::from(stood == 0);
        let (fails_low, fails_high) = self.iterations.fails();
        let thousandths = |part: u64| (1000 * part / self.nodes.max(1)) as i32;
        let (own, rival) = self.root.nodes_of(mv);
        let news = if index == 0 { self.root.news() } else { News::default() };
        Facts {
            depth: found.depth,
            seldepth: found.seldepth as i32,
            nodes: self.control().nodes(),
            score: found.score,
            scores: self.iterations.scores(index, found.score),
            stood,
            changes,
            fails_low,
            fails_high,
            share: thousandths(own),
            rival_share: thousandths(rival),
            latest_share: self.root.latest_share(mv),
            lead: self.root.lead(mv),
            noisy: root.is_noisy(mv),
            behind: self.root.best().map_or(0, |best| best.score - found.score).max(0),
            root: quantiles,
            leaf,
            correction,
            men: root.occupied().count() as i32,
            moves: self.root.len() as i32,
            fifty: i32::from(root.halfmove_clock()),
            check,
            length: found.line.len() as i32,
            drawn,
            tablebases: self.control().tb_hits() > 0,
            last_width: if index == 0 { self.iterations.shown().width } else { 0 },
            sunk: news.sunk,
            risen: news.risen,
            unfinished: thousandths(self.nodes.saturating_sub(self.iterations.nodes())),
        }
    }

    fn line_end(&self, line: &[Move]) -> LineEnd {
        let mut board = self.job.position.board().clone();
        let mut keys = self.job.position.keys().to_vec();
        let root = keys.len();
        let mut calm = (!board.in_check()).then(|| board.clone());
        for &mv in line {
            keys.push(board.key());
            board.make_move(mv, &mut ());
            if !board.in_check() {
                calm = Some(board.clone());
            }
        }
        let drawn = board.halfmove_clock() >= 100
            || board.is_insufficient_material()
            || chess::repetition::is_repetition(&keys, root, &board);
        LineEnd { calm, drawn }
    }
}
