//! What a search came to.

use std::time::Duration;

use chess::Move;
use eval::Score;
use search::{Event, Info, Settled, Share};

/// A finished search, or as much of one as has been reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move to play; none if the game is over (or the search is not).
    pub best: Option<Move>,
    /// The reply to ponder on.
    pub ponder: Option<Move>,
    /// The move comes from a book, without a search.
    pub is_book: bool,
    /// The last report on each of the best lines, best first; scores are for the side to move.
    /// Empty where nothing was searched: the game is over, the move comes from a book, or a limit
    /// came before the first iteration was complete.
    pub lines: Vec<Info>,
    /// How the search's visits divide among the moves, most visited first; empty unless the option
    /// `MCTS` is on.
    pub shares: Vec<Share>,
    /// Why the search ended, if it was to go on until it is sure of its move and did.
    pub settled: Option<Settled>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
}

impl Answer {
    /// The score of the best line, for the side to move.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// Takes in an event; `count` is how many lines were asked for.
    pub(crate) fn update(&mut self, event: Event, count: usize) {
        match event {
            Event::Info(info) => self.update_line(info, count),
            Event::Settled(settled) => self.settled = Some(settled),
            Event::BestMove { best, ponder } => {
                self.best = best;
                self.ponder = ponder;
            }
            Event::Shares(shares) => self.shares = shares,
            Event::CurrentMove { .. } => {}
        }
    }

    /// A line takes its place and pushes others down: a search that is cut short may report its
    /// new best line alone.
    fn update_line(&mut self, info: Info, count: usize) {
        self.nodes = info.nodes;
        self.time = info.time;
        self.lines.retain(|old| old.pv.first() != info.pv.first());
        self.lines.insert((info.multi_pv - 1).min(self.lines.len()), info);
        self.lines.truncate(count);
    }
}
