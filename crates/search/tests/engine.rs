//! The engine through its façade, mostly with the evaluator that only counts material.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use chess::{Board, Move};
use classical::Classical;
use eval::{Evaluator, Material, score};
use search::{Clock, Engine, Event, Info, Limits, Position, Settings};

fn engine(threads: usize) -> Engine<Material> {
    Engine::new(Material::default, 4, threads).unwrap()
}

/// Runs a search to its end and returns its lines and its answer; every line must be legal.
fn run<E: Evaluator + 'static>(
    engine: &mut Engine<E>,
    fen: &str,
    limits: Limits,
    settings: Settings,
) -> (Vec<Info>, Option<Move>) {
    let board: Board = fen.parse().unwrap();
    let (sender, events) = channel();
    engine.go(&Position::new(board.clone()), limits, settings, move |event| {
        sender.send(event).unwrap();
    });
    engine.wait();
    let mut infos = Vec::new();
    let mut answers = Vec::new();
    for event in events {
        match event {
            Event::Info(info) => {
                let mut line = board.clone();
                assert!(!info.pv.is_empty());
                for &mv in &info.pv {
                    assert!(line.is_legal(mv), "{mv} in {:?} of {fen}", info.pv);
                    line.make_move(mv, &mut ());
                }
                infos.push(info);
            }
            Event::BestMove { best, ponder } => {
                if let (Some(best), Some(ponder)) = (best, ponder) {
                    let next = board.after(best);
                    assert!(next.is_legal(ponder));
                }
                answers.push(best);
            }
            _ => {}
        }
    }
    assert_eq!(answers.len(), 1, "exactly one answer");
    (infos, answers[0])
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn find_mates<E: Evaluator + 'static>(mut engine: Engine<E>) {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        let limits = Limits { mate: Some(moves), depth: Some(20), ..Limits::default() };
        let (infos, _) = run(&mut engine, fen, limits, Settings::default());
        let distance = score::mate_distance(infos.last().unwrap().score);
        assert_eq!(distance, Some(moves as i32), "{fen}");
    }
}

/// How often a search has given a best move.
fn answers(events: &Receiver<Event>) -> usize {
    events.iter().filter(|event| matches!(event, Event::BestMove { .. })).count()
}

#[test]
fn finds_mates() {
    find_mates(engine(1));
    find_mates(Engine::new(Classical::default, 4, 1).unwrap());
}

#[test]
fn the_classical_evaluation_plays_legal_lines_in_all_kinds_of_positions() {
    let mut engine = Engine::new(Classical::default, 4, 2).unwrap();
    for fen in [START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
        assert!(run(&mut engine, fen, depth(9), Settings::default()).1.is_some());
    }
}

#[test]
fn sees_being_mated() {
    let (infos, _) =
        run(&mut engine(1), "k7/8/1K6/8/8/8/8/7R b - - 0 1", depth(6), Settings::default());
    assert_eq!(score::mate_distance(infos.last().unwrap().score), Some(-1));
}

#[test]
fn answers_without_legal_moves() {
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let (infos, best) = run(&mut engine(1), fen, depth(5), Settings::default());
        assert!(infos.is_empty() && best.is_none());
    }
}

#[test]
fn one_thread_is_repeatable() {
    let nodes = |engine: &mut Engine<Material>| {
        let (infos, best) = run(engine, KIWIPETE, depth(9), Settings::default());
        (infos.last().unwrap().nodes, best)
    };
    let mut first = engine(1);
    let fresh = nodes(&mut first);
    let warm = nodes(&mut first);
    assert_ne!(fresh, warm, "the table should help");
    first.new_game();
    assert_eq!(nodes(&mut first), fresh);
    assert_eq!(nodes(&mut engine(1)), fresh);
}

#[test]
fn other_threads_or_another_evaluator_begin_anew() {
    let nodes = |engine: &mut Engine<Material>| {
        let (infos, _) = run(engine, KIWIPETE, depth(8), Settings::default());
        infos.last().unwrap().nodes
    };
    let mut changed = engine(1);
    let fresh = nodes(&mut changed);
    for threads in [3, 1] {
        changed.set_threads(threads).unwrap();
        changed.clear_hash();
        assert!(nodes(&mut changed) > 0);
    }
    changed.set_threads(1).unwrap();
    changed.clear_hash();
    assert_eq!(nodes(&mut changed), fresh);
    changed.set_evaluator(Material::default);
    assert_eq!(nodes(&mut changed), fresh);
}

