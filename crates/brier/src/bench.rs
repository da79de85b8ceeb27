//! `bench`: a fixed amount of work, for its node count and its speed.
//!
//! The node count is the signature of the search: the same on every run and machine, and other
//! as soon as the search thinks otherwise. Test frameworks read the last line, `N nodes M nps`.
//! `bench nn` measures the evaluation alone, `bench policy` the root policy.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::{AnyEvaluator, BuildError, Engine, Source};
use measure::bench;
use nnue::Network;
use uci::Bench;

use crate::{output, policy};

/// Deep enough that every part of the search takes part, quick enough to run before each commit.
const DEPTH: u32 = 13;
const THREADS: usize = 1;
const HASH_MB: usize = 16;

/// Why a bench could not be run.
#[derive(Debug)]
pub(crate) enum BenchError {
    /// No engine of that size.
    Engine(BuildError),
    /// Nobody reads what we write.
    Output(io::Error),
    /// A `stop` ended it.
    Stopped,
}

impl From<io::Error> for BenchError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Runs a bench. It has an engine of its own, so nothing that happened before can change the
/// result.
///
/// `policy_file` is the option `PolicyFile`; `stop` ends a search before its time.
pub(crate) fn run(
    what: &Bench,
    source: Source,
    policy_file: &str,
    stop: &AtomicBool,
) -> Result<(), BenchError> {
    match *what {
        Bench::Search { depth, threads, hash } => {
            let builder = Engine::builder()
                .evaluator(source)
                .hash_mb(hash.unwrap_or(HASH_MB))
                .threads(threads.unwrap_or(THREADS));
            let engine = builder.build().map_err(BenchError::Engine)?;
            run_search(engine, depth.unwrap_or(DEPTH), stop)
        }
        Bench::Evaluation => {
            if let Source::Network(network) = &source {
                compare_kernels(network)?;
            }
            Ok(run_evaluation(source.evaluator())?)
        }
        Bench::Policy => match policy::bench(policy::named(policy_file)) {
            Ok(figures) => Ok(output::line(figures.trim_end())?),
            Err(reason) => Ok(output::line(reason)?),
        },
    }
}

fn run_search(mut engine: Engine, depth: u32, stop: &AtomicBool) -> Result<(), BenchError> {
    let mut time = Duration::ZERO;
    let mut total = 0;
    let count = bench::positions().count();
    for (index, board) in bench::positions().enumerate() {
        engine.new_game();
        // Only the search counts: nobody waits for an empty table in a game.
        let start = Instant::now();
        let nodes = bench::search(&mut engine, board.clone(), depth, stop);
        time += start.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Err(BenchError::Stopped);
        }
        total += nodes;
        output::line(format_args!("{:>2}/{count} {nodes:>10} nodes  {board}", index + 1))?;
    }
    let nps = bench::per_second(total, time);
    output::line(format_args!("{total} nodes {nps} nps"))?;
    Ok(())
}

/// The network with every table of kernels this processor can run, in nanoseconds.
fn compare_kernels(network: &Arc<Network>) -> io::Result<()> {
    const EACH: Duration = Duration::from_millis(300);
    output::line("ns for     whole   after a move   refresh   update   dense   refresh / update")?;
    let mut scalar = None;
    for kernels in simd::all_available() {
        let speed = nnue::bench::measure(network, kernels, EACH);
        let ns = |rate: f64| 1e9 / rate;
        let times = speed.full / *scalar.get_or_insert(speed.full);
        output::line(format_args!(
            "{:<8} {:>7.0} {:>14.0} {:>9.0} {:>8.0} {:>7.0} {:>18.1}   {times:.1} times the first",
            speed.kernels,
            ns(speed.full),
            ns(speed.incremental),
            ns(speed.refresh),
            ns(speed.update),
            ns(speed.forward),
            speed.update / speed.refresh,
        ))?;
    }
    Ok(())
}

/// Speeds of the evaluation: one position after the other, and each position after each move.
fn run_evaluation(mut evaluator: AnyEvaluator) -> io::Result<()> {
    let whole = bench::evaluate_whole(&mut evaluator);
    output::line(format_args!("{whole} evaluations per second of one position after another"))?;
    let moves = bench::evaluate_moves(&mut evaluator);
    output::line(format_args!("{moves} evaluations per second after a move"))
}
