//! From the five raw outputs to a loss and back.
//!
//! The first output is the median in log-odds; the other four are gaps ([`gap`]): from the median
//! down to the lower quartile, from there to the first decile, and the same upwards. The loss is
//! taken in win probability, where a pawn counts for more in a level position than in a won one:
//! the quantile ("pinball") loss of each of the five, whose minimum is the true quantile, plus a
//! squared error of the median, which makes it the best single number for the search.
//!
//! Only what a search found says how far a static judgement can be off. A record whose score is
//! itself static ([`data::RecordFlags::static_score`]) therefore teaches the median alone.

use data::Record;
use nnue::arch::OUT;

use crate::regression::sigmoid;

/// The quantile levels in the order of the outputs: median, lower two, upper two.
pub(crate) const LEVELS: [f32; OUT] = [0.5, 0.25, 0.1, 0.75, 0.9];

/// What the network is taught.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target {
    /// Centipawns of one unit of log-odds in the data's scores.
    pub(crate) scale: f32,
    /// Share of the game's result in the target; the rest is the score.
    pub(crate) result_share: f32,
    /// Weight of the median's squared error beside the quantile losses.
    pub(crate) squared: f32,
}

impl Target {
    /// The win probability a position is taught.
    pub(crate) fn of(&self, record: &Record) -> f32 {
        let expected = sigmoid(f32::from(record.score()) / self.scale);
        if record.flags().static_score() {
            return expected;
        }
        expected + self.result_share * (f32::from(record.result()) / 2.0 - expected)
    }
}

/// The width a gap output stands for, and its slope: [`nnue::arch::gap`] in floats.
pub(crate) fn gap(z: f32) -> (f32, f32) {
    if z <= -1.0 {
        (0.0, 0.0)
    } else if z >= 1.0 {
        (z, 1.0)
    } else {
        ((z + 1.0) * (z + 1.0) / 4.0, (z + 1.0) / 2.0)
    }
}

/// The five quantiles in log-odds, in the order of [`LEVELS`].
pub(crate) fn quantiles(outputs: &[f32; OUT]) -> [f32; OUT] {
    let q50 = outputs[0];
    let q25 = q50 - gap(outputs[1]).0;
    let q10 = q25 - gap(outputs[2]).0;
    let q75 = q50 + gap(outputs[3]).0;
    let q90 = q75 + gap(outputs[4]).0;
    [q50, q25, q10, q75, q90]
}

/// The quantile losses and the median's squared error of one position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Loss {
    /// Sum of the five quantile losses.
    pub(crate) pinball: f64,
    /// Squared error of the median.
    pub(crate) squared: f64,
}

impl Loss {
    /// What is minimised.
    pub(crate) fn total(&self, target: &Target) -> f64 {
        self.pinball + f64::from(target.squared) * self.squared
    }
}

/// The loss of one position and its gradient by the raw outputs.
pub(crate) fn loss(outputs: &[f32; OUT], record: &Record, target: &Target) -> (Loss, [f32; OUT]) {
    let taught = if record.flags().static_score() { 1 } else { OUT };
    quantile_loss(outputs, target.of(record), target.squared, taught)
}

/// The same for a wanted win probability, with only the first `taught` quantiles.
fn quantile_loss(
    outputs: &[f32; OUT],
    wanted: f32,
    squared: f32,
    taught: usize,
) -> (Loss, [f32; OUT]) {
    let quantiles = quantiles(outputs);
    let mut loss = Loss::default();
    let mut by_quantile = [0.0; OUT];
    for ((quantile, level), slope) in
        quantiles.iter().zip(LEVELS).zip(&mut by_quantile).take(taught)
    {
        let p = sigmoid(*quantile);
        let error = wanted - p;
        let weight = if error > 0.0 { level } else { level - 1.0 };
        loss.pinball += f64::from(weight * error);
        *slope = -weight * p * (1.0 - p);
    }
    let p = sigmoid(quantiles[0]);
    loss.squared = f64::from((p - wanted) * (p - wanted));
    by_quantile[0] += squared * 2.0 * (p - wanted) * p * (1.0 - p);

    let [d50, d25, d10, d75, d90] = by_quantile;
    let slope = |i: usize| gap(outputs[i]).1;
    let gradient = [
        d50 + d25 + d10 + d75 + d90,
        -(d25 + d10) * slope(1),
        -d10 * slope(2),
        (d75 + d90) * slope(3),
        d90 * slope(4),
    ];
    (loss, gradient)
}

