//! From samples to a model: trees on one part of the positions, their correction on another.

use std::path::PathBuf;

use anyhow::ensure;
use forecast::{Correction, Group, Model};

use super::boost::{Plan, Table};
use super::judge;
use super::sample::{self, Part, Sample};
use crate::statistics::LEVELS;

/// Parts of one in which the confidence's trees count log-odds.
const ODDS: f64 = 1024.0;
/// The correction of a group counts as much as that of all positions if it has this many.
const TRUST: f64 = 100.0;
/// Corrections are kept within these, in parts of one.
const FACTORS: (f64, f64) = (0.4, 2.5);

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of `forecast collect`
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Where the model goes
    #[arg(long)]
    out: PathBuf,
    /// Trees for each quantile
    #[arg(long, default_value_t = 150)]
    trees: usize,
    /// Trees for the confidence
    #[arg(long, default_value_t = 120)]
    confidence_trees: usize,
    /// The part of its wish that each tree is granted
    #[arg(long, default_value_t = 0.06)]
    rate: f64,
    /// Least number of samples in a leaf
    #[arg(long, default_value_t = 30.0)]
    leaf: f64,
    /// How much the iterations of a long search count, all of a position together
    #[arg(long, default_value_t = 1.0)]
    iterations: f64,
    /// Where the random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let samples = sample::read(&args.samples)?;
    let part = |wanted: Part| -> Vec<Sample> {
        samples.iter().filter(|sample| sample.part() == wanted).copied().collect()
    };
    let (mut fit, mut correct) = (part(Part::Fit), part(Part::Correct));
    ensure!(!fit.is_empty(), "expected samples to fit, got none");
    let model = correct_model(fit_model(&fit, args), &correct);
    std::fs::write(&args.out, model.to_bytes())?;
    judge::follow(&model, &mut fit);
    judge::follow(&model, &mut correct);
    report(&fit, &correct, &model)
}

#[expect(clippy::print_stdout, reason = "the outcome of a command")]
fn report(fit: &[Sample], correct: &[Sample], model: &Model) -> anyhow::Result<()> {
    println!("{} samples fitted, {} for the correction", fit.len(), correct.len());
    for (group, [shift, factors @ ..]) in model.correction.groups.iter().enumerate() {
        let factors = factors.map(|factor| f64::from(factor) / 1024.0);
        println!("group {group}: shift {:.3}, factors {factors:.2?}", f64::from(*shift) / 1024.0);
    }
    println!("confidence: {:?}", model.correction.knots);
    for (name, part) in [("fitted", fit), ("correction", correct)] {
        let (loss, constant) = judge::losses(model, part.iter().filter(|sample| sample.budget > 0));
        println!("{name}: quantile loss {loss:.2}, of one constant band {constant:.2}");
    }
    Ok(())
}

fn fit_model(samples: &[Sample], args: &Args) -> Model {
    let features: Vec<_> = samples.iter().map(|s| forecast::features(&s.facts)).collect();
    let targets: Vec<i32> = samples.iter().map(|s| forecast::GRAIN * s.change()).collect();
    let mut plan = Plan {
        trees: args.trees,
        rate: args.rate,
        leaf: args.leaf.max(1.0),
        part: 0.7,
        seed: args.seed,
    };
    let table = Table::new(&features, weights(samples, args.iterations));
    let quantiles = LEVELS.map(|level| table.fit_quantile(&targets, level, &plan));
    let known: Vec<_> = samples.iter().filter_map(|s| Some((s, judge::holds(s)?))).collect();
    let features: Vec<_> = known.iter().map(|(s, _)| forecast::features(&s.facts)).collect();
    let held: Vec<bool> = known.iter().map(|&(_, held)| held).collect();
    plan.trees = args.confidence_trees;
    let confidence = Table::new(&features, vec![1.0; held.len()]).fit_odds(&held, ODDS, &plan);
    Model { quantiles, confidence, correction: Correction::default() }
}

/// Short searches count one each; the iterations of a position's long search share a weight.
fn weights(samples: &[Sample], iterations: f64) -> Vec<f64> {
    let mut counts = std::collections::HashMap::<u64, f64>::new();
    for sample in samples.iter().filter(|sample| sample.budget == 0) {
        *counts.entry(sample.position).or_default() += 1.0;
    }
    let weight = |sample: &Sample| match sample.budget {
        0 => iterations / counts.get(&sample.position).copied().unwrap_or(1.0),
        _ => 1.0,
    };
    samples.iter().map(weight).collect()
}

/// Sets the correction by positions that the trees have not seen.
fn correct_model(mut model: Model, samples: &[Sample]) -> Model {
    let samples: Vec<&Sample> = samples.iter().filter(|sample| sample.budget > 0).collect();
    let all = group_correction(&model, &samples);
    for group in Group::all() {
        let members: Vec<&Sample> =
            samples.iter().filter(|s| Group::of(&s.facts) == group).copied().collect();
        let own = group_correction(&model, &members);
        let trust = members.len() as f64 / (members.len() as f64 + TRUST);
        model.correction.groups[group.index()] = std::array::from_fn(|i| {
            (1024.0 * (trust * own[i] + (1.0 - trust) * all[i])).round() as i32
        });
    }
    model.correction.knots = knots(&model, &samples);
    model
}

/// A shift of the median and four factors that make the shares right, for these samples.
fn group_correction(model: &Model, samples: &[&Sample]) -> [f64; 5] {
    let rows: Vec<([f64; 5], f64)> = samples
        .iter()
        .map(|sample| {
            let raw = model.raw_quantiles(&forecast::features(&sample.facts));
            (raw.map(f64::from), f64::from(forecast::GRAIN * sample.change()))
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
fn knots(model: &Model, samples: &[&Sample]) -> forecast::Knots {
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
    let mut knots: forecast::Knots = pools
        .iter()
        .map(|&(raw, held, _)| (raw.round() as i32, (1000.0 * held).round() as i32))
        .collect();
    knots.dedup_by_key(|&mut (raw, _)| raw);
    if knots.is_empty() { vec![(0, 500)] } else { knots }
}
