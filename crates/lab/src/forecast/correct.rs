//! The correction of a model by positions that its trees have not seen: of a new one, or of one
//! whose search has changed since.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use anyhow::ensure;
use forecast::{Correction, Group, Knots, Model};

use super::sample::{Part, Sample};
use super::{Given, judge};

/// The correction of a group or a length counts as much as that of all samples if it has this many.
const TRUST: f64 = 300.0;
/// Corrections are kept within these, in parts of one.
const FACTORS: (f64, f64) = (0.25, 2.5);

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,
    /// Where the corrected model goes
    #[arg(long)]
    out: PathBuf,
}

#[expect(clippy::print_stdout, reason = "the outcome of a command")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let samples = args.given.samples(Part::Correct)?;
    ensure!(!samples.is_empty(), "expected samples for the correction, got none");
    let model = correct_model((*args.given.model()?).clone(), &samples);
    std::fs::write(&args.out, model.to_bytes())?;
    println!("{}", describe(&model.correction));
    Ok(())
}

/// The numbers of a correction, for people.
pub(super) fn describe(correction: &Correction) -> String {
    let one = |number: i32| f64::from(number) / 1024.0;
    let mut text = String::new();
    for (group, [shift, factors @ ..]) in correction.groups.iter().enumerate() {
        let (shift, factors) = (one(*shift), factors.map(one));
        let _ = writeln!(text, "group {group}: shift {shift:.3}, factors {factors:.2?}");
    }
    let reach: Vec<_> = correction.reach.iter().map(|&(log, by)| (log, one(by))).collect();
    let _ = write!(text, "reach: {reach:.2?}\nconfidence: {:?}", correction.confidence);
    text
}

/// Sets the correction by positions that the trees have not seen.
pub(super) fn correct_model(mut model: Model, samples: &[Sample]) -> Model {
    let samples: Vec<&Sample> = samples.iter().filter(|sample| sample.budget > 0).collect();
    model.correction = Correction { reach: reach(&model, &samples), ..Correction::default() };
    let all = group_correction(&model, &samples);
    for group in Group::all() {
        let members: Vec<&Sample> =
            samples.iter().filter(|s| Group::of(&s.facts) == group).copied().collect();
        let own = group_correction(&model, &members);
        model.correction.groups[group.index()] = std::array::from_fn(|i| {
            (1024.0 * trusting(members.len(), own[i], all[i])).round() as i32
        });
    }
    model.correction.confidence = confidence(&model, &samples);
    model
}

/// For each length of the searches the factor that lets four fifths of the truths lie in the band.
fn reach(model: &Model, samples: &[&Sample]) -> Knots {
    let budgets: BTreeSet<u64> = samples.iter().map(|sample| sample.budget).collect();
    let ratio = |sample: &&Sample| {
        let [q10, _, q50, _, q90] = model.raw_quantiles(&forecast::features(&sample.facts));
        let off = forecast::GRAIN * sample.change() - q50;
        f64::from(off.abs()) / f64::from(if off < 0 { q50 - q10 } else { q90 - q50 }.max(1))
    };
    let all = judge::quantile(samples.iter().map(ratio), 0.8);
    let knot = |budget: u64| {
        let members: Vec<&Sample> =
            samples.iter().filter(|sample| sample.budget == budget).copied().collect();
        let own = judge::quantile(members.iter().map(ratio), 0.8);
        let factor = trusting(members.len(), own, all).clamp(FACTORS.0, FACTORS.1);
        (forecast::log2(budget), (1024.0 * factor).round() as i32)
    };
    budgets.into_iter().map(knot).collect()
}

/// What some samples say, as far as they are enough, and what all say.
fn trusting(count: usize, own: f64, all: f64) -> f64 {
    let trust = count as f64 / (count as f64 + TRUST);
    trust * own + (1.0 - trust) * all
}

