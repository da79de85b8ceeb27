//! What a search reports to its listener: plain data, no text.

use std::time::Duration;

use chess::Move;
use eval::{Quantiles, Score};

/// What a score is known to be.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least the score (the search failed high).
    Lower,
    /// At most the score (the search failed low).
    Upper,
}

/// One line of analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second best …
    pub multi_pv: usize,
    /// For the side to move.
    pub score: Score,
    /// What a search with 64 times the nodes would say, for the side to move: with a forecaster,
    /// five quantiles of its score; without one, the shape of the static evaluation around the
    /// score. No width where a result is proved, and none from a tree search, whose bands nobody
    /// has checked.
    pub quantiles: Quantiles,
    /// The probability, in thousandths, that such a search finds this move the best or nearly so;
    /// none without a forecaster.
    pub confidence: Option<u16>,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Tablebase hits of all threads.
    pub tb_hits: u64,
    /// Since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// The line, legal from end to end, never empty.
    pub pv: Vec<Move>,
}

/// How much of a search went into one move of the root.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Share {
    /// The move.
    pub mv: Move,
    /// Its part of all visits, 0 to 1.
    pub part: f32,
}

/// Why a search that was to go on until it is sure of its move ends.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Settled {
    /// It is as sure as it was to be: the confidence, in thousandths.
    Sure(u16),
    /// It is no surer than it was with a sixteenth of the nodes: the confidence, in thousandths.
    /// A fortress, a dead draw, two moves of equal worth: more thought does not help.
    NoSurer(u16),
}

/// What happens during a search. `BestMove` is always the last, and comes exactly once.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A line of analysis.
    Info(Info),
    /// A root move is being looked at; sent only when a search takes long.
    CurrentMove {
        /// The iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number, from 1.
        number: usize,
    },
    /// How a search by visits divides them among the moves of the root, most visited first: a
    /// picture of the plausible moves. Only of a tree search.
    Shares(Vec<Share>),
    /// A search that was to go on until it is [sure](crate::Limits::sure) ends by itself.
    Settled(Settled),
    /// The search is over.
    BestMove {
        /// The move to play; none if the game is over.
        best: Option<Move>,
        /// The reply to ponder on.
        ponder: Option<Move>,
    },
}
