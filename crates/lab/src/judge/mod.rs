//! `brier-lab judge`: how good is a network's static judgement?
//!
//! A reference file holds positions no training has seen, each with the chances a deep search of a
//! strong engine gave it ([`mod@reference`]). The network's median becomes expected points by a logistic
//! curve whose one scale is fitted to the file, since what a network calls a centipawn is not at
//! issue here; the root mean squared error of those points is the measure. It takes seconds where a
//! match takes hours, and shows in which positions a network errs.

mod reference;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use nnue::Network;

use crate::statistics::sigmoid;
use crate::train::load_network;
use crate::train::quantise::judge;
use reference::Reference;

/// Options of `brier-lab judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Reference file: lines of FEN, score, win, draw, loss (per mille), separated by tabs; or records with scores
    reference: PathBuf,
    /// Centipawns of one unit of log-odds in the scores of records
    #[arg(long, default_value_t = 200.0)]
    record_scale: f64,
    /// Network files; the one inside the program by default
    #[arg(long, num_args = 1..)]
    net: Vec<PathBuf>,
    /// Write the figures to this file, as comma-separated values
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// One position with what the reference and the network say.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Expected points of the side to move, 0 to 1, by the reference.
    points: f64,
    /// The reference's score in centipawns.
    score: f64,
    /// The network's median in centipawns.
    median: f64,
    /// The distance of its outer quantiles.
    width: f64,
    pieces: u32,
}

type Group = (&'static str, fn(&Sample) -> bool);

/// Groups of positions that are judged apart.
const GROUPS: [Group; 8] = [
    ("all", |_| true),
    ("opening (25-32 pieces)", |s| s.pieces >= 25),
    ("middlegame (13-24)", |s| (13..25).contains(&s.pieces)),
    ("endgame (up to 12)", |s| s.pieces < 13),
    ("score within 50", |s| s.score.abs() < 50.0),
    ("score 50 to 150", |s| (50.0..150.0).contains(&s.score.abs())),
    ("score 150 to 400", |s| (150.0..400.0).contains(&s.score.abs())),
    ("score beyond 400", |s| s.score.abs() >= 400.0),
];

/// How far off a network is in one group of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Error {
    count: usize,
    /// Root mean squared error in expected points.
    rms: f64,
    /// Standard error of `rms`.
    deviation: f64,
    /// Mean of network minus reference.
    bias: f64,
    /// Mean distance of the network's outer quantiles.
    width: f64,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the table is the command's result")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let references = reference::read(&args.reference, args.record_scale)?;
    let networks: Vec<Arc<Network>> = if args.net.is_empty() {
        vec![load_network(None)?]
    } else {
        args.net.iter().map(|path| load_network(Some(path))).collect::<anyhow::Result<_>>()?
    };
    let mut csv = String::from("network,scale,group,positions,rms,deviation,bias,width\n");
    for network in &networks {
        let samples = samples(network, &references);
        let scale = fit_scale(&samples);
        println!(
            "network \"{}\", {} positions, {scale:.1} centipawns to a unit of log-odds\n",
            network.name,
            samples.len()
        );
        println!("{:24} {:>9}  {:>17}  {:>8} {:>6}", "positions", "", "rms error", "bias", "width");
        for (name, holds) in GROUPS {
            let group: Vec<Sample> = samples.iter().copied().filter(holds).collect();
            let Some(Error { count, rms, deviation, bias, width }) = error(&group, scale) else {
                continue;
            };
            println!("{name:24} {count:>9}  {rms:.4} ± {deviation:.4}  {bias:>+8.4} {width:>6.0}");
            let network = network.name.replace([',', '\n'], " ");
            writeln!(
                csv,
                "{network},{scale:.2},{name},{count},{rms:.5},{deviation:.5},{bias:.5},{width:.2}"
            )?;
        }
        println!();
    }
    if let Some(path) = &args.csv {
        fs::write(path, csv).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn samples(network: &Network, references: &[Reference]) -> Vec<Sample> {
    let kernels = simd::kernels();
    references
        .iter()
        .map(|reference| {
            let judged = judge(network, kernels, &reference.record);
            Sample {
                points: reference.points,
                score: reference.score,
                median: f64::from(judged.q50),
                width: f64::from(judged.q90 - judged.q10),
                pieces: reference.record.occupied().count(),
            }
        })
        .collect()
}

/// The network's expected points.
fn expected(median: f64, scale: f64) -> f64 {
    sigmoid(median / scale)
}

/// Count, root mean squared error and bias; none of no positions.
fn error(samples: &[Sample], scale: f64) -> Option<Error> {
    if samples.is_empty() {
        return None;
    }
    let count = samples.len() as f64;
    let mean = |of: &dyn Fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>() / count;
    let off = |s: &Sample| expected(s.median, scale) - s.points;
    let square = mean(&|s| off(s).powi(2));
    let spread = (mean(&|s| off(s).powi(4)) - square * square).max(0.0);
    let rms = square.sqrt();
    // The root halves a small relative error.
    let deviation = if rms > 0.0 { (spread / count).sqrt() / (2.0 * rms) } else { 0.0 };
    let (bias, width) = (mean(&off), mean(&|s| s.width));
    Some(Error { count: samples.len(), rms, deviation, bias, width })
}

/// The scale with the least error, by golden section of its logarithm.
fn fit_scale(samples: &[Sample]) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let cost = |log: f64| error(samples, log.exp()).map_or(0.0, |error| error.rms);
    let (mut low, mut high) = (1f64.ln(), 10_000f64.ln());
    for _ in 0..50 {
        let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if cost(a) < cost(b) { high = b } else { low = a }
    }
    f64::midpoint(low, high).exp()
}

#[cfg(test)]
mod tests {
    use super::{Sample, error, expected, fit_scale};

    fn sample(median: f64, points: f64) -> Sample {
        Sample { points, score: 0.0, median, width: 0.0, pieces: 32 }
    }

    #[test]
    fn a_faithful_network_has_no_error_and_its_scale_is_found() {
        for scale in [40.0, 200.0, 731.0] {
            let faithful: Vec<Sample> = (-50..=50)
                .map(|i| f64::from(i) * 12.0)
                .map(|median| sample(median, expected(median, scale)))
                .collect();
            let found = fit_scale(&faithful);
            assert!((found / scale - 1.0).abs() < 1e-4, "{found} instead of {scale}");
            assert!(error(&faithful, found).unwrap().rms < 1e-4);
        }
    }

    #[test]
    fn error_bias_and_deviation_are_those_of_the_differences() {
        // Off by 0.3 and by -0.1: squares 0.09 and 0.01.
        let found = error(&[sample(0.0, 0.2), sample(0.0, 0.6)], 100.0).unwrap();
        assert_eq!(found.count, 2);
        assert!((found.rms - 0.05f64.sqrt()).abs() < 1e-12);
        assert!((found.bias - 0.1).abs() < 1e-12);
        // The squares are 0.04 from their mean; over root 2, over twice the root.
        let deviation = 0.04 / 2f64.sqrt() / (2.0 * 0.05f64.sqrt());
        assert!((found.deviation - deviation).abs() < 1e-12);
        assert_eq!(error(&[], 100.0), None);
    }
}
