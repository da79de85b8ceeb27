//! The rule of marks: how much a move lost, and whether that can be said at all.
//!
//! Loss is counted in expected points, both times by the curve of the position before the move, so
//! that an exchange alone, which changes the curve, is no loss. A loss is marked only if the middle
//! halves of the two bands (q25 to q75) are apart. Where they overlap, a deeper search may well
//! prefer the move that was played, and the move is called unclear.

use chess::Board;

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

/// The least losses for each mark, in hundredths of a point, as they are shown.
const INACCURACY: i32 = 5;
const MISTAKE: i32 = 10;
const BLUNDER: i32 = 20;

impl Mark {
    /// The rule. Both verdicts are from the mover's point of view.
    pub fn new(loss: f64, best: &Verdict, played: &Verdict) -> Self {
        let loss = (100.0 * loss).round() as i32;
        if loss < INACCURACY {
            Self::Fine
        } else if best.band.q25 <= played.band.q75 {
            Self::Unclear
        } else if loss < MISTAKE {
            Self::Inaccuracy
        } else if loss < BLUNDER {
            Self::Mistake
        } else {
            Self::Blunder
        }
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
        Mark::new(loss(&Board::default(), &best, &played), &best, &played)
    }

    #[test]
    fn marks_follow_the_loss() {
        assert_eq!(mark(30, 20, 0), Mark::Fine);
        assert_eq!(mark(30, 300, 0), Mark::Fine);
        assert_eq!(mark(30, -40, 0), Mark::Inaccuracy);
        assert_eq!(mark(30, -120, 0), Mark::Mistake);
        assert_eq!(mark(30, -400, 0), Mark::Blunder);
    }

    /// The same loss is a mistake where the engine is sure and unclear where it is not.
    #[test]
    fn doubt_withholds_a_mark() {
        assert_eq!(mark(30, -120, 60), Mark::Mistake);
        assert_eq!(mark(30, -120, 75), Mark::Unclear);
        assert_eq!(mark(30, 20, 200), Mark::Fine);
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
