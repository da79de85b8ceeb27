//! From samples to a model: trees on one part of the positions, their correction on another.

use std::path::PathBuf;

use anyhow::ensure;
use forecast::{Correction, Model};

use super::boost::{Begun, Plan, Table};
use super::correct::{self, correct_model};
use super::judge::{self, Losses};
use super::read_model;
use super::sample::{self, Part, Sample};
use crate::statistics::LEVELS;

/// Parts of one in which the confidence's trees count log-odds.
const ODDS: f64 = 1024.0;

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of `forecast collect`
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Where the model goes
    #[arg(long)]
    out: PathBuf,
    /// A model to go on from: trees are added to its own
    #[arg(long, value_name = "MODEL")]
    from: Option<PathBuf>,
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
    let from = args.from.as_deref().map(read_model).transpose()?;
    let model = correct_model(fit_model(&fit, from.as_ref(), args), &correct);
    std::fs::write(&args.out, model.to_bytes())?;
    judge::follow(&model, &mut fit);
    judge::follow(&model, &mut correct);
    report(&fit, &correct, &model)
}

#[expect(clippy::print_stdout, reason = "the outcome of a command")]
fn report(fit: &[Sample], correct: &[Sample], model: &Model) -> anyhow::Result<()> {
    println!("{} samples fitted, {} for the correction", fit.len(), correct.len());
    println!("{}", correct::describe(&model.correction));
    for (name, part) in [("fitted", fit), ("correction", correct)] {
        let Losses { ours, constant, .. } =
            judge::losses(model, part.iter().filter(|sample| sample.budget > 0));
        println!("{name}: quantile loss {ours:.2}, of one constant band {constant:.2}");
    }
    Ok(())
}

fn fit_model(samples: &[Sample], from: Option<&Model>, args: &Args) -> Model {
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
    let quantiles = std::array::from_fn(|index| match from {
        None => table.fit_quantile(&targets, LEVELS[index], &plan),
        Some(from) => {
            let begun = Begun::new(&from.quantiles[index], &features);
            table.improve_quantile(begun, &targets, LEVELS[index], &plan)
        }
    });
    let known: Vec<_> = samples.iter().filter_map(|s| Some((s, judge::holds(s)?))).collect();
    let features: Vec<_> = known.iter().map(|(s, _)| forecast::features(&s.facts)).collect();
    let held: Vec<bool> = known.iter().map(|&(_, held)| held).collect();
    plan.trees = args.confidence_trees;
    let table = Table::new(&features, vec![1.0; held.len()]);
    let confidence = match from {
        None => table.fit_odds(&held, ODDS, &plan),
        Some(from) => {
            table.improve_odds(Begun::new(&from.confidence, &features), &held, ODDS, &plan)
        }
    };
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
