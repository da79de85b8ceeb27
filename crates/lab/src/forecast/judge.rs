//! What fit and report count alike: quantile losses, shares, and whether a move held.

use eval::forecast::TOLERANCE;
use eval::{Chances, Forecaster, Quantiles};
use forecast::{Group, Model};

use super::sample::{Sample, cut};
use crate::statistics::{self, LEVELS};

/// The quantile loss of one forecast, summed over the levels.
pub(crate) fn pinball(truth: f64, forecast: &[f64; 5]) -> f64 {
    let pairs = LEVELS.into_iter().zip(*forecast);
    pairs.map(|(level, said)| statistics::pinball(level, truth, said)).sum()
}

/// A quantile of some values; 0 of none.
pub(crate) fn quantile(values: impl Iterator<Item = f64>, level: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let index = (level * values.len() as f64).ceil() as usize;
    values.get(index.max(1) - 1).or(values.last()).copied().unwrap_or(0.0)
}

/// The five quantiles of some values.
pub(crate) fn five(values: &[f64]) -> [f64; 5] {
    LEVELS.map(|level| quantile(values.iter().copied(), level))
}

/// The forecast of a sample, cut like its truth.
pub(crate) fn said(model: &Model, sample: &Sample) -> [f64; 5] {
    model.forecast(&sample.facts).quantiles.to_array().map(|score| f64::from(cut(score)))
}

/// Sets what each search has shown before, as the model would have shown it: one band after the
/// other, iteration by iteration.
pub(crate) fn follow(model: &Model, samples: &mut [Sample]) {
    for group in samples.chunk_by_mut(|a, b| a.position == b.position) {
        // Short searches come first, then the iterations of the longest, of which the others are
        // the beginning.
        let (short, iterations) = group.split_at_mut(
            group.iter().position(|sample| sample.budget == 0).unwrap_or(group.len()),
        );
        let mut shown: Vec<(u64, i32)> = Vec::new();
        for sample in iterations {
            sample.facts.last_width = shown.last().map_or(0, |&(_, width)| width);
            let width = model.forecast(&sample.facts).quantiles.uncertainty();
            shown.push((sample.facts.nodes, width));
        }
        for sample in short {
            let before = shown.iter().take_while(|(nodes, _)| *nodes <= sample.facts.nodes);
            sample.facts.last_width = before.last().map_or(0, |&(_, width)| width);
        }
    }
}

/// Expected points of a score on the sample's board.
pub(crate) fn points(sample: &Sample, score: i32) -> f64 {
    Chances::of(&Quantiles::certain(score), sample.material).points()
}

/// Did the long search find the short one's move the best, or nearly so? None if nobody looked.
pub(crate) fn holds(sample: &Sample) -> Option<bool> {
    let own = sample.own?;
    Some(own >= sample.truth || points(sample, own) >= points(sample, sample.truth) - TOLERANCE)
}

/// Mean quantile losses.
pub(crate) struct Losses {
    /// Of the model.
    pub(crate) ours: f64,
    /// Of the best constant band around the same scores, fitted to these very samples.
    pub(crate) constant: f64,
    /// Of the best band that depends on the phase and the range of the score alone, fitted likewise.
    pub(crate) by_group: f64,
}

/// The mean quantile losses of a model and of bands that know less.
pub(crate) fn losses<'a>(model: &Model, samples: impl Iterator<Item = &'a Sample>) -> Losses {
    let samples: Vec<&Sample> = samples.collect();
    let count = samples.len().max(1) as f64;
    let ours: f64 = samples.iter().map(|s| pinball(f64::from(cut(s.truth)), &said(model, s))).sum();
    let constant = |members: &mut dyn Iterator<Item = &&Sample>| -> f64 {
        let changes: Vec<f64> = members.map(|sample| f64::from(sample.change())).collect();
        let band = five(&changes);
        changes.iter().map(|&change| pinball(change, &band)).sum()
    };
    let groups = Group::all().map(|group| {
        constant(&mut samples.iter().filter(|sample| Group::of(&sample.facts) == group))
    });
    Losses {
        ours: ours / count,
        constant: constant(&mut samples.iter()) / count,
        by_group: groups.sum::<f64>() / count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_of_a_sample_costs_least() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i * i % 997)).collect();
        let cost =
            |forecast: &[f64; 5]| -> f64 { values.iter().map(|&v| pinball(v, forecast)).sum() };
        let best = five(&values);
        for index in 0..5 {
            for change in [-20.0, 20.0] {
                let mut other = best;
                other[index] += change;
                assert!(cost(&other) > cost(&best));
            }
        }
    }

    #[test]
    fn quantiles_of_few() {
        assert_eq!(quantile([].into_iter(), 0.5), 0.0);
        assert_eq!(quantile([3.0].into_iter(), 0.1), 3.0);
        assert_eq!(quantile([1.0, 2.0, 3.0, 4.0].into_iter(), 0.5), 2.0);
    }
}
