//! Correcting a network's quantiles on games it was not taught.
//!
//! A network knows its training positions better than others, so its doubt comes out too small.
//! One factor for each gap of each output bucket puts that right, and a shift of a centipawn or two
//! puts half of the scores below the median: few enough numbers that they cannot themselves be
//! learnt by heart.

use data::Record;
use nnue::Network;
use nnue::arch::{GAP_ONE, GAP_SCALE_LIMIT, GAPS, OUT_ONE, OUTPUT_BUCKETS, output_bucket};
use simd::Kernels;

use crate::train::quantise::judge;

/// Buckets with fewer positions than this are left as they are.
const FEWEST: usize = 500;

/// Shifts the median and sets the gap scales so that, on these records, the right share of scores lies below each
/// quantile. `scale` is the data's centipawns of one unit of log-odds.
pub(crate) fn correct(network: &mut Network, kernels: &Kernels, records: &[Record], scale: f64) {
    for head in &mut network.heads {
        head.gap_scales = [GAP_ONE; GAPS];
    }
    let factor = f64::from(network.scale) / scale;
    let mut buckets: Vec<Vec<[f64; 6]>> = vec![Vec::new(); OUTPUT_BUCKETS];
    for record in records {
        let score = f64::from(record.score()) * factor;
        let [q10, q25, q50, q75, q90] = judge(network, kernels, record).to_array().map(f64::from);
        buckets[output_bucket(record.pieces().count())].push([q10, q25, q50, q75, q90, score]);
    }
    for (samples, head) in buckets.iter().zip(&mut network.heads) {
        if samples.len() < FEWEST {
            continue;
        }
        let shift = middle(samples.iter().map(|[_, _, q50, _, _, score]| score - q50));
        head.out_biases[0] += (shift / f64::from(network.scale) * f64::from(OUT_ONE)) as i32;
        let samples: Vec<[f64; 6]> = samples
            .iter()
            .map(|&[q10, q25, q50, q75, q90, score]| [q10, q25, q50, q75, q90, score - shift])
            .collect();
        let samples = samples.as_slice();
        // Distance of the score beyond the inner quantile, in gaps: its quantile is the factor.
        let below = fit(samples, 0.75, |[_, q25, q50, _, _, score]| (q50 - score, q50 - q25));
        let far_below = fit(samples, 0.9, |[q10, q25, q50, _, _, score]| {
            (q50 - below * (q50 - q25) - score, q25 - q10)
        });
        let above = fit(samples, 0.75, |[_, _, q50, q75, _, score]| (score - q50, q75 - q50));
        let far_above = fit(samples, 0.9, |[_, _, q50, q75, q90, score]| {
            (score - q50 - above * (q75 - q50), q90 - q75)
        });
        head.gap_scales = [below, far_below, above, far_above]
            .map(|f| ((f * f64::from(GAP_ONE)).round() as i32).clamp(0, GAP_SCALE_LIMIT));
    }
}

/// The median of some numbers, 0 of none.
fn middle(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The factor that `level` of the ratios distance / gap do not exceed.
fn fit(samples: &[[f64; 6]], level: f64, parts: impl Fn([f64; 6]) -> (f64, f64)) -> f64 {
    let mut ratios: Vec<f64> = samples
        .iter()
        .map(|&sample| {
            let (distance, gap) = parts(sample);
            // A gap of nothing stays nothing whatever the factor.
            if gap > 0.0 { distance / gap } else { f64::INFINITY.copysign(distance) }
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let at = (level * ratios.len() as f64) as usize;
    let found = ratios.get(at.min(ratios.len() - 1)).copied().unwrap_or(1.0);
    found.clamp(0.0, f64::from(GAP_SCALE_LIMIT / GAP_ONE))
}

#[cfg(test)]
mod tests {
    use super::{correct, fit};
    use crate::train::inputs::samples::records;
    use crate::train::model::Layout;
    use crate::train::quantise::{judge, quantise};

    #[test]
    fn the_factor_puts_the_right_share_within() {
        // Distances 0 .. 1000 in gaps of 100: three quarters lie within 7.5 gaps.
        let samples: Vec<[f64; 6]> = (0..1000).map(|i| [f64::from(i); 6]).collect();
        let factor = fit(&samples, 0.75, |s| (s[0], 100.0));
        assert!((factor - 7.5).abs() < 0.02, "{factor}");
        assert_eq!(fit(&samples, 0.75, |s| (-s[0], 100.0)), 0.0);
    }

    #[test]
    fn corrected_quantiles_cover_what_they_promise() {
        let layout = Layout::new(nnue::arch::FT, false);
        let mut network = quantise(layout, &layout.initial(2), "test", 200).unwrap();
        // All in one bucket with enough positions: an untrained network knows nothing, so its
        // gaps must grow to the spread of the scores.
        let records = records(8000, 6);
        correct(&mut network, simd::kernels(), &records, 200.0);
        let mut below = [0.0; 5];
        let mut count = 0.0;
        for record in &records {
            let judged = judge(&network, simd::kernels(), record);
            let score = i32::from(record.score());
            for (share, q) in below.iter_mut().zip(judged.to_array()) {
                *share += f64::from(u8::from(score < q));
            }
            count += 1.0;
        }
        let [b10, b25, b50, b75, b90] = below.map(|share| share / count);
        assert!((b10 - 0.1).abs() < 0.02 && (b90 - 0.9).abs() < 0.02, "{b10} {b90}");
        assert!((b50 - 0.5).abs() < 0.02, "{b50}");
        assert!((b25 - 0.25).abs() < 0.02 && (b75 - 0.75).abs() < 0.02, "{b25} {b75}");
    }
}
