//! The rule of marks: how much a move lost, and whether that can be said at all.
//!
//! A mark is a claim about a longer search: that the move loses at least 0.05, 0.10 or 0.20 expected
//! points. It is made where the forecasts of the best move and of the move that was played give the
//! claim enough probability. Loss is counted in expected points, both times by the curve of the
//! position before the move, so that an exchange alone, which changes the curve, is no loss.

use chess::Board;
use eval::forecast::probability_of_loss;
use eval::{Chances, Quantiles, score};

use crate::verdict::Verdict;

/// What a move deserves.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub enum Mark {
    /// Nothing to say.
    Fine,
    /// Too close to call, `~`.
    Unclear,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// What is claimed with each mark, the heaviest first: the least loss, and how likely it must be.
const CLAIMS: [(Mark, f64, f64); 3] =
    [(Mark::Blunder, 0.20, 0.95), (Mark::Mistake, 0.10, 0.80), (Mark::Inaccuracy, 0.05, 0.80)];
/// The least probability of the least loss at which a move without a mark is called unclear.
const UNCLEAR: f64 = 0.20;
/// The least probability at which a move is looked at twice.
pub(crate) const LIKELY: f64 = 0.50;

/// A mark and how sure it is.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Claim {
    /// The mark.
    pub mark: Mark,
    /// The probability that the move loses as much as the mark says; for an unclear move, that it
    /// is worse at all by what an inaccuracy costs; 0 where nothing is claimed.
    pub probability: f64,
}

impl Claim {
    /// Nothing is said against the move.
    pub const NONE: Self = Self { mark: Mark::Fine, probability: 0.0 };

    /// The rule. Both verdicts are from the mover's point of view, the board is the one before the
    /// move.
    pub fn new(board: &Board, best: &Verdict, played: &Verdict) -> Self {
        let points = |score| Chances::on(board, &Quantiles::certain(score)).points();
        let probability = |loss| probability_of_loss(&best.band, &played.band, loss, points);
        let claims = CLAIMS.map(|(mark, loss, needed)| (mark, probability(loss), needed));
        // What walks into a mate or misses one is proved: the mark is that of the expected loss.
        let is_proved = score::is_decisive(best.score) || score::is_decisive(played.score);
        let lost = if is_proved { loss(board, best, played) } else { 0.0 };
        let made = claims.iter().find(|&&(mark, probability, needed)| {
            probability >= needed || mark.least_loss().is_some_and(|least| lost >= least)
        });
        match (made, claims) {
            (Some(&(mark, probability, _)), _) => Self { mark, probability },
            (None, [.., (_, probability, _)]) if probability >= UNCLEAR => {
                Self { mark: Mark::Unclear, probability }
            }
            _ => Self::NONE,
        }
    }
}

impl Claim {
    /// Is it worth a second look? A fault may turn out to be one.
    pub(crate) fn is_likely(&self) -> bool {
        self.mark.is_fault() || self.probability >= LIKELY
    }

    /// As far as it can be made after a first look: that a move is unclear, and no more.
    pub(crate) fn at_first_sight(self) -> Self {
        Self { mark: self.mark.min(Mark::Unclear), ..self }
    }
}

impl Mark {
    /// The least loss, in expected points, that the mark claims; none if it claims nothing.
    pub fn least_loss(self) -> Option<f64> {
        CLAIMS.iter().find(|(mark, ..)| *mark == self).map(|&(_, loss, _)| loss)
    }

    /// Is it one of the marks that say a move was worse?
    pub fn is_fault(self) -> bool {
        self >= Self::Inaccuracy
    }

    /// As players write it; `~` is unclear.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Fine => "",
            Self::Unclear => "~",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Unclear => "unclear",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// PGN's number for it. There is none for a move of unclear worth.
    pub fn nag(self) -> Option<u8> {
        match self {
            Self::Fine | Self::Unclear => None,
            Self::Inaccuracy => Some(6),
            Self::Mistake => Some(2),
            Self::Blunder => Some(4),
        }
    }
}

/// Expected points lost by a move, never below zero. Both verdicts are from the mover's point of
/// view, the board is the one before the move.
pub fn loss(board: &Board, best: &Verdict, played: &Verdict) -> f64 {
    (best.points(board) - played.points(board)).max(0.0)
}

#[cfg(test)]
mod tests {
    use eval::Quantiles;
    use eval::score::{mate_in, mated_in};

    use super::*;

    fn mark(best: i32, played: i32, half: i32) -> Mark {
        let shape = Quantiles::from_gaps(0, [half, half, half, half]);
        let (best, played) = (Verdict::around(best, &shape), Verdict::around(played, &shape));
        Claim::new(&Board::default(), &best, &played).mark
    }

    #[test]
    fn marks_follow_the_loss() {
        assert_eq!(mark(30, 20, 0), Mark::Fine);
        assert_eq!(mark(30, 300, 0), Mark::Fine);
        assert_eq!(mark(30, 0, 0), Mark::Inaccuracy);
        assert_eq!(mark(30, -40, 0), Mark::Mistake);
        assert_eq!(mark(30, -400, 0), Mark::Blunder);
    }

    /// The same difference is a blunder where the engine is sure, less where it is not so sure, and
    /// unclear where it does not know.
    #[test]
    fn doubt_lightens_a_mark() {
        let marks = [0, 40, 70, 110, 250].map(|half| mark(30, -250, half));
        assert!(marks.is_sorted_by(|a, b| a >= b), "{marks:?}");
        assert_eq!((marks[0], marks[4]), (Mark::Blunder, Mark::Unclear));
    }

    #[test]
    fn mates_leave_no_doubt() {
        assert_eq!(mark(30, mated_in(4), 500), Mark::Blunder);
        assert_eq!(mark(mate_in(3), 0, 500), Mark::Blunder);
        assert_eq!(mark(mate_in(3), mate_in(9), 500), Mark::Fine);
    }

    /// A winning side that stays winning has lost next to nothing.
    #[test]
    fn decided_games_stay_unmarked() {
        assert_eq!(mark(1500, 1000, 0), Mark::Fine);
    }
}
