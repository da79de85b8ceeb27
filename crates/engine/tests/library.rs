//! The engine as a program would use it.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use engine::{Engine, Event, Limits, Position, Settled, Source};

fn nodes(count: u64) -> Limits {
    Limits { nodes: Some(count), ..Limits::default() }
}

fn small() -> Engine {
    Engine::builder().hash_mb(1).build().unwrap()
}

fn testdata(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name).display().to_string()
}

#[test]
fn the_same_question_has_the_same_answer() {
    let ask = || small().ask(&Position::default(), &nodes(3000));
    let (first, second) = (ask(), ask());
    assert_eq!(
        (first.best, first.nodes, first.score()),
        (second.best, second.nodes, second.score())
    );
    assert!(first.nodes > 0 && first.best == first.lines[0].pv.first().copied());
}

/// Bands and confidence are the same whatever the processor: in the middlegame, in check, with one
/// move, near mate, in a dead draw.
#[test]
fn every_kernel_table_foresees_the_same() {
    const FENS: [&str; 5] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppppp2p/5p2/6pQ/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 3",
        "6k1/5ppp/8/8/8/8/5PPP/R3r1K1 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
        "8/8/4k3/8/8/3BK3/8/8 w - - 40 90",
    ];
    let shown = |kernels| {
        let mut engine = Engine::builder().hash_mb(1).lines(2).kernels(kernels).build().unwrap();
        FENS.map(|fen| {
            engine.new_game();
            let answer = engine.ask(&Position::new(fen.parse().unwrap()), &nodes(2000));
            let line = |info: engine::Info| (info.score, info.quantiles, info.confidence, info.pv);
            answer.lines.into_iter().map(line).collect::<Vec<_>>()
        })
    };
    let scalar = shown(simd::by_name("scalar").unwrap());
    for kernels in simd::all_available() {
        assert_eq!(shown(kernels), scalar, "{}", kernels.name);
    }
    for (score, quantiles, confidence, _) in scalar.into_iter().flatten() {
        assert!(quantiles.to_array().is_sorted() && confidence.is_some_and(|sure| sure <= 1000));
        if eval::score::is_decisive(score) {
            assert_eq!(quantiles, eval::Quantiles::certain(score));
        }
    }
}

/// With `UntilSure` even an endless search answers by itself, and says why.
#[test]
fn until_sure() {
    let mut engine = Engine::builder().hash_mb(1).option("UntilSure", "50").build().unwrap();
    let endless = Limits { infinite: true, ..Limits::default() };
    // White recaptures the queen or is lost.
    let fen = "rnb1kbnr/ppp1pppp/8/8/8/8/PPPqPPPP/RNBQKBNR w KQkq - 0 3";
    let answer = engine.ask(&Position::new(fen.parse().unwrap()), &endless);
    let confidence = answer.lines[0].confidence.unwrap();
    assert!(confidence >= 500, "{confidence}");
    assert_eq!(answer.settled, Some(Settled::Sure(confidence)));
}

#[test]
fn as_many_lines_as_asked_for() {
    let mut engine = Engine::builder().hash_mb(1).lines(4).build().unwrap();
    let lines = engine.ask(&Position::default(), &nodes(5000)).lines;
    assert_eq!(lines.len(), 4);
    assert!(lines.is_sorted_by(|a, b| a.score >= b.score));
    engine.set_lines(1);
    assert_eq!(engine.ask(&Position::default(), &nodes(500)).lines.len(), 1);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    let answer = small().ask(&Position::new(mated), &nodes(100));
    assert_eq!((answer.best, answer.lines.len()), (None, 0));
}

