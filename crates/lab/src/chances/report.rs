//! What the engine says about positions of finished games, and how these games ended.

use std::path::PathBuf;

use eval::Chances;

use super::fit;
use super::sample::{self, Control, Sample};
use crate::statistics::error_of_share;
use crate::svg::{Chart, document};

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of `chances collect`, each of one control
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Write a reliability diagram to this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Samples that are judged apart.
type Group = (&'static str, fn(&Sample) -> bool);

const GROUPS: [Group; 8] = [
    ("all", |_| true),
    ("first positions", |s| s.ply == 0),
    ("material 60 and more", |s| s.material >= 60),
    ("material 30 to 59", |s| (30..60).contains(&s.material)),
    ("material below 30", |s| s.material < 30),
    ("score within 50", |s| s.score.abs() < 50),
    ("score 50 to 150", |s| (50..=150).contains(&s.score.abs())),
    ("score beyond 150", |s| s.score.abs() > 150),
];

fn said(sample: &Sample) -> Chances {
    Chances::after(sample.nodes, &sample.quantiles, sample.material)
}

#[expect(clippy::print_stdout, reason = "the report is the command's result")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut controls = sample::read(&args.samples)?;
    for control in &mut controls {
        control.samples.retain(Sample::is_for_judging);
        println!(
            "{:<24} positions   won said   was   drawn said   was (±)    lost said   was   loss",
            control.name
        );
        for (name, belongs) in GROUPS {
            let members: Vec<Sample> = control.samples.iter().copied().filter(belongs).collect();
            println!("{}", row(name, &members));
        }
    }
    if let Some(path) = &args.svg {
        std::fs::write(path, charts(&controls))?;
    }
    Ok(())
}

/// What was said and what came, in percent, of a group.
fn row(name: &str, members: &[Sample]) -> String {
    if members.is_empty() {
        return format!("{name:<24} {:>9}", "none");
    }
    let count = members.len() as f64;
    let mean = |part: fn(Chances) -> u32| {
        members.iter().map(|sample| f64::from(part(said(sample)))).sum::<f64>() / (10.0 * count)
    };
    let was = |result: u8| {
        100.0 * members.iter().filter(|sample| sample.result == result).count() as f64 / count
    };
    let draws = was(1) / 100.0;
    let error = error_of_share(draws, members.len());
    format!(
        "{name:<24} {:>9} {:>10.1} {:>5.1} {:>12.1} {:>5.1} {error:>4.1} {:>11.1} {:>5.1} {:>6.4}",
        members.len(),
        mean(|chances| chances.win),
        was(2),
        mean(|chances| chances.draw),
        was(1),
        mean(|chances| chances.loss),
        was(0),
        fit::loss(members, said),
    )
}

/// A result: the chart's title, its chance, its number in a sample.
type Kind = (&'static str, fn(Chances) -> u32, u8);

/// For each control: the chances of a win and of a draw that were said, and how often they came.
fn charts(controls: &[Control]) -> String {
    const COLORS: [&str; 6] = ["#1b6", "#26c", "#c52", "#a3a", "#888", "#222"];
    let kinds: [Kind; 2] = [
        ("wins: said, and how often they came", |chances| chances.win, 2),
        ("draws: said, and how often they came", |chances| chances.draw, 1),
    ];
    let chart = |(title, part, result): Kind| {
        let mut chart = Chart::new(title, (0.0, 1.0), (0.0, 1.0));
        chart.line("promised", "#ccc", &[(0.0, 0.0), (1.0, 1.0)]);
        for (control, color) in controls.iter().zip(COLORS.iter().cycle()) {
            let point = |tenth: u32| {
                let members = || {
                    let chances = control.samples.iter().map(|s| (part(said(s)), s.result));
                    chances.filter(move |(said, _)| (said / 100).min(9) == tenth)
                };
                let count = members().count();
                let mean = |sum: f64| sum / count as f64;
                let said = members().map(|(said, _)| f64::from(said) / 1000.0).sum();
                let came = members().filter(|&(_, came)| came == result).count();
                (count >= 20).then(|| (mean(said), mean(came as f64)))
            };
            let points: Vec<_> = (0..10).filter_map(point).collect();
            chart.line(&control.name, color, &points);
        }
        chart.finish()
    };
    document(&kinds.map(chart))
}
