//! Every limit of `go`, at its edges.

use chess::Board;
use uci::ScoreText;

use crate::driver::{Answer, Engine};

/// As many legal moves as a position can have.
const MANY_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
/// Both sides are about to promote, straight and by capture.
const PROMOTIONS: &str = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
const CHECKMATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

fn fen(fen: &str) -> String {
    format!("position fen {fen}")
}

#[test]
fn depth_is_reached_and_not_passed() {
    let mut engine = Engine::start();
    for depth in 1..=6 {
        let answer = engine.search("position startpos", &format!("go depth {depth}"));
        assert_eq!(answer.last().depth, Some(depth));
    }
}

#[test]
fn one_node_is_enough_for_a_move() {
    let mut engine = Engine::start();
    for position in ["position startpos", &fen(MANY_MOVES), &fen(PROMOTIONS)] {
        for go in ["go nodes 1", "go nodes 0", "go nodes 2", "go nodes 50"] {
            let answer = engine.search(position, go);
            assert!(answer.best.is_some());
            // A root move each has to be looked at before a limit can hold.
            assert!(answer.nodes() <= 500, "{go}: {}", answer.nodes());
            answer.last();
        }
    }
}

#[test]
fn any_clock_gives_a_move() {
    let mut engine = Engine::start();
    for go in [
        "go movetime 1",
        "go movetime 0",
        "go movetime -100",
        "go wtime 0 btime 0",
        "go wtime -1000 btime -1000 winc 0 binc 0",
        "go wtime 1 btime 1",
        "go wtime 10 btime 10 movestogo 1",
        "go wtime 50 btime 50 movestogo 0",
        "go winc 10 binc 10",
        "go wtime 100",
        "go btime 100",
        "go wtime 30 btime 99999999999999 winc 5 binc 0 movestogo 40",
    ] {
        for position in ["position startpos", &fen(MANY_MOVES)] {
            let answer = engine.search(position, go);
            assert!(answer.best.is_some(), "{go}");
            answer.last();
        }
    }
}

#[test]
fn only_the_named_moves_are_searched() {
    let mut engine = Engine::start();
    let answer = engine.search("position startpos", "go searchmoves a2a3 h2h4 depth 5");
    assert!(matches!(answer.best.as_deref(), Some("a2a3" | "h2h4")));
    for info in answer.infos.iter().filter(|info| !info.pv.is_empty()) {
        assert!(info.pv[0] == "a2a3" || info.pv[0] == "h2h4");
    }
    let answer = engine.search("position startpos", "go searchmoves a2a3 depth 5");
    assert_eq!(answer.best.as_deref(), Some("a2a3"));
}

/// The first moves of the last complete set of lines.
fn last_set(answer: &Answer, count: usize) -> Vec<String> {
    let lines = answer.infos.iter().filter(|info| !info.pv.is_empty()).collect::<Vec<_>>();
    let set = &lines[lines.len() - count..];
    for (index, info) in set.iter().enumerate() {
        assert_eq!(info.multi_pv, Some(index + 1), "{set:#?}");
    }
    set.iter().map(|info| info.pv[0].clone()).collect()
}

#[test]
fn many_lines_are_many_different_moves() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 500");
    for (position, count) in [("position startpos", 20), (&fen(MANY_MOVES), 218)] {
        let answer = engine.search(position, "go depth 2");
        let mut moves = last_set(&answer, count);
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), count);
    }
    let answer = engine.search("position startpos", "go depth 3 searchmoves e2e4 d2d4");
    last_set(&answer, 2);
}

#[test]
fn positions_with_many_moves_or_promotions() {
    let mut engine = Engine::start();
    for position in [MANY_MOVES, PROMOTIONS] {
        let answer = engine.search(&fen(position), "go depth 4");
        answer.last();
    }
    let board: Board = MANY_MOVES.parse().unwrap();
    assert_eq!(board.legal_moves().len(), 218);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut engine = Engine::start();
    for (position, score) in
        [(CHECKMATED, ScoreText::Mate(0)), (STALEMATED, ScoreText::Centipawns(0))]
    {
        for go in
            ["go depth 5", "go movetime 5", "go wtime 100 btime 100", "go nodes 10", "go mate 2"]
        {
            let answer = engine.search(&fen(position), go);
            assert_eq!(answer.best, None);
            assert_eq!(answer.last().score, Some(score));
        }
        engine.send("go infinite");
        engine.send("stop");
        assert_eq!(engine.answer().best, None);
    }
}

#[test]
fn castling_is_written_as_the_option_says() {
    // Castling is the only way out of the mating net's pace: name it as the only root move.
    let castle = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut engine = Engine::start();
    let answer = engine.search(castle, "go depth 1 searchmoves e1g1");
    assert_eq!(answer.best.as_deref(), Some("e1g1"));
    engine.send("setoption name UCI_Chess960 value true");
    let answer = engine.search(castle, "go depth 1 searchmoves e1h1");
    assert_eq!(answer.best.as_deref(), Some("e1h1"));
}

#[test]
fn chances_are_shown_on_demand_and_add_up() {
    let mut engine = Engine::start();
    let plain = engine.search("position startpos", "go depth 3");
    assert!(plain.infos.iter().all(|info| info.wdl.is_none()));
    engine.send("setoption name UCI_ShowWDL value true");
    let answer = engine.search("position startpos", "go depth 3");
    for info in answer.infos.iter().filter(|info| info.score.is_some()) {
        let wdl = info.wdl.expect("chances");
        assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
    }
}

#[test]
fn a_fresh_start_and_a_new_game_search_the_same_nodes() {
    let search = |engine: &mut Engine| {
        let first = engine.search("position startpos", "go depth 7").nodes();
        let second = engine.search(&fen(PROMOTIONS), "go depth 6").nodes();
        (first, second)
    };
    let mut engine = Engine::start();
    let fresh = search(&mut engine);
    engine.search("position startpos moves d2d4 d7d5", "go depth 7");
    for reset in ["ucinewgame", "setoption name Hash value 16\nucinewgame"] {
        engine.send(reset);
        assert_eq!(search(&mut engine), fresh, "{reset}");
    }
    assert_eq!(search(&mut Engine::start()), fresh);
}
