//! Fixed positions, searched to a fixed depth or evaluated again and again.
//!
//! The node count is the signature of the search: the same on every run and machine, and other
//! as soon as the search thinks otherwise.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chess::Board;
use engine::{Engine, Limits, Position};
use eval::Evaluator;

const POSITIONS: &str = include_str!("positions.epd");

/// The positions; a test makes sure that each is legal.
pub fn positions() -> impl Iterator<Item = Board> {
    let is_position = |line: &&str| !line.is_empty() && !line.starts_with('#');
    POSITIONS.lines().filter(is_position).filter_map(|line| line.parse().ok())
}

/// The nodes of one search to a depth; `stop` ends it early.
pub fn search(engine: &mut Engine, board: Board, depth: u32, stop: &AtomicBool) -> u64 {
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

/// Evaluations per second of one position after another, each from nothing.
pub fn evaluate_whole(evaluator: &mut impl Evaluator) -> u64 {
    const ROUNDS: usize = 2000;
    let boards: Vec<_> = positions().collect();
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for board in &boards {
            evaluator.reset(board);
            black_box(evaluator.evaluate(board));
        }
    }
    per_second((ROUNDS * boards.len()) as u64, start.elapsed())
}

/// Evaluations per second after each legal move of the positions.
pub fn evaluate_moves(evaluator: &mut impl Evaluator) -> u64 {
    const ROUNDS: usize = 100;
    let boards: Vec<_> = positions().collect();
    let mut count = 0;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for board in &boards {
            evaluator.reset(board);
            // From here on the evaluator needs only what a move changes.
            black_box(evaluator.evaluate(board));
            for mv in &board.legal_moves() {
                let mut next = board.clone();
                evaluator.push();
                next.make_move(mv, evaluator);
                black_box(evaluator.evaluate(&next));
                evaluator.pop();
                count += 1;
            }
        }
    }
    per_second(count, start.elapsed())
}

/// A rate that survives no time at all.
pub fn per_second(count: u64, time: Duration) -> u64 {
    (count as f64 / time.as_secs_f64().max(1e-6)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Source;

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
                    .map(|board| search(&mut engine, board, 5, &AtomicBool::new(false)))
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
