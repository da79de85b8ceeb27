//! The moves of the root, with what is known of each.

use std::mem;

use chess::{Board, Move};
use eval::score::{INFINITY, Score};

use crate::event::Bound;

/// A root move and its latest result.
#[derive(Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Of the last search of this iteration; minus infinity if it was not the best.
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    /// The iteration the score and the line belong to.
    pub(crate) depth: i32,
    /// No more than this, by what this iteration has found so far.
    ceiling: Score,
    /// No less than this.
    floor: Score,
    /// Of the last finished iteration.
    pub(crate) previous: Score,
    /// A running average, for the aspiration window.
    pub(crate) average: Option<Score>,
    pub(crate) seldepth: usize,
    pub(crate) line: Vec<Move>,
    /// Nodes spent on it in this search.
    pub(crate) nodes: u64,
    /// Of them, those of earlier iterations.
    earlier_nodes: u64,
    /// How promising it looked before the search, in thousandths of log-odds; for order and
    /// reductions. 0 without a policy.
    pub(crate) prior: i32,
}

impl Clone for RootMove {
    fn clone(&self) -> Self {
        Self { line: self.line.clone(), ..*self }
    }

    /// Keeps the memory of the line: all moves are copied at the end of each iteration.
    fn clone_from(&mut self, other: &Self) {
        let mut line = mem::take(&mut self.line);
        line.clone_from(&other.line);
        *self = Self { line, ..*other };
    }
}

/// What an unfinished iteration has shown of the best move, beside its complete score.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct News {
    /// At least so far below it.
    pub(crate) sunk: Score,
    /// At least so far above it.
    pub(crate) risen: Score,
}

/// All moves the root may consider, best first; the first `line` are settled.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    line: usize,
    /// As the last complete iteration left them; empty before the first.
    complete: Vec<RootMove>,
    news: News,
    /// Somebody else has a move to play.
    assumed: bool,
}

impl RootMoves {
    /// The legal moves, only the given ones if there are any among them.
    pub(crate) fn new(board: &Board, only: &[Move]) -> Self {
        let legal = board.legal_moves();
        let restrict = legal.iter().any(|mv| only.contains(mv));
        let moves = legal
            .iter()
            .filter(|mv| !restrict || only.contains(mv))
            .map(|&mv| RootMove {
                mv,
                score: -INFINITY,
                bound: Bound::Exact,
                depth: 0,
                ceiling: INFINITY,
                floor: -INFINITY,
                previous: -INFINITY,
                average: None,
                seldepth: 0,
                line: vec![mv],
                nodes: 0,
                earlier_nodes: 0,
                prior: 0,
            })
            .collect();
        Self { moves, ..Self::default() }
    }

    /// Leaves out all moves but these, unless none would be left.
    pub(crate) fn keep_only(&mut self, best: &[Move]) {
        if self.moves.iter().any(|root| best.contains(&root.mv)) {
            self.moves.retain(|root| best.contains(&root.mv));
        }
    }

    /// The moves, in their current order.
    pub(crate) fn moves(&self) -> Vec<Move> {
        self.moves.iter().map(|root| root.mv).collect()
    }

    /// Notes a policy's logits, one for each move in the current order, and sorts by them.
    pub(crate) fn set_priors(&mut self, logits: &[f32]) {
        let mean = logits.iter().sum::<f32>() / logits.len().max(1) as f32;
        for (root, logit) in self.moves.iter_mut().zip(logits) {
            root.prior = ((logit - mean) * 1000.0).clamp(-20_000.0, 20_000.0) as i32;
        }
        self.moves.sort_by_key(|root| -root.prior);
    }

