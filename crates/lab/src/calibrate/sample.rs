//! What one held-out position says about a network, and sums of it.

use eval::Quantiles;

use crate::statistics::{LEVELS, pinball, sigmoid};

/// A judgement and what the search found, both in the engine's centipawns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The five quantiles from low to high.
    pub(crate) quantiles: [f64; 5],
    /// The score of the search.
    pub(crate) score: f64,
    /// Pieces on the board.
    pub(crate) pieces: usize,
}

impl Sample {
    pub(crate) fn new(judged: &Quantiles, score: f64, pieces: usize) -> Self {
        Self { quantiles: judged.to_array().map(f64::from), score, pieces }
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantiles[2]
    }

    /// Distance of the outer quantiles.
    pub(crate) fn width(&self) -> f64 {
        self.quantiles[4] - self.quantiles[0]
    }

    /// How far the search moved the score from the static median.
    pub(crate) fn surprise(&self) -> f64 {
        (self.score - self.median()).abs()
    }

    /// 1 if the score is below the quantile, ½ if equal: quantiles are whole numbers.
    fn below(&self, quantile: f64) -> f64 {
        match self.score.total_cmp(&quantile) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        }
    }
}

/// Sums over a set of positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    /// Positions.
    pub(crate) count: usize,
    below: [f64; 5],
    pinball: f64,
    baseline: f64,
    width: f64,
}

impl Summary {
    /// Summarises positions. `offsets` are the baseline's constant distances from the median,
    /// `scale` the centipawns of one unit of log-odds.
    pub(crate) fn of<'a>(
        samples: impl Iterator<Item = &'a Sample>,
        offsets: &[f64; 5],
        scale: f64,
    ) -> Self {
        let mut sum = Self::default();
        for sample in samples {
            sum.count += 1;
            sum.width += sample.width();
            let won = win_probability(sample.score, scale);
            for (k, level) in LEVELS.into_iter().enumerate() {
                let quantile = sample.quantiles[k];
                sum.below[k] += sample.below(quantile);
                sum.pinball += pinball(level, won, win_probability(quantile, scale));
                let fixed = sample.median() + offsets[k];
                sum.baseline += pinball(level, won, win_probability(fixed, scale));
            }
        }
        sum
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.count.max(1) as f64
    }

    /// Share of scores below each quantile.
    pub(crate) fn coverage(&self) -> [f64; 5] {
        self.below.map(|share| self.mean(share))
    }

    /// Mean quantile loss, all five together, in win probability.
    pub(crate) fn pinball(&self) -> f64 {
        self.mean(self.pinball)
    }

    /// The same if every position had the same doubt.
    pub(crate) fn baseline(&self) -> f64 {
        self.mean(self.baseline)
    }

    /// Mean distance of the outer quantiles.
    pub(crate) fn width(&self) -> f64 {
        self.mean(self.width)
    }

    /// Shares of scores between neighbouring quantiles: ideally 10, 15, 25, 25, 15 and 10 %.
    pub(crate) fn between(&self) -> [f64; 6] {
        let c = self.coverage();
        [c[0], c[1] - c[0], c[2] - c[1], c[3] - c[2], c[4] - c[3], 1.0 - c[4]]
    }
}

/// The constant distances from the median that fit all positions best: quantiles of the surprises.
pub(crate) fn constant_offsets(samples: &[Sample]) -> [f64; 5] {
    let mut errors: Vec<f64> = samples.iter().map(|s| s.score - s.median()).collect();
    errors.sort_by(f64::total_cmp);
    LEVELS.map(|level| {
        let at = (level * errors.len() as f64) as usize;
        errors.get(at.min(errors.len().saturating_sub(1))).copied().unwrap_or(0.0)
    })
}

fn win_probability(centipawns: f64, scale: f64) -> f64 {
    sigmoid(centipawns / scale)
}

#[cfg(test)]
mod tests {
    use super::{Sample, Summary, constant_offsets};
    use crate::statistics::{LEVELS, rank_correlation};

    /// Scores spread evenly over 0 .. 1000 with judgements that know the spread.
    fn calibrated() -> Vec<Sample> {
        (0..1000)
            .map(|i| Sample {
                quantiles: LEVELS.map(|level| 1000.0 * level),
                score: f64::from(i) + 0.5,
                pieces: 20,
            })
            .collect()
    }

    #[test]
    fn a_perfect_forecast_is_covered_perfectly() {
        let samples = calibrated();
        let offsets = constant_offsets(&samples);
        let summary = Summary::of(samples.iter(), &offsets, 400.0);
        for (share, level) in summary.coverage().iter().zip(LEVELS) {
            assert!((share - level).abs() < 0.002, "{share} at {level}");
        }
        for (share, ideal) in summary.between().iter().zip([0.1, 0.15, 0.25, 0.25, 0.15, 0.1]) {
            assert!((share - ideal).abs() < 0.003);
        }
        // The doubt is the same everywhere, so the constant baseline is as good.
        assert!((summary.pinball() - summary.baseline()).abs() < 1e-4);
    }

    #[test]
    fn an_overconfident_forecast_shows() {
        let mut samples = calibrated();
        for sample in &mut samples {
            sample.quantiles = sample.quantiles.map(|q| 500.0 + (q - 500.0) / 4.0);
        }
        let summary = Summary::of(samples.iter(), &constant_offsets(&samples), 400.0);
        assert!(summary.coverage()[0] > 0.35 && summary.coverage()[4] < 0.65);
        assert!(summary.pinball() > summary.baseline());
    }

    #[test]
    fn knowing_where_doubt_is_beats_a_constant() {
        let samples: Vec<Sample> = (0..2000)
            .map(|i| {
                let spread = if i % 2 == 0 { 20.0 } else { 400.0 };
                let part = f64::from(i / 2) / 1000.0;
                Sample {
                    quantiles: LEVELS.map(|level| spread * (level - 0.5)),
                    score: spread * (part - 0.5),
                    pieces: 12,
                }
            })
            .collect();
        let summary = Summary::of(samples.iter(), &constant_offsets(&samples), 400.0);
        assert!(summary.pinball() < 0.9 * summary.baseline());
        let widths: Vec<f64> = samples.iter().map(Sample::width).collect();
        let surprises: Vec<f64> = samples.iter().map(Sample::surprise).collect();
        assert!(rank_correlation(&widths, &surprises) > 0.5);
    }
}