#[test]
fn several_threads_answer_once() {
    for _ in 0..20 {
        let (_, best) = run(&mut engine(3), KIWIPETE, depth(6), Settings::default());
        assert!(best.is_some());
    }
}

#[test]
fn keeps_small_node_limits() {
    for nodes in [1, 100, 5000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (infos, best) = run(&mut engine(1), KIWIPETE, limits, Settings::default());
        assert!(best.is_some());
        let most = infos.iter().map(|info| info.nodes).max().unwrap_or(0);
        // The first move is always looked at to its end, so that there is one to play.
        assert!(most <= nodes.max(400), "{most} nodes instead of {nodes}");
    }
}

#[test]
fn lists_as_many_lines_as_there_are_moves() {
    let settings = Settings { multi_pv: 500, ..Settings::default() };
    let (infos, _) = run(&mut engine(1), START, depth(3), settings);
    let last: Vec<&Info> = infos.iter().filter(|info| info.depth == 3).collect();
    assert_eq!(last.len(), 20);
    let firsts: std::collections::HashSet<_> = last.iter().map(|info| info.pv[0].bits()).collect();
    assert_eq!(firsts.len(), 20);
}

#[test]
fn analysis_looks_elsewhere_and_leaves_nothing_behind() {
    let mut engine = engine(1);
    let mut nodes = |analysis| {
        engine.new_game();
        let settings = Settings { analysis, ..Settings::default() };
        run(&mut engine, KIWIPETE, depth(9), settings).0.last().map(|info| info.nodes)
    };
    let play = nodes(false);
    assert_ne!(nodes(true), play);
    assert_eq!(nodes(false), play);
}

/// White gives the queen for a mate in five by checks (Win at Chess 217).
const MATE_IN_FIVE: &str = "r3kb1r/1pp3p1/p3bp1p/5q2/3QN3/1P6/PBP3P1/3RR1K1 w kq - 0 1";

#[test]
fn whoever_asks_for_a_mate_has_it_hunted() {
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let asked = |limits| Limits { mate: Some(5), ..limits };
    let analysis = Settings { analysis: true, ..Settings::default() };
    for (threads, limits, settings) in [
        (1, asked(nodes(40_000)), Settings::default()),
        (1, nodes(40_000), analysis),
        // A helper hunts, and may come late.
        (2, asked(nodes(2_000_000)), Settings::default()),
    ] {
        let (infos, best) = run(&mut engine(threads), MATE_IN_FIVE, limits, settings);
        assert_eq!(score::mate_distance(infos.last().unwrap().score), Some(5));
        assert_eq!(best.unwrap().to_string(), "d4d7");
    }
    // In play nobody does, and this search does not see it that early.
    let (infos, _) = run(&mut engine(1), MATE_IN_FIVE, nodes(40_000), Settings::default());
    assert_eq!(score::mate_distance(infos.last().unwrap().score), None);
}

#[test]
fn a_hunt_keeps_to_searchmoves_and_node_limits() {
    let nodes = Limits { mate: Some(5), nodes: Some(3_000), ..Limits::default() };
    let (infos, _) = run(&mut engine(1), MATE_IN_FIVE, nodes, Settings::default());
    assert!(infos.last().unwrap().nodes <= 3_000);
    let mut search_moves = Board::legal_moves(&MATE_IN_FIVE.parse().unwrap()).to_vec();
    search_moves.retain(|mv| mv.to_string() != "d4d7");
    let limits = Limits { mate: Some(5), depth: Some(9), search_moves, ..Limits::default() };
    let (_, best) = run(&mut engine(1), MATE_IN_FIVE, limits, Settings::default());
    assert_ne!(best.unwrap().to_string(), "d4d7");
}

#[test]
fn searches_only_the_moves_it_is_given() {
    let board: Board = START.parse().unwrap();
    let only = board.parse_uci("a2a3").unwrap();
    let limits = Limits { search_moves: vec![only], ..depth(4) };
    let (_, best) = run(&mut engine(1), START, limits, Settings::default());
    assert_eq!(best, Some(only));
}

#[test]
fn answers_any_clock() {
    for (remaining, increment, moves_to_go) in
        [(0, 0, None), (1, 0, None), (10, 0, Some(1)), (100, 1, None), (50, 0, Some(40))]
    {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        assert!(run(&mut engine(2), KIWIPETE, limits, Settings::default()).1.is_some());
    }
}

