//! The tree search as its callers see it: mates, draws, limits, threads, memory.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use chess::{Board, Move};
use classical::Classical;
use eval::score::{self, Score, mate_in, mated_in};
use eval::tablebase::{RootProbe, Tablebase, Wdl};
use eval::{Policy, Quantiles};
use mcts::{Engine, Setup};
use search::{Event, Info, Limits, Position, Settings, Share, Stopper};

fn setup() -> Setup<Classical> {
    Setup {
        evaluator: Arc::new(Classical::default),
        hash_mb: 4,
        threads: 1,
        tablebase: None,
        policy: None,
        stopper: Stopper::default(),
    }
}

fn engine() -> Engine<Classical> {
    Engine::new(setup()).unwrap()
}

fn position(fen: &str) -> Position {
    Position::new(fen.parse().unwrap())
}

fn nodes(count: u64) -> Limits {
    Limits { nodes: Some(count), ..Limits::default() }
}

/// What a search said.
struct Answer {
    infos: Vec<Info>,
    shares: Vec<Share>,
    best: Option<Move>,
}

impl Answer {
    fn last(&self) -> &Info {
        self.infos.iter().rfind(|info| info.multi_pv == 1).expect("a report")
    }
}

fn ask_with(
    engine: &mut Engine<Classical>,
    position: &Position,
    limits: Limits,
    settings: Settings,
) -> Answer {
    let (sender, events) = channel();
    engine.go(position, limits, settings, move |event| {
        // The receiver outlives the search.
        let _ = sender.send(event);
    });
    engine.wait();
    let mut answer = Answer { infos: Vec::new(), shares: Vec::new(), best: None };
    let mut answers = 0;
    for event in events.try_iter() {
        assert_eq!(answers, 0, "nothing comes after the answer");
        match event {
            Event::Info(info) => answer.infos.push(info),
            Event::Shares(shares) => answer.shares = shares,
            Event::BestMove { best, .. } => {
                answer.best = best;
                answers += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(answers, 1);
    answer
}

fn ask(engine: &mut Engine<Classical>, position: &Position, limits: Limits) -> Answer {
    ask_with(engine, position, limits, Settings::default())
}

#[test]
fn mates_are_found_and_proved() {
    for (fen, score) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", mate_in(1)),
        // Two rooks drive the king to the edge.
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", mate_in(3)),
        ("8/7k/8/8/8/8/R7/1R2K3 w - - 0 1", mate_in(5)),
    ] {
        let limits =
            Limits { mate: Some((score::MATE - score + 1) as u32 / 2), ..nodes(3_000_000) };
        let answer = ask(&mut engine(), &position(fen), limits);
        let last = answer.last();
        assert_eq!(last.score, score, "{fen}: {last:?}");
        assert_eq!(last.pv.len() as Score, score::MATE - score, "{fen}");
        let end = last.pv.iter().fold(position(fen).board().clone(), |board, &mv| board.after(mv));
        assert!(end.is_checkmate(), "{fen}");
        assert_eq!(last.quantiles, Quantiles::certain(score));
    }
}

/// A quiet move begins it, and the tree finds a longer mate first.
#[test]
fn the_shortest_mate_is_found_if_a_mate_is_asked_for() {
    let board = position("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1");
    for asked in [2, 3, 9] {
        let limits = Limits { mate: Some(asked), ..nodes(100_000) };
        let answer = ask(&mut engine(), &board, limits);
        let last = answer.last();
        assert_eq!((last.score, last.pv.len()), (mate_in(3), 3), "{last:?}");
        let end = last.pv.iter().fold(board.board().clone(), |board, &mv| board.after(mv));
        assert!(end.is_checkmate() && answer.best == Some(last.pv[0]));
    }
}

#[test]
fn a_side_that_is_mated_knows_it() {
    // Whatever Black plays, Ra8 is mate.
    let answer = ask(&mut engine(), &position("7k/8/5KR1/8/8/8/8/R7 b - - 0 1"), nodes(100_000));
    assert_eq!(answer.last().score, mated_in(2));
}

/// A fork wins the queen, but the position after it would come for the third time.
#[test]
fn repetitions_are_draws() {
    let mut position = position("6k1/3q4/8/3N4/8/8/6P1/6K1 w - - 0 1");
    let fork = position.board().parse_san("Nf6+").unwrap();
    let won = ask(&mut engine(), &position, nodes(20_000));
    assert!(won.best == Some(fork) && won.last().score > 200, "{:?}", won.last());
    for text in ["d5f6", "g8g7", "f6d5", "g7g8"].repeat(2) {
        position.play(position.board().parse_uci(text).unwrap());
    }
    let only_the_fork = Limits { search_moves: vec![fork], ..nodes(20_000) };
    let drawn = ask(&mut engine(), &position, only_the_fork);
    assert!(drawn.best == Some(fork) && drawn.last().score == score::DRAW, "{:?}", drawn.last());
}

#[test]
fn fifty_moves_and_bare_kings_are_draws() {
    for fen in [
        // A queen up, but the next quiet move is the hundredth.
        "7k/8/8/8/8/8/8/KQ6 w - - 99 90",
        // Whatever is taken or not, nobody can mate.
        "8/8/4k3/8/8/3nK3/8/8 w - - 0 1",
    ] {
        let answer = ask(&mut engine(), &position(fen), nodes(5000));
        assert_eq!(answer.last().score, score::DRAW, "{fen}: {:?}", answer.last());
    }
}

#[test]
fn one_thread_says_the_same_again() {
    let said = |engine: &mut Engine<Classical>| {
        let answer = ask(engine, &Position::default(), nodes(30_000));
        let lines = answer.infos.iter().map(|info| (info.depth, info.nodes, info.pv.clone()));
        (lines.collect::<Vec<_>>(), answer.shares, answer.best)
    };
    let mut used = engine();
    let first = said(&mut used);
    ask(&mut used, &position("8/8/4k3/8/8/3PK3/8/8 w - - 0 1"), nodes(3000));
    used.new_game();
    assert_eq!(said(&mut used), first);
    assert_eq!(said(&mut engine()), first);
}

#[test]
fn small_node_limits_are_kept_to_the_node() {
    for limit in [100, 1000, 5000] {
        let answer = ask(&mut engine(), &Position::default(), nodes(limit));
        assert_eq!(answer.last().nodes, limit);
    }
}

/// A tree of one megabyte is full after a few thousand positions; the search goes on.
#[test]
fn a_small_tree_is_enough_for_a_long_search() {
    let mut engine = Engine::new(Setup { hash_mb: 1, ..setup() }).unwrap();
    let answer = ask(&mut engine, &Position::default(), nodes(3_000_000));
    assert!(answer.last().nodes >= 3_000_000 && answer.best.is_some());
    let fill = answer.infos.iter().map(|info| info.hashfull);
    let most = fill.max().unwrap_or_default();
    assert!((501..=1000).contains(&most), "{most} thousandths full");
}

#[test]
fn threads_grow_one_tree() {
    let mut engine = Engine::new(Setup { threads: 4, hash_mb: 1, ..setup() }).unwrap();
    for _ in 0..3 {
        let answer = ask(&mut engine, &Position::default(), nodes(200_000));
        let all: f32 = answer.shares.iter().map(|share| share.part).sum();
        assert!((all - 1.0).abs() < 1e-3, "{all}");
        assert!(answer.last().nodes >= 200_000);
        engine.new_game();
    }
    let lost = position("7k/8/5KR1/8/8/8/8/R7 b - - 0 1");
    assert_eq!(ask(&mut engine, &lost, nodes(100_000)).last().score, mated_in(2));
}

#[test]
fn several_lines_are_different_moves_with_the_played_one_first() {
    let settings = Settings { multi_pv: 5, ..Settings::default() };
    let answer = ask_with(&mut engine(), &Position::default(), nodes(20_000), settings);
    let last: Vec<_> = answer.infos[answer.infos.len() - 5..].iter().collect();
    let mut moves: Vec<_> = last.iter().map(|info| info.pv[0]).collect();
    assert_eq!(answer.best, Some(moves[0]));
    assert_eq!(answer.shares[0].mv, moves[0]);
    moves.sort_by_key(|mv| mv.bits());
    moves.dedup();
    assert_eq!(moves.len(), 5);
}

#[test]
fn a_search_ends_when_it_is_stopped() {
    let stopper = Stopper::default();
    let mut engine = Engine::new(Setup { stopper: stopper.clone(), ..setup() }).unwrap();
    let start = Instant::now();
    // Mate in one: nothing is left to find, but an endless search waits.
    let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    for position in [Position::default(), mate] {
        let endless = Limits { infinite: true, ..Limits::default() };
        engine.go(&position, endless, Settings::default(), |_| ());
        std::thread::sleep(Duration::from_millis(50));
        assert!(engine.is_searching());
        stopper.stop();
        engine.wait();
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_was_searched_before_helps_the_next_move() {
    let mut engine = engine();
    let mut position = Position::default();
    let answer = ask(&mut engine, &position, nodes(50_000));
    for &mv in answer.last().pv.iter().take(2) {
        position.play(mv);
    }
    let next = ask(&mut engine, &position, nodes(100));
    let fresh = ask(&mut crate::engine(), &position, nodes(100));
    assert!(next.last().pv.len() > fresh.last().pv.len(), "{:?}", next.last());
}

/// Knows that White wins every ending of king and pawn against king.
struct AllWon;

impl Tablebase for AllWon {
    fn max_men(&self) -> usize {
        3
    }

    fn wdl(&self, board: &Board) -> Option<Wdl> {
        let wins = board.side_to_move() == chess::Color::White;
        (board.occupied().count() == 3).then_some(if wins { Wdl::Win } else { Wdl::Loss })
    }

    fn root(&self, _: &Board, _: &[u64], _: bool) -> Option<RootProbe> {
        None
    }
}

#[test]
fn tablebases_prove_results() {
    let setup = Setup { tablebase: Some(Arc::new(AllWon)), ..setup() };
    let mut engine = Engine::new(setup).unwrap();
    // Taking the knight leaves king and pawn.
    let answer = ask(&mut engine, &position("8/8/8/3n4/4P3/8/k7/2K5 w - - 0 1"), nodes(50_000));
    let last = answer.last();
    assert!(score::is_win(last.score) && !score::is_mate(last.score) && last.tb_hits > 0);
    assert_eq!(answer.best.unwrap().to_string(), "e4d5");
}

/// Believes in one move only.
struct Stubborn(Move);

impl Policy for Stubborn {
    fn logits(&mut self, _: &Board, _: &[Move], moves: &[Move], out: &mut [f32]) -> bool {
        for (mv, logit) in moves.iter().zip(out) {
            *logit = if *mv == self.0 { 10.0 } else { 0.0 };
        }
        true
    }

    fn cost(&mut self, _: &Board, _: &[Move]) -> Duration {
        Duration::ZERO
    }

    fn reset(&mut self) {}
}

#[test]
fn a_policy_draws_visits_to_its_moves() {
    let mv = Board::default().parse_uci("a2a3").unwrap();
    let share = |policy: Option<Box<dyn Policy>>| {
        let mut engine = Engine::new(Setup { policy, ..setup() }).unwrap();
        let answer = ask(&mut engine, &Position::default(), nodes(20_000));
        answer.shares.iter().find(|share| share.mv == mv).unwrap().part
    };
    assert!(share(Some(Box::new(Stubborn(mv)))) > 2.0 * share(None));
}
