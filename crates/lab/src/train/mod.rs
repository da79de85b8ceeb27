#![expect(clippy::print_stderr, reason = "progress and log lines are for the terminal")]
//! `brier-lab train`: a trainer for a few processor cores.
//!
//! Prepared positions stream from disk ([`stream`], [`inputs`]) through a float network ([`model`],
//! [`step`], [`loss`]) that AdamW improves ([`optimiser`], [`trainer`], [`session`]); at the end the
//! floats become the engine's integers ([`mod@quantise`], [`finish`]). [`grow`] enlarges a network.

pub(crate) mod blend;
mod checkpoint;
pub(crate) mod dequantise;
pub(crate) mod finish;
pub(crate) mod grow;
pub(crate) mod inputs;
mod loss;
pub(crate) mod model;
mod optimiser;
mod order;
mod parallel;
#[cfg(test)]
mod pytorch;
pub(crate) mod quantise;
mod readers;
mod session;
mod step;
mod stream;
mod tiles;
mod trainer;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use checkpoint::Checkpoint;
use data::Record;
use loss::Target;
use model::Layout;
use nnue::Network;
use optimiser::Schedule;
use session::Session;
use stream::Stream;
use trainer::Trainer;

/// Options of `brier-lab train`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of prepared positions to learn from
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// File of prepared positions to judge by
    #[arg(long)]
    held_out: Option<PathBuf>,
    /// Folder for checkpoint, log, curve and network; a run found there goes on
    #[arg(long)]
    out: PathBuf,
    /// Start with the parameters of this checkpoint
    #[arg(long)]
    start_from: Option<PathBuf>,
    /// Positions to learn from in all, each epoch counted anew
    #[arg(long, default_value_t = 400_000_000)]
    positions: u64,
    /// Positions of a step
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Lanes of an accumulator
    #[arg(long, default_value_t = nnue::arch::FT)]
    width: usize,
    /// Leave out the threat inputs
    #[arg(long)]
    plain: bool,
    /// Highest learning rate
    #[arg(long, default_value_t = 1e-3)]
    rate: f64,
    /// Learning rate of the last step
    #[arg(long, default_value_t = 1e-6)]
    last_rate: f64,
    /// Steps of warm-up
    #[arg(long, default_value_t = 400)]
    warm_up: u64,
    /// Weight decay
    #[arg(long, default_value_t = 0.01)]
    decay: f64,
    /// Batches of one step of the threats' weights, which are many and seldom seen
    #[arg(long, default_value_t = 4)]
    threats_every: u64,
    /// Centipawns of one unit of log-odds in the data's scores
    #[arg(long, default_value_t = 200.0)]
    scale: f32,
    /// Share of the game's result in the target
    #[arg(long, default_value_t = 0.1)]
    result_share: f32,
    /// Weight of the median's squared error beside the quantile losses
    #[arg(long, default_value_t = 10.0)]
    squared: f32,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of first weights and shuffles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Vector kernels: scalar, avx2, avx512, neon; the best there is by default
    #[arg(long)]
    kernels: Option<String>,
}

/// Held-out positions looked at for each line of the log, and for the correction of the gaps.
pub(crate) const HELD_OUT: usize = 50_000;

