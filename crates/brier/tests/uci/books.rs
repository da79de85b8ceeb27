//! The engine plays from books when it may, and only then.

use crate::driver::Engine;

const BOOK: &str = "the move is from a book";

fn plays_from_book(engine: &mut Engine, position: &str, go: &str) -> bool {
    let answer = engine.search(position, go);
    let said = answer.messages().any(|text| text == BOOK);
    // A book's move needs no search.
    assert_eq!(said, answer.infos.is_empty(), "{position}: {:?}", answer.texts);
    said
}

#[test]
fn books_are_off_until_they_are_wanted() {
    let mut engine = Engine::start();
    assert!(!plays_from_book(&mut engine, "position startpos", "go depth 2"));
    engine.send("setoption name OwnBook value true");
    assert!(plays_from_book(&mut engine, "position startpos", "go depth 2"));
    assert!(plays_from_book(&mut engine, "position startpos moves e2e4 e7e5", "go movetime 50"));
    assert!(!plays_from_book(&mut engine, "position startpos", "go depth 2 searchmoves a2a3"));
    let endgame = "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert!(!plays_from_book(&mut engine, endgame, "go depth 2"));
    engine.send("setoption name BookDepth value 2");
    assert!(!plays_from_book(&mut engine, "position startpos moves e2e4 e7e5", "go depth 2"));
    engine.send("setoption name UCI_AnalyseMode value true");
    assert!(!plays_from_book(&mut engine, "position startpos", "go depth 2"));
}

#[test]
fn an_endless_search_is_no_book_move() {
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        engine.send("position startpos");
        engine.send(go);
        engine.send("stop");
        let answer = engine.answer();
        assert!(!answer.messages().any(|text| text == BOOK), "{go}");
    }
}

#[test]
fn a_chess960_start_is_in_no_book() {
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    engine.send("setoption name UCI_Chess960 value true");
    let shuffled = "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert!(!plays_from_book(&mut engine, shuffled, "go depth 2"));
    assert!(plays_from_book(&mut engine, "position startpos", "go depth 2"));
}

#[test]
fn a_wrong_book_is_refused_and_the_old_one_stays() {
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    engine.send("setoption name BookFile value /nowhere/at/all.bin");
    let said = engine.sync().join("\n");
    assert!(said.contains("setoption ignored: BookFile"), "{said}");
    assert!(plays_from_book(&mut engine, "position startpos", "go depth 2"));
}

#[test]
fn tables_are_named_and_counted() {
    let mut engine = Engine::start();
    engine.send("setoption name SyzygyPath value /nowhere/at/all");
    let said = engine.sync().join("\n");
    assert!(said.contains("found 0 WDL and 0 DTZ tables"), "{said}");
    assert!(said.contains("cannot read the folder"), "{said}");
}
