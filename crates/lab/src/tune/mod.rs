//! `brier-lab tune`: finds the weights of the classical evaluation that best predict how games go.
//!
//! Each quiet position is evaluated once, with a trace that notes which weight was used how often
//! ([`examples`]). From then on an evaluation is a short sum over that note ([`model`]), cheap
//! enough to do for millions of positions many times while [`fit`] follows the gradient.
//! [`output`] writes the file that the engine is built with. `docs/tuning.md` explains all of it.

mod examples;
mod fit;
mod model;
mod output;
mod target;

use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::{Context, ensure};

use fit::{Fit, Schedule};
use model::Weights;
use target::Target;

/// Options of `brier-lab tune`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games in viriformat (.vf), or positions with results in EPD (.epd).
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Where to write the weights.
    #[arg(long, default_value = "crates/classical/src/weights.rs")]
    output: PathBuf,
    /// How often to go through all positions.
    #[arg(long, default_value_t = 30)]
    epochs: usize,
    /// Positions between two steps.
    #[arg(long, default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The longest first step, in centipawns; it falls to a hundredth of this.
    #[arg(long, default_value_t = 1.0)]
    rate: f32,
    /// How much the game's result counts beside the score of the move, from 0 to 1.
    #[arg(long, default_value_t = 0.2)]
    result_share: f32,
    /// About how many positions to take from each input.
    #[arg(long, default_value_t = 2_000_000)]
    positions: u64,
    /// How many positions' worth of trust the old weights get; keeps rare ones from running off.
    #[arg(long, default_value_t = 50.0)]
    trust: f32,
    /// Threads; all cores by default.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Only measure the loss of the weights as they are.
    #[arg(long)]
    measure: bool,
}

/// Reads, fits, reports, writes.
#[expect(clippy::print_stdout, reason = "the report is what the command is for")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let share = args.result_share;
    ensure!((0.0..=1.0).contains(&share), "--result-share: expected 0 to 1, got {share}");
    if let Some(folder) = args.output.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        ensure!(folder.is_dir(), "--output: expected an existing folder, got {}", folder.display());
    }
    let threads = args.threads.or(available_parallelism().ok()).map_or(1, NonZero::get);
    let old = Weights::current();

    let games = examples::load(&args.inputs, args.positions)?;
    let score_scale = target::fit_score_scale(&games);
    let target = Target { score_scale, result_share: args.result_share };
    let (training, held_out) = (games.training.aim(&target), games.held_out.aim(&target));
    ensure!(!training.is_empty(), "no quiet position in the inputs");
    println!("positions: {} to learn from, {} held out", training.len(), held_out.len());
    println!("scale of the teacher's scores: {score_scale:.6} a centipawn");

    let scale = target::fit_scale(&old, &training, threads);
    let before = [&training, &held_out].map(|part| model::loss(&old, part, scale, threads));
    println!("scale of the evaluation: {scale:.6} a centipawn");
    println!("loss before: {:.6} training, {:.6} held out", before[0], before[1]);
    if args.measure {
        return Ok(());
    }

    let schedule = Schedule {
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate,
        trust: args.trust,
        threads,
    };
    let new = Fit::new(&old, scale, schedule).run(training, &held_out).rounded();
    let after = model::loss(&new, &held_out, scale, threads);
    println!("loss after, held out, weights rounded: {after:.6}");
    output::write(&args.output, &new)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    println!("wrote {}", args.output.display());
    Ok(())
}