    /// How promising a move looked before the search.
    pub(crate) fn prior(&self, mv: Move) -> i32 {
        self.moves.iter().find(|root| root.mv == mv).map_or(0, |root| root.prior)
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The first `count` moves.
    pub(crate) fn first(&self, count: usize) -> impl Iterator<Item = &RootMove> {
        self.moves.iter().take(count)
    }

    pub(crate) fn get(&self, index: usize) -> &RootMove {
        &self.moves[index]
    }

    /// Which of several lines is being searched, from 0.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The move to look at first.
    pub(crate) fn first_move(&self) -> Option<Move> {
        self.moves.get(self.line).map(|root| root.mv)
    }

    /// Is the move neither settled nor left out?
    pub(crate) fn may_search(&self, mv: Move) -> bool {
        self.moves[self.line..].iter().any(|root| root.mv == mv)
    }

    /// Did a policy say anything?
    pub(crate) fn has_priors(&self) -> bool {
        self.moves.iter().any(|root| root.prior != 0)
    }

    /// Has any move a result, of this iteration or the last?
    pub(crate) fn has_result(&self) -> bool {
        self.assumed
            || self.moves.iter().any(|root| root.score != -INFINITY || root.previous != -INFINITY)
    }

    /// From now on there is a move to play whatever is found here.
    pub(crate) fn assume_result(&mut self) {
        self.assumed = true;
    }

    /// This move comes first.
    pub(crate) fn put_first(&mut self, mv: Move) {
        if let Some(index) = self.moves.iter().position(|root| root.mv == mv) {
            self.moves[..=index].rotate_right(1);
        }
    }

    /// A new iteration begins.
    pub(crate) fn next_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous = root.score;
            root.earlier_nodes = root.nodes;
            (root.floor, root.ceiling) = (-INFINITY, INFINITY);
        }
        self.line = 0;
    }

    /// An iteration is complete: what is known now stays known.
    pub(crate) fn complete_iteration(&mut self, depth: i32) {
        for root in &mut self.moves {
            root.depth = depth;
        }
        self.complete.clone_from(&self.moves);
    }

    /// An iteration ends unfinished. Everything is as the last complete one left it, except that a
    /// move comes first which this iteration has proved better than the best so far: its score,
    /// or the bound below it, is above all that the former best can have.
    ///
    /// A former best that merely fell short of the window stays, with its complete score and line:
    /// what replaces it is not known yet, and the stump of a line that refuted it is no analysis.
    pub(crate) fn abandon_iteration(&mut self, depth: i32) {
        let Some(former) = self.complete.first() else { return };
        let now = self.moves.iter().find(|root| root.mv == former.mv).unwrap_or(former);
        let better = self.moves.first().filter(|root| {
            root.mv != former.mv && root.bound != Bound::Upper && root.score > now.ceiling
        });
        let better = better.map(|root| RootMove { depth, ..root.clone() });
        if better.is_none() {
            let sunk = (former.score - now.ceiling).max(0);
            self.news = News { sunk, risen: (now.floor - former.score).max(0) };
        }
        // All but the nodes is taken back.
        let mut complete = self.complete.clone();
        for root in &mut complete {
            let spent = self.moves.iter().find(|other| other.mv == root.mv);
            if let Some(spent) = spent {
                (root.nodes, root.earlier_nodes) = (spent.nodes, spent.earlier_nodes);
            }
        }
        self.moves = complete;
        if let Some(better) = better {
            self.moves.retain(|root| root.mv != better.mv);
            self.moves.insert(0, better);
        }
    }

    /// What the iteration that was abandoned has shown of the best move.
    pub(crate) fn news(&self) -> News {
        self.news
    }

    /// Nodes spent on a move, and on the other move that cost most.
    pub(crate) fn nodes_of(&self, mv: Move) -> (u64, u64) {
        self.moves.iter().fold((0, 0), |(own, rival), root| {
            if root.mv == mv { (root.nodes, rival) } else { (own, rival.max(root.nodes)) }
        })
    }

    /// A move's share of the nodes of the latest iteration, in thousandths.
    pub(crate) fn latest_share(&self, mv: Move) -> i32 {
        let latest = |root: &RootMove| root.nodes - root.earlier_nodes;
        let all: u64 = self.moves.iter().map(latest).sum();
        let own = self.moves.iter().find(|root| root.mv == mv).map_or(0, latest);
        (1000 * own / all.max(1)) as i32
    }

    /// How far the best other move is behind this one, by their running averages; 0 if nothing is
    /// known of one of them.
    pub(crate) fn lead(&self, mv: Move) -> Score {
        let own = self.moves.iter().find(|root| root.mv == mv).and_then(|root| root.average);
        let others = self.moves.iter().filter(|root| root.mv != mv);
        let best = others.filter_map(|root| root.average).max();
        own.zip(best).map_or(0, |(own, best)| own - best)
    }

    /// Turns to the next line.
    pub(crate) fn set_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Notes the result of a root move, searched between `alpha` and `beta` with this many nodes.
    /// It has no score of its own until [`RootMoves::record_line`].
    pub(crate) fn record(
        &mut self,
        mv: Move,
        score: Score,
        (alpha, beta): (Score, Score),
        nodes: u64,
    ) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        root.average = Some(root.average.map_or(score, |average| (average + score) / 2));
        root.ceiling = if score >= beta { INFINITY } else { score };
        root.floor = if score <= alpha { -INFINITY } else { score };
        root.score = -INFINITY;
    }

    /// Notes the line of a root move that is the first or better than those before, after
    /// [`RootMoves::record`].
    pub(crate) fn record_line(&mut self, mv: Move, score: Score, line: &[Move], seldepth: usize) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.score = score;
        root.bound = match (root.floor, root.ceiling) {
            (floor, _) if floor < score => Bound::Upper,
            (_, ceiling) if ceiling > score => Bound::Lower,
            _ => Bound::Exact,
        };
        root.seldepth = seldepth;
        root.line.clear();
        root.line.push(mv);
        root.line.extend_from_slice(line);
    }

    /// Sorts the unsettled moves, best first; moves without a score keep their order.
    pub(crate) fn sort_unsettled(&mut self) {
        self.moves[self.line..].sort_by_key(|root| (-root.score, -root.previous));
    }

    /// Sorts everything up to and including the current line.
    pub(crate) fn sort_settled(&mut self) {
        let end = (self.line + 1).min(self.moves.len());
        self.moves[..end].sort_by_key(|root| (-root.score, -root.previous));
    }
}
