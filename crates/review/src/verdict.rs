//! What is thought of a position: a score, its band, and the points that they promise.
//!
//! Points are the chance to win and half the chance to draw, by the model that speaks to GUIs
//! through `UCI_ShowWDL`, for one and the same length of thought.

use chess::{Board, Color};
use eval::score::{self, MATE, Score};
use eval::{Chances, Quantiles};
use uci::ScoreText;

/// A judgement from one side's point of view; White's, where nothing else is said.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Verdict {
    /// In centipawns, or a mate.
    pub score: Score,
    /// What a deeper search may find, around the score.
    pub band: Quantiles,
}

impl Verdict {
    /// A score and the forecast of what a longer search would say. Its middle need not be the
    /// score: a search may know that its score is likely to fall.
    pub fn new(score: Score, forecast: Quantiles) -> Self {
        match score::is_decisive(score) {
            true => Self::certain(score),
            false => Self { score, band: forecast },
        }
    }

    /// A score with doubt of this shape around it.
    #[cfg(test)]
    pub(crate) fn around(score: Score, shape: &Quantiles) -> Self {
        Self::new(score, shape.shifted(score - shape.q50))
    }

    /// What the rules say needs no doubt.
    pub fn certain(score: Score) -> Self {
        Self { score, band: Quantiles::certain(score) }
    }

    /// From White's point of view to a side's, and back.
    pub fn seen_by(&self, side: Color) -> Self {
        match side {
            Color::White => *self,
            Color::Black => Self { score: -self.score, band: self.band.flipped() },
        }
    }

    /// Expected points, 0 to 1: the mean over the band.
    pub fn points(&self, board: &Board) -> f64 {
        Chances::on(board, &self.band).points()
    }

    /// The expected points if one of the five quantiles were the truth, for each of them.
    pub fn point_band(&self, board: &Board) -> [f64; 5] {
        let if_certain = |score| Chances::on(board, &Quantiles::certain(score)).points();
        self.band.to_array().map(if_certain)
    }

    /// The band in pawns; none where there is no doubt.
    pub fn band_text(&self) -> Option<String> {
        let Quantiles { q10, q90, .. } = self.band;
        (q10 < q90).then(|| format!("{} to {}", pawns(q10), pawns(q90)))
    }
}

/// A score in pawns, `#5` for a mate in five, `#-5` for being mated; `mate` when it is on the board.
pub fn pawns(score: Score) -> String {
    match (ScoreText::new(score), MATE - score.abs()) {
        (_, 0) => "mate".to_owned(),
        // Counted here, because the protocol's count is for the side to move only.
        (ScoreText::Mate(_), plies) => format!("#{}", (plies + 1) / 2 * score.signum()),
        (ScoreText::Centipawns(value), _) => format!("{:+.2}", f64::from(value) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use eval::score::{mate_in, mated_in};

    use super::*;

    #[test]
    fn points_mirror_and_grow() {
        let board = Board::default();
        let shape = Quantiles::from_gaps(0, [20, 30, 40, 80]);
        for score in [-900, -100, 0, 35, 400] {
            let verdict = Verdict::around(score, &shape);
            let mirrored = verdict.seen_by(Color::Black);
            let both = verdict.points(&board) + mirrored.points(&board);
            assert!((both - 1.0).abs() < 1e-9, "{score}: {both}");
            assert!(verdict.point_band(&board).is_sorted());
        }
        let better = Verdict::around(150, &shape).points(&board);
        assert!(better > Verdict::around(50, &shape).points(&board) && better < 1.0);
    }

    #[test]
    fn a_mate_is_certain() {
        let mate = Verdict::new(mate_in(7), Quantiles::from_gaps(0, [50, 50, 50, 50]));
        assert_eq!(mate.band, Quantiles::certain(mate.score));
        assert_eq!(mate.points(&Board::default()), 1.0);
        assert_eq!(mate.band_text(), None);
    }

    #[test]
    fn scores_as_text() {
        for (score, text) in [
            (35, "+0.35"),
            (-120, "-1.20"),
            (0, "+0.00"),
            (mate_in(3), "#2"),
            (-mate_in(3), "#-2"),
            (mated_in(4), "#-2"),
            (-mated_in(4), "#2"),
            (mated_in(0), "mate"),
        ] {
            assert_eq!(pawns(score), text);
        }
    }
}
