//! `brier-lab calibrate`: does the network know what it does not know?
//!
//! On positions of held-out games the score of the search is compared with the five quantiles the
//! network gave without searching. If a tenth of the scores lies below q10, a quarter below q25
//! and so on, the doubt is honest; if the quantile loss is less than that of a constant doubt, it
//! is also informed.

pub(crate) mod gaps;
mod sample;

use std::fs;
use std::path::PathBuf;

use data::RecordReader;
use nnue::Network;

use crate::statistics::{LEVELS, rank_correlation};
use crate::svg::{Chart, document};
use crate::train::quantise::judge;
use crate::train::{HELD_OUT, load_network};
use sample::{Sample, Summary, constant_offsets};

/// Options of `brier-lab calibrate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Records of held-out games (brier-lab shuffle --held-out)
    held_out: PathBuf,
    /// Network file; the one inside the program by default
    #[arg(long)]
    net: Option<PathBuf>,
    /// The data's centipawns of one unit of log-odds
    #[arg(long, default_value_t = 200.0)]
    scale: f64,
    /// Positions at the beginning of the file to leave out: the correction of the gaps is fitted to them
    #[arg(long, default_value_t = HELD_OUT)]
    skip: usize,
    /// Most positions to look at
    #[arg(long, default_value_t = 1_000_000)]
    limit: usize,
    /// Write charts to this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Groups of positions that are judged apart.
type Group = (&'static str, fn(&Sample) -> bool);

const GROUPS: [Group; 8] = [
    ("all", |_| true),
    ("opening (25-32 pieces)", |s| s.pieces >= 25),
    ("middlegame (13-24)", |s| (13..25).contains(&s.pieces)),
    ("endgame (4-12)", |s| s.pieces < 13),
    ("median within 50", |s| s.median().abs() < 50.0),
    ("median 50 to 150", |s| (50.0..150.0).contains(&s.median().abs())),
    ("median 150 to 400", |s| (150.0..400.0).contains(&s.median().abs())),
    ("median beyond 400", |s| s.median().abs() >= 400.0),
];

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the table is the command's result")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let network = load_network(args.net.as_deref())?;
    let samples = samples(args, &network)?;
    let scale = f64::from(network.scale);
    let offsets = constant_offsets(&samples);
    println!("network \"{}\", {} positions\n", network.name, samples.len());
    println!(
        "{:24} {:>8}  {:>27}  {:>6}  {:>8} {:>8}",
        "positions", "", "scores below, in % (10 25 50 75 90)", "width", "pinball", "constant"
    );
    for (name, holds) in GROUPS {
        let group = Summary::of(samples.iter().filter(|s| holds(s)), &offsets, scale);
        if group.count == 0 {
            println!("{name:24} {:>8}", 0);
            continue;
        }
        let shares = group.coverage().map(|share| format!("{:5.1}", 100.0 * share)).join("  ");
        println!(
            "{name:24} {:>8}  {shares:>35}  {:>6.0}  {:.6} {:.6}",
            group.count,
            group.width(),
            group.pinball(),
            group.baseline()
        );
    }
    let widths: Vec<f64> = samples.iter().map(Sample::width).collect();
    let surprises: Vec<f64> = samples.iter().map(Sample::surprise).collect();
    println!(
        "\nrank correlation of width with |search score - median|: {:.3}",
        rank_correlation(&widths, &surprises)
    );
    if let Some(path) = &args.svg {
        let mut charts = vec![coverage_chart(&samples, &offsets, scale)];
        let filled = GROUPS.iter().filter(|(_, holds)| samples.iter().any(holds));
        charts.extend(filled.map(|group| pit_chart(group, &samples, &offsets, scale)));
        fs::write(path, document(&charts))
            .map_err(|e| anyhow::anyhow!("cannot write {}: {e}", path.display()))?;
    }
    Ok(())
}

fn samples(args: &Args, network: &Network) -> anyhow::Result<Vec<Sample>> {
    let mut reader = RecordReader::open(&args.held_out)
        .map_err(|e| anyhow::anyhow!("{}: {e}", args.held_out.display()))?;
    let mut records = Vec::new();
    reader.read_batch(&mut records, args.skip)?;
    reader.read_batch(&mut records, args.limit)?;
    anyhow::ensure!(
        !records.is_empty(),
        "{}: expected more than the {} positions that are left out (--skip), got no more",
        args.held_out.display(),
        args.skip
    );
    // The engine's centipawns may differ from the data's.
    let factor = f64::from(network.scale) / args.scale;
    Ok(records
        .iter()
        .map(|record| {
            let judged = judge(network, simd::kernels(), record);
            let score = f64::from(record.score()) * factor;
            Sample::new(&judged, score, record.pieces().count())
        })
        .collect())
}

/// Coverage against the ideal diagonal, a line for each phase.
fn coverage_chart(samples: &[Sample], offsets: &[f64; 5], scale: f64) -> String {
    let mut chart =
        Chart::new("Share of search scores below each quantile, in %", (0.0, 100.0), (0.0, 100.0));
    chart.line("ideal", "#bbb", &[(0.0, 0.0), (100.0, 100.0)]);
    for ((name, holds), color) in GROUPS.iter().zip(["#000", "#1f77b4", "#2ca02c", "#d62728"]) {
        let group = Summary::of(samples.iter().filter(|s| holds(s)), offsets, scale);
        let points: Vec<_> = LEVELS
            .iter()
            .zip(group.coverage())
            .map(|(level, share)| (100.0 * level, 100.0 * share))
            .collect();
        chart.line(name, color, &points);
    }
    chart.finish()
}

/// How often a group's scores fell between neighbouring quantiles, relative to what was promised.
fn pit_chart((name, holds): &Group, samples: &[Sample], offsets: &[f64; 5], scale: f64) -> String {
    let title = format!("Scores between quantiles, relative to the promise: {name}");
    let mut chart = Chart::new(&title, (0.0, 100.0), (0.0, 2.0));
    let shares = Summary::of(samples.iter().filter(|s| holds(s)), offsets, scale).between();
    let edges = [0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 100.0];
    for (k, share) in shares.into_iter().enumerate() {
        let promised = (edges[k + 1] - edges[k]) / 100.0;
        chart.bar(edges[k], edges[k + 1] - 0.5, share / promised, "#1f77b4");
    }
    chart.line("promised", "#d62728", &[(0.0, 1.0), (100.0, 1.0)]);
    chart.finish()
}
