//! The chances of win, draw and loss that go with a score.
//!
//! A score alone gives a chance by a curve whose shape depends on the material left. An evaluation
//! with doubts gives more: the chance is then the mean over its distribution, so that an unclear
//! position shows fewer draws than a quiet one with the same score.

use crate::Quantiles;
use crate::score::{Score, is_loss, is_win};
use chess::{Board, Piece};

/// Chances in thousandths, for the side to move; they add up to 1000.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Chances {
    /// The side to move wins.
    pub win: u32,
    /// Nobody wins.
    pub draw: u32,
    /// The side to move loses.
    pub loss: u32,
}

/// What a score must reach to win half of the games, and how steeply the chances rise around it,
/// in centipawns: at the start of a game and with next to nothing left. In between, straight lines.
///
/// Fitted (maximum likelihood, rounded, with one typical width for all) to a sample of 5,000
/// positions of 75 games of the engine against itself, 4,000 nodes a move, from unbalanced
/// openings; longer thought draws more often.
const HALF: (f64, f64) = (80.0, 190.0);
const SLOPE: (f64, f64) = (230.0, 25.0);
/// Material at the start, counted by [`Chances::material`].
const FULL: f64 = 78.0;
/// How much of a distribution each of its five quantiles stands for.
const SHARES: [f64; 5] = [0.175, 0.2, 0.25, 0.2, 0.175];

impl Chances {
    /// Both sides' material in pawns; the measure of how much game is left.
    pub fn material(board: &Board) -> u32 {
        [
            (Piece::Pawn, 1),
            (Piece::Knight, 3),
            (Piece::Bishop, 3),
            (Piece::Rook, 5),
            (Piece::Queen, 9),
        ]
        .into_iter()
        .map(|(piece, value)| value * board.kind(piece).count())
        .sum()
    }

    /// The chances of a score on this board with an evaluation as wide as `doubt`.
    pub fn on(board: &Board, score: Score, doubt: &Quantiles) -> Self {
        Self::of(score, doubt, Self::material(board))
    }

    /// Expected points, 0 to 1, for the side to move.
    pub fn points(self) -> f64 {
        f64::from(2 * self.win + self.draw) / 2000.0
    }

    /// The chances of a score with this much material (see [`material`](Self::material)) on the board and an
    /// evaluation as wide as `doubt`, wherever that one is centred.
    pub fn of(score: Score, doubt: &Quantiles, material: u32) -> Self {
        if is_win(score) {
            return Self { win: 1000, draw: 0, loss: 0 };
        }
        if is_loss(score) {
            return Self { win: 0, draw: 0, loss: 1000 };
        }
        let full = (f64::from(material) / FULL).min(1.0);
        let mix = |(start, end): (f64, f64)| start * full + end * (1.0 - full);
        let (half, slope) = (mix(HALF), mix(SLOPE));
        let chance = |score: Score| 1.0 / (1.0 + ((half - f64::from(score)) / slope).exp());
        let mean = |sign: Score| {
            let points = doubt.to_array().map(|point| sign * (score + point - doubt.q50));
            points.into_iter().zip(SHARES).map(|(point, share)| share * chance(point)).sum::<f64>()
        };
        let win = (1000.0 * mean(1)).round() as u32;
        let loss = (1000.0 * mean(-1)).round() as u32;
        // Each is below a half where the other is not, but rounding could go up twice.
        Self { win, draw: 1000_u32.saturating_sub(win + loss), loss: loss.min(1000 - win) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{EVAL_LIMIT, mate_in, mated_in, tb_win_in};

    const SURE: Quantiles = Quantiles::certain(0);

    #[test]
    fn chances_add_up_and_mirror() {
        let wide = Quantiles::from_gaps(300, [80, 60, 90, 200]);
        for material in [0, 10, 40, 78, 200] {
            for doubt in [SURE, wide] {
                for score in (-EVAL_LIMIT..=EVAL_LIMIT).step_by(7) {
                    let ours = Chances::of(score, &doubt, material);
                    let theirs = Chances::of(-score, &doubt.flipped(), material);
                    assert_eq!(ours.win + ours.draw + ours.loss, 1000);
                    assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
                }
            }
        }
    }

    #[test]
    fn a_better_score_never_wins_less() {
        for material in [0, 40, 78] {
            let wins = (-2000..2000).map(|score| Chances::of(score, &SURE, material).win);
            assert!(wins.is_sorted());
        }
    }

    #[test]
    fn doubt_makes_draws_rarer() {
        let wide = Quantiles::from_gaps(0, [150, 100, 100, 150]);
        assert!(Chances::of(0, &wide, 60).draw < Chances::of(0, &SURE, 60).draw);
    }

    #[test]
    fn decided_games_are_certain() {
        assert_eq!(Chances::of(mate_in(5), &SURE, 9).win, 1000);
        assert_eq!(Chances::of(tb_win_in(5), &SURE, 9).win, 1000);
        assert_eq!(Chances::of(mated_in(4), &SURE, 9).loss, 1000);
    }

    #[test]
    fn material_of_the_start() {
        assert_eq!(f64::from(Chances::material(&Board::default())), FULL);
    }
}