#[test]
fn infinite_waits_for_stop_even_when_all_is_known() {
    let mut engine = engine(2);
    let mate: Board = "7k/8/8/8/8/8/R7/1R5K w - - 0 1".parse().unwrap();
    let (sender, events) = channel();
    let limits = Limits { infinite: true, depth: Some(3), ..Limits::default() };
    engine.go(&Position::new(mate), limits, Settings::default(), move |event| {
        sender.send(event).unwrap();
    });
    std::thread::sleep(Duration::from_millis(50));
    assert!(engine.is_searching());
    engine.stop();
    engine.wait();
    assert!(matches!(events.iter().last(), Some(Event::BestMove { best: Some(_), .. })));
}

/// The node limit counts from the hit: pondering goes far beyond it, and the answer waits.
#[test]
fn a_node_limit_counts_from_the_ponder_hit() {
    const LIMIT: u64 = 500;
    for threads in [1, 2] {
        let mut engine = engine(threads);
        let (sender, events) = channel();
        let limits = Limits { ponder: true, nodes: Some(LIMIT), ..Limits::default() };
        let position = Position::new(KIWIPETE.parse().unwrap());
        engine.go(&position, limits, Settings::default(), move |event| {
            // The receiver is dropped before the search ends.
            let _ = sender.send(event);
        });
        let far_beyond = events.iter().any(|event| match event {
            Event::Info(info) => info.nodes > 20 * LIMIT,
            Event::BestMove { .. } => panic!("an answer before the hit"),
            _ => false,
        });
        assert!(far_beyond);
        engine.ponder_hit();
        engine.wait();
        assert_eq!(answers(&events), 1);
    }
}

#[test]
fn a_ponder_hit_lets_the_clock_decide() {
    let mut engine = engine(1);
    let (sender, events) = channel();
    let clock = Clock { remaining: Duration::from_millis(50), ..Clock::default() };
    let limits = Limits { ponder: true, clock: Some(clock), ..Limits::default() };
    engine.go(&Position::default(), limits, Settings::default(), move |event| {
        sender.send(event).unwrap();
    });
    std::thread::sleep(Duration::from_millis(100));
    assert!(engine.is_searching(), "pondering does not end by the clock");
    engine.ponder_hit();
    engine.wait();
    assert!(matches!(events.iter().last(), Some(Event::BestMove { .. })));
}

#[test]
fn stop_and_go_many_times() {
    let mut engine = engine(2);
    for _ in 0..300 {
        let (sender, events) = channel();
        let limits = Limits { infinite: true, ..Limits::default() };
        engine.go(&Position::default(), limits, Settings::default(), move |event| {
            sender.send(event).unwrap();
        });
        engine.stop();
        engine.wait();
        assert_eq!(answers(&events), 1);
    }
}

#[test]
fn takes_a_draw_by_repetition_when_worse() {
    // White is a rook up and about to mate, but Black checks for ever on h4 and e1.
    let fen = "6k1/QR3ppp/8/8/8/8/6PK/4q3 b - - 0 1";
    let (infos, _) = run(&mut engine(1), fen, depth(10), Settings::default());
    assert!(infos.last().unwrap().score.abs() <= 1, "{:?}", infos.last());
}

#[test]
fn a_forced_move_is_answered_at_once() {
    let hour = Duration::from_secs(3600);
    let clock = Clock { remaining: hour, increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let fen = "7k/8/8/8/8/8/6q1/7K w - - 0 1";
    let (infos, best) = run(&mut engine(1), fen, limits, Settings::default());
    assert!(best.is_some() && infos.iter().all(|info| info.depth == 1));
}

#[test]
fn copes_with_extreme_positions() {
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "1n1n1n1n/PPPPPPPP/8/k7/8/8/8/K7 w - - 0 1",
        "8/8/8/8/8/8/8/K6k w - - 99 70",
        "r6r/8/8/8/8/8/8/RK5k w A - 0 1",
    ] {
        assert!(run(&mut engine(1), fen, depth(4), Settings::default()).1.is_some(), "{fen}");
    }
}

#[test]
fn a_limited_rating_still_plays_legal_moves() {
    for elo in [800, 1500, 2500, 3000] {
        let settings = Settings { elo: Some(elo), ..Settings::default() };
        assert!(
            run(&mut engine(1), KIWIPETE, Limits { depth: Some(8), ..Limits::default() }, settings)
                .1
                .is_some()
        );
    }
}
