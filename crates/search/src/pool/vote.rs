//! Which thread's move to play.

use chess::Move;
use eval::score::{self, Score};

use crate::event::Bound;
use crate::params::vote;
use crate::root::RootMove;

/// A line that a thread found.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// The iteration it comes from.
    pub(crate) depth: i32,
    pub(crate) seldepth: usize,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    /// Empty if there is no legal move.
    pub(crate) line: Vec<Move>,
}

impl Summary {
    pub(crate) fn new(root: &RootMove) -> Self {
        let &RootMove { depth, seldepth, score, bound, .. } = root;
        Self { depth, seldepth, score, bound, line: root.line.clone() }
    }

    /// Of a position without legal moves.
    pub(crate) fn nothing() -> Self {
        Self { depth: 0, seldepth: 0, score: score::DRAW, bound: Bound::Exact, line: Vec::new() }
    }
}

/// The index of the summary to trust; the main thread's is the first.
///
/// Each thread votes for its move with its depth and its score above the worst; a proven win of
/// any thread is taken at once, the shortest first.
pub(crate) fn choose(summaries: &[Summary]) -> usize {
    let worst = summaries.iter().map(|summary| summary.score).min().unwrap_or(0);
    let weight = |summary: &Summary| {
        i64::from(summary.score - worst + vote::base()) * i64::from(summary.depth.max(1))
    };
    let votes = |mv: Option<&Move>| -> i64 {
        summaries.iter().filter(|other| other.line.first() == mv).map(weight).sum()
    };
    let mut best = 0;
    for (i, summary) in summaries.iter().enumerate().skip(1) {
        let leader = &summaries[best];
        if summary.line.is_empty() {
            continue;
        }
        let better = if score::is_decisive(leader.score) {
            // A shorter win, or a longer loss, or a way out of a loss.
            summary.score > leader.score
        } else if score::is_decisive(summary.score) {
            score::is_win(summary.score)
        } else {
            let (ours, theirs) = (votes(summary.line.first()), votes(leader.line.first()));
            ours > theirs || ours == theirs && weight(summary) > weight(leader)
        };
        if better {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Summary, choose};
    use chess::{Move, Square};
    use eval::score::{mate_in, mated_in};

    fn summary(to: usize, depth: i32, score: i32) -> Summary {
        let line = vec![Move::normal(Square::E1, Square::from_index(to))];
        Summary { depth, score, line, ..Summary::nothing() }
    }

    #[test]
    fn the_majority_wins() {
        assert_eq!(choose(&[summary(1, 10, 20), summary(2, 10, 22), summary(2, 10, 21)]), 1);
        assert_eq!(choose(&[summary(1, 12, 30)]), 0);
    }

    #[test]
    fn a_mate_wins_over_any_vote() {
        assert_eq!(choose(&[summary(1, 10, 20), summary(1, 10, 20), summary(3, 5, mate_in(5))]), 2);
        assert_eq!(choose(&[summary(1, 10, mate_in(3)), summary(2, 12, mate_in(7))]), 0);
    }

    #[test]
    fn a_lost_thread_is_not_followed() {
        assert_eq!(choose(&[summary(1, 10, 0), summary(2, 20, mated_in(4))]), 0);
    }
}