/// A shift of the median and four factors that make the shares right, for these samples.
fn group_correction(model: &Model, samples: &[&Sample]) -> [f64; 5] {
    let rows: Vec<([f64; 5], f64)> = samples
        .iter()
        .map(|sample| {
            let raw = model.raw_quantiles(&forecast::features(&sample.facts)).map(f64::from);
            let reach = f64::from(model.correction.reach(&sample.facts)) / 1024.0;
            let reached = raw.map(|value| raw[2] + reach * (value - raw[2]));
            (reached, f64::from(forecast::GRAIN * sample.change()))
        })
        .collect();
    if rows.is_empty() {
        return [0.0, 1.0, 1.0, 1.0, 1.0];
    }
    let shift = judge::quantile(
        rows.iter().map(|(raw, truth)| (truth - raw[2]) / (raw[4] - raw[0]).max(1.0)),
        0.5,
    )
    .clamp(-0.2, 0.2);
    // The quantile of a finite sample that holds for the next draw as well.
    let count = rows.len() as f64;
    let next = |level: f64| (level * (count + 1.0) / count).min(1.0);
    let factor = |index: usize, level: f64| {
        let ratios = rows.iter().map(|(raw, truth)| {
            let median = raw[2] + shift * (raw[4] - raw[0]);
            let reach = raw[index] - raw[2];
            (truth - median) / if reach == 0.0 { reach.signum() } else { reach }
        });
        judge::quantile(ratios, next(level)).clamp(FACTORS.0, FACTORS.1)
    };
    [shift, factor(0, 0.9), factor(1, 0.75), factor(3, 0.75), factor(4, 0.9)]
}

/// How often moves held, for groups of samples of rising confidence; made to rise with it.
fn confidence(model: &Model, samples: &[&Sample]) -> Knots {
    let mut known: Vec<(i32, bool)> = samples
        .iter()
        .filter_map(|s| {
            Some((model.raw_confidence(&forecast::features(&s.facts)), judge::holds(s)?))
        })
        .collect();
    known.sort_unstable();
    // Mean raw confidence, mean outcome, and count; neighbours that fall are pooled.
    let mut pools: Vec<(f64, f64, f64)> = Vec::new();
    for chunk in known.chunks((known.len() / 12).max(25)) {
        let count = chunk.len() as f64;
        let raw = chunk.iter().map(|&(raw, _)| f64::from(raw)).sum::<f64>() / count;
        let held = chunk.iter().filter(|&&(_, held)| held).count() as f64;
        pools.push((raw, (held + 0.5) / (count + 1.0), count));
        while let [.., (r0, h0, c0), (r1, h1, c1)] = pools[..] {
            if h0 < h1 {
                break;
            }
            let both = c0 + c1;
            pools.truncate(pools.len() - 2);
            pools.push(((r0 * c0 + r1 * c1) / both, (h0 * c0 + h1 * c1) / both, both));
        }
    }
    let mut knots: Knots = pools
        .iter()
        .map(|&(raw, held, _)| (raw.round() as i32, (1000.0 * held).round() as i32))
        .collect();
    knots.dedup_by_key(|&mut (raw, _)| raw);
    if knots.is_empty() { vec![(0, 500)] } else { knots }
}

#[cfg(test)]
mod tests {
    use eval::{Facts, Forecaster};

    use super::*;

    /// Truths spread evenly over this part of the band that the trees say, and the same below.
    fn spread(model: &Model, nodes: u64, part: i32) -> Vec<Sample> {
        let facts = Facts { nodes, men: 20, ..Facts::default() };
        let [q10, .., q90] = model.raw_quantiles(&forecast::features(&facts));
        let most = (q90 - q10) / forecast::GRAIN / part;
        let truth = |number: i32| (number - 500) * most / 500;
        let sample = |truth| Sample {
            position: 0,
            budget: nodes,
            material: 40,
            facts,
            truth,
            own: Some(truth),
        };
        (0..1000).map(truth).map(sample).collect()
    }

    #[test]
    fn four_fifths_of_the_truths_are_in_the_band_of_their_length() {
        let shipped = Model::embedded();
        let groups = [spread(&shipped, 1000, 1), spread(&shipped, 64_000, 3)];
        let model = correct_model((*shipped).clone(), &groups.concat());
        for group in &groups {
            let band = model.forecast(&group[0].facts).quantiles;
            let within = group.iter().filter(|s| (band.q10..=band.q90).contains(&s.truth)).count();
            assert!((650..950).contains(&within), "{within} of 1000 in {band:?}");
        }
    }
}
