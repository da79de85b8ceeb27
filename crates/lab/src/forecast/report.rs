//! How well a model foresees, on positions that neither its trees nor its correction have seen.
//!
//! Honest: a tenth of the truths lies below q10, and so on. Sharp: the quantile loss is below that
//! of one constant band around the same scores, and of one for each phase and range of the score, which are
//! fitted to the judged samples themselves, and below that of the static quantiles.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use anyhow::ensure;
use eval::Forecaster;
use forecast::Model;

use super::Given;
use super::judge::{self, Losses};
use super::sample::{Part, Sample, cut};
use crate::statistics::{Brier, LEVELS, Tenth, tenths};
use crate::svg::{Chart, document};

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: Given,
    /// Write charts to this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// A median of fewer widths is not shown.
const LEAST: usize = 30;

/// Samples that are judged apart.
type Group = (&'static str, fn(&Sample) -> bool);

const GROUPS: [Group; 7] = [
    ("all", |_| true),
    ("25-32 men", |s| s.facts.men >= 25),
    ("13-24 men", |s| (13..25).contains(&s.facts.men)),
    ("up to 12 men", |s| s.facts.men < 13),
    ("score below 50", |s| s.facts.score.abs() < 50),
    ("score 50 to 150", |s| (50..=150).contains(&s.facts.score.abs())),
    ("score above 150", |s| s.facts.score.abs() > 150),
];

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let model = args.given.model()?;
    let mut samples = args.given.samples(Part::Judge)?;
    judge::follow(&model, &mut samples);
    let fresh: Vec<&Sample> = samples.iter().filter(|sample| sample.budget > 0).collect();
    ensure!(!fresh.is_empty(), "expected samples to judge, got none");
    print(&model, &samples, &fresh);
    if let Some(path) = &args.svg {
        std::fs::write(path, charts(&model, &fresh))?;
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the report is the command's result")]
fn print(model: &Model, samples: &[Sample], fresh: &[&Sample]) {
    println!(
        "truths below, in % (10 25 50 75 90)           count  in 80  in 50  width    loss   const  groups  static"
    );
    let budgets: BTreeSet<u64> = fresh.iter().map(|sample| sample.budget).collect();
    for &budget in &budgets {
        for (name, belongs) in GROUPS {
            let members = || fresh.iter().copied().filter(|s| s.budget == budget && belongs(s));
            println!("{}", row(&format!("{budget} nodes, {name}"), model, members()));
        }
    }
    println!("\nconfidence     count   said    was");
    let known = confidences(model, fresh);
    for Tenth { from, count, said, came } in tenths(&known) {
        println!("{:.1} to {:.1} {count:>9} {said:>6.3} {came:>6.3}", from, from + 0.1);
    }
    let brier = Brier::new(&known);
    println!(
        "base rate {:.3}, Brier score {:.4} against {:.4}: {:.1} % less",
        brier.base_rate,
        brier.score,
        brier.of_base_rate,
        brier.percent_less()
    );
    println!("\n{}\n{}", steps(model, samples), widths(model, samples));
}

/// A row of the table.
fn row<'a>(name: &str, model: &Model, members: impl Iterator<Item = &'a Sample>) -> String {
    let members: Vec<&Sample> = members.collect();
    if members.is_empty() {
        return format!("{name:<28}       none");
    }
    let said: Vec<[f64; 5]> = members.iter().map(|s| judge::said(model, s)).collect();
    let truths: Vec<f64> = members.iter().map(|s| f64::from(cut(s.truth))).collect();
    let count = members.len() as f64;
    let shares: [f64; 5] = std::array::from_fn(|i| {
        // A tie is half below.
        let below = |(said, truth): (&[f64; 5], &f64)| {
            f64::from(u8::from(*truth < said[i])) + 0.5 * f64::from(u8::from(*truth == said[i]))
        };
        100.0 * said.iter().zip(&truths).map(below).sum::<f64>() / count
    });
    let Losses { ours, constant, by_group } = judge::losses(model, members.iter().copied());
    let printed: f64 =
        members.iter().zip(&truths).map(|(s, &t)| judge::pinball(t, &shape(s))).sum();
    let width = judge::quantile(said.iter().map(|five| five[4] - five[0]), 0.5);
    format!(
        "{name:<28} {:>5.1} {:>5.1} {:>5.1} {:>5.1} {:>5.1} {:>6} {:>6.1} {:>6.1} {width:>6.0} {ours:>7.2} {constant:>7.2} {by_group:>7.2} {:>7.2}",
        shares[0],
        shares[1],
        shares[2],
        shares[3],
        shares[4],
        members.len(),
        shares[4] - shares[0],
        shares[3] - shares[1],
        printed / count,
    )
}

/// The static evaluation's distribution at the end of the line, moved to the score.
fn shape(sample: &Sample) -> [f64; 5] {
    let leaf = &sample.facts.leaf;
    leaf.shifted(sample.facts.score - leaf.q50).to_array().map(|score| f64::from(cut(score)))
}

/// What was said of each move that somebody looked at, and whether it held.
fn confidences(model: &Model, fresh: &[&Sample]) -> Vec<(f64, bool)> {
    let said = |s: &Sample| f64::from(model.forecast(&s.facts).confidence) / 1000.0;
    fresh.iter().filter_map(|s| Some((said(s), judge::holds(s)?))).collect()
}

/// How the width of the band changes from one iteration of a search to the next.
fn steps(model: &Model, samples: &[Sample]) -> String {
    let width =
        |sample: &Sample| f64::from(model.forecast(&sample.facts).quantiles.uncertainty()).max(1.0);
    let ratios: Vec<f64> = samples
        .windows(2)
        .filter(|pair| {
            pair[0].position == pair[1].position
                && pair.iter().all(|sample| sample.budget == 0)
                && pair[1].facts.depth == pair[0].facts.depth + 1
        })
        .map(|pair| (width(&pair[1]) / width(&pair[0])).ln().abs().exp())
        .collect();
    let large = ratios.iter().filter(|&&ratio| ratio >= 1.5).count();
    format!(
        "{} steps from depth to depth: the width changes by 1.5 or more in {:.1} %, at most by {:.1}",
        ratios.len(),
        100.0 * large as f64 / ratios.len().max(1) as f64,
        ratios.iter().copied().fold(1.0, f64::max)
    )
}

/// The median width at each doubling of the nodes: of each position the last iteration before the next doubling.
fn widths(model: &Model, samples: &[Sample]) -> String {
    let mut found = BTreeMap::<u32, Vec<f64>>::new();
    for iterations in samples.chunk_by(|a, b| a.position == b.position) {
        let iterations = iterations.iter().filter(|sample| sample.budget == 0);
        let last: BTreeMap<u32, &Sample> =
            iterations.map(|sample| (sample.facts.nodes.max(1).ilog2(), sample)).collect();
        for (doubling, sample) in last {
            let width = model.forecast(&sample.facts).quantiles.uncertainty();
            found.entry(doubling).or_default().push(f64::from(width));
        }
    }
    let mut text = String::from("median width by nodes:");
    for (doubling, widths) in found.into_iter().filter(|(_, widths)| widths.len() >= LEAST) {
        let width = judge::quantile(widths.into_iter(), 0.5);
        // Writing to a string does not fail.
        let _ = write!(text, " {}: {width:.0},", 1_u64 << doubling);
    }
    text.trim_end_matches(',').to_owned()
}

fn charts(model: &Model, fresh: &[&Sample]) -> String {
    const COLORS: [&str; 6] = ["#1b6", "#26c", "#c52", "#a3a", "#888", "#222"];
    let mut coverage = Chart::new("share of truths below each quantile", (0.0, 1.0), (0.0, 1.0));
    coverage.line("promised", "#ccc", &[(0.0, 0.0), (1.0, 1.0)]);
    let budgets: BTreeSet<u64> = fresh.iter().map(|sample| sample.budget).collect();
    for (&budget, color) in budgets.iter().zip(COLORS) {
        let members: Vec<_> = fresh.iter().filter(|sample| sample.budget == budget).collect();
        let share = |index: usize| {
            let below = |s: &&&&Sample| f64::from(cut(s.truth)) < judge::said(model, s)[index];
            members.iter().filter(below).count() as f64 / members.len() as f64
        };
        let points: Vec<_> =
            LEVELS.iter().enumerate().map(|(index, &level)| (level, share(index))).collect();
        coverage.line(&format!("{budget} nodes"), color, &points);
    }
    let mut confidence =
        Chart::new("confidence said, and how often the move held", (0.0, 1.0), (0.0, 1.0));
    confidence.line("promised", "#ccc", &[(0.0, 0.0), (1.0, 1.0)]);
    let known = tenths(&confidences(model, fresh));
    let points: Vec<_> = known.iter().map(|tenth| (tenth.said, tenth.came)).collect();
    confidence.line("measured", COLORS[1], &points);
    document(&[coverage.finish(), confidence.finish()])
}