impl Args {
    fn check(&self) -> Result<(), String> {
        if self.width == 0 || !self.width.is_multiple_of(64) || self.width > simd::nnue::MAX_WIDTH {
            let most = simd::nnue::MAX_WIDTH;
            return Err(format!(
                "--width: expected a multiple of 64 up to {most}, got {}",
                self.width
            ));
        }
        if self.batch == 0 || self.positions < self.batch as u64 {
            return Err(format!(
                "--positions: expected at least one batch of {} (and not an empty one), got {}",
                self.batch, self.positions
            ));
        }
        if self.threats_every == 0 {
            return Err("--threats-every: expected 1 or more, got 0".into());
        }
        let share = self.result_share;
        if !(0.0..=1.0).contains(&share) {
            return Err(format!("--result-share: expected 0 to 1, got {share}"));
        }
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(format!("--scale: expected a positive number, got {}", self.scale));
        }
        Ok(())
    }

    fn target(&self) -> Target {
        Target { scale: self.scale, result_share: self.result_share, squared: self.squared }
    }

    fn schedule(&self) -> Schedule {
        Schedule {
            peak: self.rate,
            floor: self.last_rate,
            warm_up: self.warm_up,
            steps: self.positions / self.batch as u64,
            decay: self.decay,
            threats_every: self.threats_every,
        }
    }

    /// Everything the result depends on, to be compared when a run goes on.
    fn settings(&self) -> String {
        let mut text = format!(
            "{:?}\n{:?}\nbatch {} seed {} threads {}\n",
            self.target(),
            self.schedule(),
            self.batch,
            self.seed,
            self.threads.max(1)
        );
        for path in &self.data {
            let _ = writeln!(text, "data {}", path.display());
        }
        text
    }

    fn kernels(&self) -> Result<&'static simd::Kernels, String> {
        match &self.kernels {
            None => Ok(simd::kernels()),
            Some(name) => simd::by_name(name).ok_or_else(|| {
                let known: Vec<_> = simd::all_available().map(|table| table.name).collect();
                format!("--kernels: expected one of {}, got {name}", known.join(", "))
            }),
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    args.check()?;
    fs::create_dir_all(&args.out).map_err(|e| format!("{}: {e}", args.out.display()))?;
    let layout = Layout::new(args.width, !args.plain);
    let kernels = args.kernels()?;
    let parameters = match &args.start_from {
        None => layout.initial(args.seed),
        Some(path) => {
            let start = Checkpoint::load(path)?;
            if start.layout != layout {
                return Err(format!("{}: expected {layout}, got {}", path.display(), start.layout));
            }
            start.parameters
        }
    };
    let schedule = args.schedule();
    let mut trainer =
        Trainer::new(kernels, layout, args.target(), schedule, args.threads, parameters);
    let saved = args.out.join("checkpoint");
    if saved.exists() {
        let checkpoint = Checkpoint::load(&saved)?;
        if checkpoint.settings != args.settings() || checkpoint.layout != layout {
            return Err(format!(
                "{} holds another run; expected its settings\n{}got\n{}",
                args.out.display(),
                checkpoint.settings,
                args.settings()
            ));
        }
        trainer.restore(checkpoint);
    }
    let held_out = held_out(args.held_out.as_deref())?;
    let mut stream = Stream::open(&args.data, args.seed)?;
    stream.skip(trainer.step() * args.batch as u64)?;
    eprintln!(
        "{} positions, {} held out; {} parameters; {} kernels, {} threads; {} of {} steps done",
        stream.len(),
        held_out.len(),
        layout.len(),
        kernels.name,
        args.threads.max(1),
        trainer.step(),
        schedule.steps,
    );
    let session = Session {
        folder: &args.out,
        settings: args.settings(),
        batch: args.batch,
        target: args.target(),
        schedule,
        held_out: &held_out,
    };
    session.train(&mut trainer, &mut stream)?;
    if !nnue::arch::is_width(layout.ft) {
        eprintln!("not a width of the engine ({}): no network written", layout.ft);
        return Ok(());
    }
    let name = args.out.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let path = args.out.join("net.nnue");
    let scales = finish::Scales { engine: finish::DEFAULT_SCALE, data: f64::from(args.scale) };
    finish::write(layout, trainer.parameters(), &name, scales, &path, &held_out)
}

/// Writes a network with the random weights that training begins with.
pub(crate) fn write_random(width: usize, path: &Path) -> Result<(), String> {
    let layout = Layout::new(width, false);
    let scales = finish::Scales { engine: finish::DEFAULT_SCALE, data: 200.0 };
    finish::write(layout, &layout.initial(1), "random", scales, path, &[])
}

/// The first held-out positions, all in memory.
fn held_out(path: Option<&Path>) -> Result<Vec<Record>, String> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let mut stream = Stream::open(&[path.to_path_buf()], 0)?;
    let mut records = Vec::new();
    let count = stream.len().min(HELD_OUT as u64) as usize;
    stream.next_batch(&mut records, count)?;
    Ok(records)
}

/// The network of a file, or the one inside the program.
pub(crate) fn load_network(path: Option<&Path>) -> anyhow::Result<Arc<Network>> {
    let Some(path) = path else { return Ok(Network::default_net()) };
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let network = Network::from_bytes(&bytes).with_context(|| path.display().to_string())?;
    Ok(Arc::new(network))
}
