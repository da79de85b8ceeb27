//! What the search does with a doubtful evaluation and with a policy, both of them made up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use chess::{Board, Color, Move, MoveObserver, Piece, Square};
use eval::{Evaluator, Material, Policy, Quantiles};
use search::{Clock, Engine, Event, Limits, Position, Settings};

/// Counts material and is sure of nothing.
#[derive(Default)]
struct Unsure(Material);

impl MoveObserver for Unsure {
    fn added(&mut self, _: Color, _: Piece, _: Square) {}
    fn removed(&mut self, _: Color, _: Piece, _: Square) {}
    fn moved(&mut self, _: Color, _: Piece, _: Square, _: Square) {}
}

impl Evaluator for Unsure {
    fn reset(&mut self, _: &Board) {}
    fn push(&mut self) {}
    fn pop(&mut self) {}

    fn evaluate(&mut self, board: &Board) -> Quantiles {
        let q50 = self.0.evaluate(board).q50;
        Quantiles { q10: q50 - 400, q25: q50 - 100, q50, q75: q50 + 50, q90: q50 + 200 }
    }
}

/// Everything a search of the first position says.
fn search<E: Evaluator + 'static>(
    engine: &mut Engine<E>,
    limits: Limits,
    settings: Settings,
) -> Vec<Event> {
    let (sender, events) = channel();
    engine.go(&Position::default(), limits, settings, move |event| sender.send(event).unwrap());
    engine.wait();
    events.into_iter().collect()
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(settings: Settings) -> u64 {
    let mut engine = Engine::new(Unsure::default, 4, 1).unwrap();
    let events = search(&mut engine, depth(9), settings);
    events
        .iter()
        .filter_map(|event| match event {
            Event::Info(info) => Some(info.nodes),
            _ => None,
        })
        .max()
        .unwrap()
}

#[test]
fn every_line_has_a_distribution_around_its_score() {
    let mut engine = Engine::new(Unsure::default, 4, 1).unwrap();
    let settings = Settings { multi_pv: 2, ..Settings::default() };
    let mut depths = Vec::new();
    for event in search(&mut engine, depth(6), settings) {
        let Event::Info(info) = event else { continue };
        let Quantiles { q10, q25, q50, q75, q90 } = info.quantiles;
        assert_eq!(q50, info.score);
        // The same width, whoever is to move at the end of the line.
        assert_eq!(q90 - q10, 600);
        assert!(q10 < q25 && q75 < q90);
        depths.push(info.depth);
    }
    assert_eq!(depths, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
}

#[test]
fn the_width_and_the_risk_change_the_search() {
    let with = nodes(Settings::default());
    assert_eq!(with, nodes(Settings::default()));
    assert_ne!(with, nodes(Settings { use_width: false, ..Settings::default() }));
    assert_ne!(with, nodes(Settings { risk: 80, ..Settings::default() }));
}

/// A wish for risk is no reason to report another score: what it adds at the end of every line is
/// taken off before the line is shown.
#[test]
fn risk_moves_neither_score_nor_band() {
    let depths = 4..10;
    let last = |risk: i32, to: u32| {
        let mut engine = Engine::new(Unsure::default, 4, 1).unwrap();
        let settings = Settings { risk, ..Settings::default() };
        let line = |event| match event {
            Event::Info(info) => Some((info.score, info.quantiles)),
            _ => None,
        };
        let (score, band) =
            search(&mut engine, depth(to), settings).into_iter().rev().find_map(line).unwrap();
        assert_eq!((band.q50, band.q90 - band.q10), (score, 600));
        score
    };
    for (risk, added) in [(-100, -400), (100, 200)] {
        // The choice is another one and may cost or win a pawn, now this, now that; what was added
        // would be there every time.
        let differences = depths.clone().map(|to| last(risk, to) - last(0, to));
        let mean = differences.sum::<i32>() / depths.len() as i32;
        assert!(mean.abs() < (mean - added).abs() / 2, "{risk}: {mean}");
    }
}

/// Likes one move best, and takes its time.
struct Fond {
    favourite: &'static str,
    cost: Duration,
    asked: Arc<AtomicUsize>,
}

impl Policy for Fond {
    fn logits(&mut self, _: &Board, _: &[Move], moves: &[Move], out: &mut [f32]) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed);
        for (mv, score) in moves.iter().zip(out) {
            *score = if mv.to_string() == self.favourite { 4.0 } else { 0.0 };
        }
        true
    }

    fn cost(&mut self, _: &Board, _: &[Move]) -> Duration {
        self.cost
    }

    fn reset(&mut self) {}
}

/// How often a policy of this cost is asked, and the move of a search with it.
fn ask(cost: Duration, limits: Limits) -> (usize, String) {
    let asked = Arc::new(AtomicUsize::new(0));
    let policy = Fond { favourite: "a2a4", cost, asked: Arc::clone(&asked) };
    let mut engine = Engine::new(Material::default, 4, 2).unwrap();
    engine.set_policy(Some(Box::new(policy)));
    let events = search(&mut engine, limits, Settings::default());
    let best = events.iter().find_map(|event| match event {
        Event::BestMove { best, .. } => *best,
        _ => None,
    });
    (asked.load(Ordering::Relaxed), best.unwrap().to_string())
}

#[test]
fn a_policy_says_which_of_equal_moves_comes_first() {
    // By material all moves are equal, so the first one looked at is played.
    assert_eq!(ask(Duration::ZERO, depth(1)), (1, "a2a4".to_owned()));
}

#[test]
fn a_policy_that_costs_too_much_is_not_asked() {
    let clock = Clock {
        remaining: Duration::from_millis(500),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    assert_eq!(ask(Duration::from_millis(100), limits.clone()).0, 0);
    assert_eq!(ask(Duration::ZERO, limits).0, 1);
}