#[cfg(test)]
mod tests {
    use super::{LEVELS, Target, gap, loss, quantile_loss, quantiles, sigmoid};
    use data::Record;
    use nnue::arch::OUT_ONE;

    #[test]
    fn quantiles_never_cross() {
        for a in [-3.0f32, -0.9, 0.0, 0.4, 2.5] {
            for b in [-3.0f32, -1.0, 0.0, 1.0, 3.0] {
                let [q50, q25, q10, q75, q90] = quantiles(&[a, b, -b, b * 0.5, -2.0 * b]);
                assert!(q10 <= q25 && q25 <= q50 && q50 <= q75 && q75 <= q90);
            }
        }
    }

    #[test]
    fn float_gap_agrees_with_the_engines() {
        for z in [-1.5f32, -1.0, -0.5, 0.0, 0.25, 0.99, 1.0, 2.0] {
            let exact = nnue::arch::gap((z * OUT_ONE as f32) as i32) as f32 / OUT_ONE as f32;
            assert!((gap(z).0 - exact).abs() < 1e-5, "{z}: {} and {exact}", gap(z).0);
        }
    }

    #[test]
    fn gradient_agrees_with_finite_differences() {
        let outputs = [0.3, 0.2, -0.4, 0.6, 1.4];
        for (wanted, taught) in [(0.1, 5), (0.45, 5), (0.58, 1), (0.7, 5), (0.97, 1)] {
            let (_, gradient) = quantile_loss(&outputs, wanted, 5.0, taught);
            for i in 0..outputs.len() {
                let h = 1e-3;
                let at = |x: f32| {
                    let mut moved = outputs;
                    moved[i] = x;
                    let (loss, _) = quantile_loss(&moved, wanted, 5.0, taught);
                    loss.pinball + 5.0 * loss.squared
                };
                let slope = (at(outputs[i] + h) - at(outputs[i] - h)) / f64::from(2.0 * h);
                assert!((slope - f64::from(gradient[i])).abs() < 1e-3, "{i} at {wanted}: {slope}");
            }
        }
    }

    #[test]
    fn pinball_is_least_at_the_true_quantile() {
        // Targets spread evenly over 0 .. 1: the best constant for each level is the level itself.
        for (k, level) in LEVELS.iter().enumerate() {
            let cost = |p: f32| -> f64 {
                let q = (p / (1.0 - p)).ln();
                (0..1000)
                    .map(|i| {
                        let wanted = (i as f32 + 0.5) / 1000.0;
                        let error = wanted - sigmoid(q);
                        f64::from(if error > 0.0 { level * error } else { (level - 1.0) * error })
                    })
                    .sum()
            };
            assert!(cost(*level) < cost(level + 0.03) && cost(*level) < cost(level - 0.03), "{k}");
        }
    }

    #[test]
    fn target_mixes_score_and_result() {
        let target = Target { scale: 200.0, result_share: 0.25, squared: 1.0 };
        let of = |score, result| target.of(&record(score, result, 0));
        assert!((of(0, 2) - 0.625).abs() < 1e-6);
        assert!((of(0, 1) - 0.5).abs() < 1e-6);
        assert!(of(200, 2) > of(200, 0));
    }

    #[test]
    fn a_static_score_teaches_the_median_alone() {
        const STATIC: u8 = 4;
        let target = Target { scale: 200.0, result_share: 0.25, squared: 1.0 };
        let static_win = record(0, 2, STATIC);
        assert_eq!(target.of(&static_win), 0.5);
        let (_, gradient) = loss(&[0.3, 0.2, 0.4, 0.6, 1.4], &static_win, &target);
        assert!(gradient[0] > 0.0);
        assert_eq!(gradient[1..], [0.0; 4]);
    }

    fn record(score: i16, result: u8, flags: u8) -> Record {
        let mut bytes = [0; Record::SIZE];
        bytes[24..26].copy_from_slice(&score.to_le_bytes());
        bytes[28] = result;
        bytes[31] = flags;
        Record::from_bytes(bytes)
    }
}
