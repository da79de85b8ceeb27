//! The seam between the search and whoever foresees what a longer search would say.
//!
//! At the end of an iteration the search gathers what it knows of a line in [`Facts`], and a
//! [`Forecaster`] makes of them a [`Forecast`]: where the score of a search with
//! [`FACTOR`] times the nodes will lie, and how likely the move stays the best. The search works
//! without one.

use crate::{Quantiles, Score};

/// A forecast speaks of a search with this many times the nodes, from an empty table.
pub const FACTOR: u64 = 64;

/// How many iterations back the facts reach.
pub const MEMORY: usize = 8;

/// Expected points by which a move may fall short of the best and still count as the best.
pub const TOLERANCE: f64 = 0.02;

/// What a search knows of a line at the end of an iteration. Scores are for the side to move.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Facts {
    /// The iteration.
    pub depth: i32,
    /// The longest line looked at.
    pub seldepth: i32,
    /// Nodes of the whole search.
    pub nodes: u64,
    /// The line's score.
    pub score: Score,
    /// The scores of the best line in the last complete iterations (of the second best for the
    /// second line, and so on), newest first; the oldest is repeated.
    pub scores: [Score; MEMORY],
    /// How many iterations in a row had this move in this place.
    pub stood: i32,
    /// How often the move in this place changed within the last [`MEMORY`] iterations.
    pub changes: i32,
    /// How often the window failed low in the last iteration.
    pub fails_low: i32,
    /// How often it failed high.
    pub fails_high: i32,
    /// The share of the nodes spent on this move, in thousandths.
    pub share: i32,
    /// The share spent on the other move that cost most.
    pub rival_share: i32,
    /// The move's share of the nodes of the latest iteration alone, in thousandths.
    pub latest_share: i32,
    /// How far the best of the other moves is behind this one, by a running average of the scores
    /// and bounds that each of them got.
    pub lead: Score,
    /// The move captures or promotes.
    pub noisy: bool,
    /// How far the line is behind the best one; 0 for the best.
    pub behind: Score,
    /// The static evaluation at the root; without width in check.
    pub root: Quantiles,
    /// The static evaluation where the line ends, without width if nothing on it can be judged.
    pub leaf: Quantiles,
    /// What experience adds to the static evaluation of the root.
    pub correction: Score,
    /// Men on the board.
    pub men: i32,
    /// Moves that are considered at the root.
    pub moves: i32,
    /// Half-moves since the last capture or pawn move.
    pub fifty: i32,
    /// The side to move is in check.
    pub check: bool,
    /// Half-moves of the line.
    pub length: i32,
    /// The line ends in a draw by rule.
    pub drawn: bool,
    /// The search has looked into tablebases.
    pub tablebases: bool,
    /// How far below its score the best move has been shown to be since, by an iteration that was
    /// not finished.
    pub sunk: Score,
    /// How far above.
    pub risen: Score,
    /// The distance from q10 to q90 that was shown after the last complete iteration; 0 if none was.
    pub last_width: Score,
    /// The share of nodes that went into the unfinished iteration, in thousandths.
    pub unfinished: i32,
}

/// What a longer search would say.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Forecast {
    /// Of its score. The five never cross.
    pub quantiles: Quantiles,
    /// The probability that it finds the move the best, or within [`TOLERANCE`] expected points
    /// of the best, in thousandths.
    pub confidence: u16,
}

impl Forecast {
    /// Of what is proved: a mate, a result of the tablebases.
    pub const fn proved(score: Score) -> Self {
        Self { quantiles: Quantiles::certain(score), confidence: 1000 }
    }
}

/// Foresees.
pub trait Forecaster: Send + Sync {
    /// The forecast of a line whose score is not [decisive](crate::score::is_decisive).
    fn forecast(&self, facts: &Facts) -> Forecast;
}

/// The probability, 0 to 1, that a move loses at least `loss` expected points, if a longer search
/// of the best move and one of this move would find scores distributed like `best` and `played`,
/// both for the same side. `points` turns a score into expected points.
///
/// The two are taken as independent. They are not quite: what one search overlooks the other may
/// overlook too, so that the probability of a small loss comes out nearer to a half than it is.
pub fn probability_of_loss(
    best: &Quantiles,
    played: &Quantiles,
    loss: f64,
    points: impl Fn(Score) -> f64,
) -> f64 {
    let (best, played) = (best.twentieths().map(&points), played.twentieths().map(&points));
    // So that a certain loss of exactly this much counts, whatever the rounding of the two.
    let enough = loss - 1e-9;
    let pairs = best.iter().flat_map(|best| played.iter().map(move |played| best - played));
    pairs.filter(|&lost| lost >= enough).count() as f64 / 400.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(score: Score) -> f64 {
        0.5 + f64::from(score.clamp(-500, 500)) / 1000.0
    }

    #[test]
    fn a_certain_loss_is_certain() {
        let (best, played) = (Quantiles::certain(200), Quantiles::certain(100));
        assert_eq!(probability_of_loss(&best, &played, 0.1, points), 1.0);
        assert_eq!(probability_of_loss(&best, &played, 0.11, points), 0.0);
    }

    #[test]
    fn doubt_makes_losses_doubtful() {
        let wide = Quantiles::from_gaps(150, [60, 40, 40, 60]);
        let half = probability_of_loss(&wide, &wide, 0.0, points);
        assert!((0.45..0.6).contains(&half), "{half}");
        let losses = [0.0, 0.05, 0.1, 0.2, 0.5];
        let chances = losses.map(|loss| probability_of_loss(&wide, &wide, loss, points));
        assert!(chances.is_sorted_by(|a, b| a > b), "{chances:?}");
    }
}
