#![expect(clippy::print_stderr, reason = "progress and log lines are for the terminal")]
//! `brier-lab train`: a trainer for a few processor cores.
//!
//! Prepared positions stream from disk ([`stream`], [`inputs`]) through a float network ([`model`],
//! [`step`], [`loss`]) that AdamW improves ([`optimiser`], [`trainer`]).

mod checkpoint;
pub(crate) mod finish;
mod inputs;
mod loss;
mod model;
mod optimiser;
mod quantise;
mod random;
mod step;
mod stream;
mod trainer;

use std::fmt::Write as _;
use std::fs;
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use checkpoint::Checkpoint;
use data::Record;
use loss::Target;
use model::Layout;
use optimiser::Schedule;
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

/// Seconds between two checkpoints.
const SAVE_EVERY: u64 = 120;
/// Held-out positions looked at for each line of the log.
const HELD_OUT: usize = 50_000;
/// Lines of the log in a whole run.
const LOG_LINES: u64 = 100;

impl Args {
    fn check(&self) -> Result<(), String> {
        if self.width == 0 || self.width % 32 != 0 || self.width > simd::nnue::MAX_WIDTH {
            let most = simd::nnue::MAX_WIDTH;
            return Err(format!(
                "--width: expected a multiple of 32 up to {most}, got {}",
                self.width
            ));
        }
        if self.batch == 0 || self.positions < self.batch as u64 {
            return Err(format!(
                "--positions: expected at least one batch of {} (and not an empty one), got {}",
                self.batch, self.positions
            ));
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
    let layout = Layout { ft: args.width };
    let kernels = args.kernels()?;
    let parameters = match &args.start_from {
        None => layout.initial(args.seed),
        Some(path) => {
            let start = Checkpoint::load(path)?;
            if start.layout != layout {
                return Err(format!(
                    "{}: expected {} lanes, got {}",
                    path.display(),
                    layout.ft,
                    start.layout.ft
                ));
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
    teach(args, &mut trainer, &mut stream, &held_out, schedule)?;
    trainer.checkpoint(&args.settings()).save(&saved)?;
    if layout.ft != nnue::arch::FT {
        eprintln!("not the engine's width ({}): no network written", nnue::arch::FT);
        return Ok(());
    }
    let name = args.out.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let path = args.out.join("net.nnue");
    finish::write(layout, trainer.parameters(), &name, finish::DEFAULT_SCALE, &path, &held_out)
}

/// Steps until the schedule ends, with log lines and checkpoints on the way.
fn teach(
    args: &Args,
    trainer: &mut Trainer,
    stream: &mut Stream,
    held_out: &[Record],
    schedule: Schedule,
) -> Result<(), String> {
    let saved = args.out.join("checkpoint");
    let log = args.out.join("log.csv");
    let every = (schedule.steps / LOG_LINES).max(1);
    let began = Instant::now();
    let first_step = trainer.step();
    let mut saved_at = Instant::now();
    let mut shown_at = Instant::now();
    let (mut sum, mut count) = (0.0, 0u64);
    let mut batch = Vec::new();
    while trainer.step() < schedule.steps {
        stream.next_batch(&mut batch, args.batch)?;
        sum += trainer.learn(&batch).total(&args.target());
        count += 1;
        let done = trainer.step();
        if shown_at.elapsed() > Duration::from_millis(500) && std::io::stderr().is_terminal() {
            shown_at = Instant::now();
            let speed =
                ((done - first_step) * args.batch as u64) as f64 / began.elapsed().as_secs_f64();
            let left = ((schedule.steps - done) * args.batch as u64) as f64 / speed;
            eprint!("\r{}", progress(done, schedule.steps, sum / count as f64, speed, left));
            let _ = std::io::stderr().flush();
        }
        if done % every == 0 || done == schedule.steps {
            let report = trainer.evaluate(held_out);
            let speed =
                ((done - first_step) * args.batch as u64) as f64 / began.elapsed().as_secs_f64();
            append_log(&log, done, args.batch, schedule.rate(done), sum / count as f64, &report)?;
            let [c50, c25, c10, c75, c90] = report.coverage.map(|share| 100.0 * share);
            eprintln!(
                "\r{:6.1} M  loss {:.5}  held-out pinball {:.5} squared {:.6}  \
                 below: {c10:.1} {c25:.1} {c50:.1} {c75:.1} {c90:.1} %  {:.0} k/s",
                (done * args.batch as u64) as f64 / 1e6,
                sum / count as f64,
                report.loss.pinball,
                report.loss.squared,
                speed / 1e3,
            );
            (sum, count) = (0.0, 0);
        }
        if saved_at.elapsed().as_secs() >= SAVE_EVERY {
            saved_at = Instant::now();
            trainer.checkpoint(&args.settings()).save(&saved)?;
        }
    }
    Ok(())
}

/// One line: bar, loss, speed, time left.
fn progress(done: u64, steps: u64, loss: f64, speed: f64, left: f64) -> String {
    const CELLS: u64 = 24;
    let full = (done * CELLS / steps.max(1)).min(CELLS) as usize;
    let bar = "█".repeat(full) + &"░".repeat(CELLS as usize - full);
    let left = left as u64;
    format!(
        "{bar} {:5.1} %  loss {loss:.5}  {:.0} k positions/s  {}:{:02}:{:02} left ",
        100.0 * done as f64 / steps.max(1) as f64,
        speed / 1e3,
        left / 3600,
        left / 60 % 60,
        left % 60,
    )
}

fn append_log(
    path: &Path,
    step: u64,
    batch: usize,
    rate: f64,
    loss: f64,
    report: &trainer::Report,
) -> Result<(), String> {
    let error = |e| format!("cannot write {}: {e}", path.display());
    let fresh = !path.exists();
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).map_err(error)?;
    if fresh {
        writeln!(
            file,
            "positions,rate,loss,pinball,squared,below50,below25,below10,below75,below90"
        )
        .map_err(error)?;
    }
    let below = report.coverage.map(|share| format!("{share:.5}")).join(",");
    writeln!(
        file,
        "{},{rate:.3e},{loss:.6},{:.6},{:.7},{below}",
        step * batch as u64,
        report.loss.pinball,
        report.loss.squared
    )
    .map_err(error)
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
