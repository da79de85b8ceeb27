//! Commands sent without waiting for answers, as a script does, and what is said about input that
//! is not quite right.

use std::path::Path;

use crate::driver::Engine;

/// The nodes that the last line before each best move reports.
fn nodes_of_searches(lines: &[String]) -> Vec<u64> {
    let mut found = Vec::new();
    let mut last = 0;
    for line in lines {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("info") if words.any(|word| word == "nodes") => {
                last = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
            }
            Some("bestmove") => found.push(std::mem::take(&mut last)),
            _ => {}
        }
    }
    found
}

#[test]
fn a_batch_of_limited_searches_is_searched_in_full() {
    let mut engine = Engine::start();
    for moves in ["e2e4", "d2d4", "c2c4"] {
        engine.send(&format!("position startpos moves {moves}"));
        engine.send("go nodes 20000");
        engine.send("setoption name Clear Hash");
    }
    engine.close_input();
    let (status, lines) = engine.finish();
    let nodes = nodes_of_searches(&lines);
    assert!(nodes.len() == 3 && nodes.iter().all(|&nodes| nodes > 10_000), "{nodes:?}");
    assert!(status.success());
}

#[test]
fn stop_ends_every_search_that_was_asked_for_before_it() {
    let mut engine = Engine::start();
    engine.send("go depth 100");
    engine.send("position startpos moves e2e4");
    engine.send("go depth 100");
    engine.send("isready");
    engine.until("readyok");
    engine.send("stop");
    assert!(engine.answer().best.is_some());
    assert!(engine.answer().best.is_some());
    assert!(engine.sync().is_empty());
}

/// Found by fuzzing: a command that waits for the second search must not keep the `stop` from it.
#[test]
fn stop_ends_a_search_that_other_commands_wait_for() {
    let mut engine = Engine::start();
    engine.send("go depth 100");
    engine.send("go infinite");
    engine.send("d");
    engine.send("stop");
    assert!(engine.answer().best.is_some());
    assert!(engine.answer().best.is_some());
    engine.sync();
}

#[test]
fn after_the_end_of_input_a_search_has_a_short_grace() {
    let mut engine = Engine::start();
    engine.send("go depth 120");
    engine.close_input();
    let (status, lines) = engine.finish();
    assert_eq!(nodes_of_searches(&lines).len(), 1);
    assert!(status.success());
}

#[test]
fn a_bench_hears_isready_and_stop() {
    let mut engine = Engine::start();
    engine.send("bench 60");
    engine.send("isready");
    engine.until("readyok");
    engine.send("stop");
    while engine.next_line().expect("the engine goes on") != "info string bench stopped" {}
    engine.send("go depth 1");
    assert!(engine.answer().best.is_some());
}

#[test]
fn a_refused_position_says_which_one_stays() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e5");
    let said = engine.next_line().unwrap();
    assert_eq!(said.matches("e2e5").count(), 1, "{said}");
    assert!(said.contains("the position before it stays: rnbqkbnr/pppppppp/"), "{said}");
    engine.send("position nonsense");
    assert!(engine.next_line().unwrap().contains("the position before it stays"));
}

#[test]
fn stale_castling_rights_are_noted_and_dropped() {
    let mut engine = Engine::start();
    engine.send("position fen 4k2r/8/8/8/8/8/8/4K3 w KQkq - 0 1");
    let said = engine.next_line().unwrap();
    assert!(said.contains("\"KQkq\" read as k"), "{said}");
    engine.send("d");
    assert!(engine.until("fen")[17..].iter().any(|line| line.contains(" w k - 0 1")));
}

#[test]
fn table_hits_of_the_root_are_counted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syzygy");
    let mut engine = Engine::start();
    engine.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    engine.send("position fen 8/8/8/8/4k3/8/1r6/Q3K3 w - - 0 1");
    engine.send("go depth 3");
    assert!(engine.answer().last().tb_hits > Some(0));
}