#[test]
fn refused_options_leave_everything_as_it_was() {
    let mut engine = small();
    let before = engine.options().clone();
    for (name, value) in [
        ("Hash", "0"),
        ("Threads", "many"),
        ("EvalFile", "/no/such/network"),
        ("BookFile", "/no/such/book"),
        ("PolicyFile", "/no/such/policy"),
        ("Colour", "blue"),
    ] {
        let error = engine.set(name, Some(value)).unwrap_err().to_string();
        assert!(error.contains("expected") || error.contains(value), "{name}: {error}");
        assert_eq!(engine.options(), &before, "{name}");
        let built = Engine::builder().hash_mb(1).option(name, value).build();
        assert_eq!(built.err().map(|error| error.to_string()), Some(error));
    }
    assert!(engine.ask(&Position::default(), &nodes(100)).best.is_some());
}

#[test]
fn evaluators_can_be_changed_and_shared() {
    let start = Position::default();
    let mut engine = small();
    let network = engine.evaluate(start.board());
    engine.set("EvalFile", Some("<classical>")).unwrap();
    let classical = engine.evaluate(start.board());
    assert!(network.q10 < network.q90 && classical.q10 == classical.q90);
    let builder = Engine::builder().hash_mb(1).evaluator(Source::Classical);
    assert_eq!(builder.build().unwrap().evaluate(start.board()), classical);
}

#[test]
fn books_answer_where_they_may() {
    let mut engine = Engine::builder().hash_mb(1).option("OwnBook", true).build().unwrap();
    let start = Position::default();
    let known: Vec<_> = engine.book_moves(start.board()).iter().map(|entry| entry.mv).collect();
    let answer = engine.ask(&start, &nodes(100));
    assert!(answer.is_book && known.contains(&answer.best.unwrap()));
    engine.set_analysis(true);
    assert!(!engine.ask(&start, &nodes(100)).is_book);
}

#[test]
fn tablebases_reach_the_search() {
    let position = Position::new("8/8/8/8/4k3/8/1r6/Q3K3 w - - 0 1".parse().unwrap());
    let mut engine = small();
    engine.set("SyzygyPath", Some(&testdata("syzygy"))).unwrap();
    assert!(engine.take_notes()[0].starts_with("found "));
    let answer = engine.ask(&position, &nodes(2000));
    assert!(engine::score::is_win(answer.score().unwrap()), "{:?}", answer.score());
    engine.set("SyzygyPath", Some("/nowhere/at/all")).unwrap();
    let notes = engine.take_notes();
    assert!(notes[0].starts_with("found 0 WDL") && notes[1].contains("/nowhere/at/all"));
    assert!(engine.take_notes().is_empty());
}

#[test]
fn a_listener_can_stop_a_search_that_has_no_end() {
    let endless = Limits { infinite: true, ..Limits::default() };
    let mut calls = 0;
    let pause = Duration::from_millis(5);
    let answer = small().watch(&Position::default(), &endless, pause, |news| {
        calls += usize::from(news.is_some());
        if calls < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(calls == 2 && answer.best.is_some());
}

#[test]
fn events_end_with_a_move() {
    let (sender, events) = std::sync::mpsc::channel();
    let mut engine = small();
    engine.go(&Position::default(), Limits { infinite: true, ..Limits::default() }, move |event| {
        sender.send(event).unwrap();
    });
    engine.stop();
    engine.wait();
    let events: Vec<_> = events.iter().collect();
    let is_move = |event: &Event| matches!(event, Event::BestMove { .. });
    assert!(is_move(events.last().unwrap()));
    assert_eq!(events.iter().filter(|event| is_move(event)).count(), 1);
}

/// Below 2200 the moves are people's, and games differ.
#[cfg(feature = "people")]
#[test]
fn games_of_limited_strength_vary() {
    let mut engine = Engine::builder()
        .hash_mb(1)
        .option("UCI_LimitStrength", true)
        .option("UCI_Elo", 1200)
        .build()
        .unwrap();
    let mut first = std::collections::BTreeSet::new();
    for _ in 0..24 {
        engine.new_game();
        let answer = engine.ask(&Position::default(), &nodes(500));
        first.insert(answer.best.map(|mv| mv.bits()));
    }
    assert!(first.len() > 1 && first.len() < 20 && !first.contains(&None), "{first:?}");
}
