//! `bench`: a fixed amount of work, for its node count and its speed.
//!
//! The node count is the signature of the search: the same on every run and machine, and other
//! as soon as the search thinks otherwise. Test frameworks read the last line, `N nodes M nps`.
//! `bench nn` measures the evaluation alone, `bench policy` the root policy.

use std::hint::black_box;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chess::Board;
use engine::{AnyEvaluator, BuildError, Engine, Limits, Position, Source};
use eval::Evaluator;
use nnue::Network;
use uci::Bench;

use crate::{output, policy};

/// Deep enough that every part of the search takes part, quick enough to run before each commit.
const DEPTH: u32 = 13;
const THREADS: usize = 1;
const HASH_MB: usize = 16;

const POSITIONS: &str = include_str!("bench/positions.epd");

/// The positions; a test makes sure that each is legal.
fn positions() -> impl Iterator<Item = Board> {
    let is_position = |line: &&str| !line.is_empty() && !line.starts_with('#');
    POSITIONS.lines().filter(is_position).filter_map(|line| line.parse().ok())
}

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
    bench: &Bench,
    source: Source,
    policy_file: &str,
    stop: &AtomicBool,
) -> Result<(), BenchError> {
    match *bench {
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
    let count = positions().count();
    for (index, board) in positions().enumerate() {
        engine.new_game();
        // Only the search counts: nobody waits for an empty table in a game.
        let start = Instant::now();
        let nodes = search_once(&mut engine, board.clone(), depth, stop);
        time += start.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Err(BenchError::Stopped);
        }
        total += nodes;
        output::line(format_args!("{:>2}/{count} {nodes:>10} nodes  {board}", index + 1))?;
    }
    let nps = per_second(total, time);
    output::line(format_args!("{total} nodes {nps} nps"))?;
    Ok(())
}

/// The nodes of one search to a depth.
fn search_once(engine: &mut Engine, board: Board, depth: u32, stop: &AtomicBool) -> u64 {
    const PAUSE: Duration = Duration::from_millis(50);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let watched = engine.watch(&Position::new(board), &limits, PAUSE, |_| {
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    watched.nodes
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
    const ROUNDS: usize = 2000;
    let boards: Vec<_> = positions().collect();
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for board in &boards {
            evaluator.reset(board);
            black_box(evaluator.evaluate(board));
        }
    }
    let full = per_second((ROUNDS * boards.len()) as u64, start.elapsed());
    output::line(format_args!("{full} evaluations per second of one position after another"))?;

    let mut count = 0;
    let start = Instant::now();
    for _ in 0..ROUNDS / 20 {
        for board in &boards {
            evaluator.reset(board);
            // From here on the evaluator needs only what a move changes.
            black_box(evaluator.evaluate(board));
            for mv in &board.legal_moves() {
                let mut next = board.clone();
                evaluator.push();
                next.make_move(mv, &mut evaluator);
                black_box(evaluator.evaluate(&next));
                evaluator.pop();
                count += 1;
            }
        }
    }
    let incremental = per_second(count, start.elapsed());
    output::line(format_args!("{incremental} evaluations per second after a move"))
}

fn per_second(count: u64, time: Duration) -> u64 {
    (count as f64 / time.as_secs_f64().max(1e-6)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_different_positions_with_moves() {
        let mut fens: Vec<_> = positions().map(|board| board.to_string()).collect();
        assert_eq!(fens.len(), 50);
        fens.sort();
        fens.dedup();
        assert_eq!(fens.len(), 50);
        assert!(positions().all(|board| !board.legal_moves().is_empty()));
    }

    #[test]
    fn every_table_of_kernels_gives_the_same_nodes() {
        let source = Source::default();
        let counts: Vec<(&str, u64)> = simd::all_available()
            .map(|kernels| {
                let builder = Engine::builder().evaluator(source.clone()).kernels(kernels);
                let mut engine = builder.build().unwrap();
                let nodes = positions()
                    .map(|board| search_once(&mut engine, board, 5, &AtomicBool::new(false)))
                    .sum();
                (kernels.name, nodes)
            })
            .collect();
        assert!(counts.iter().all(|&(_, nodes)| nodes == counts[0].1), "{counts:?}");
    }

    #[test]
    fn speeds_survive_no_time_at_all() {
        assert_eq!(per_second(0, Duration::ZERO), 0);
        assert_eq!(per_second(10, Duration::from_secs(2)), 5);
    }
}
