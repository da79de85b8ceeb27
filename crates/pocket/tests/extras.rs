//! What can be built in beside the engine: the book's file, and, with the features `book` and
//! `kpk`, that the engine uses what is there.
//!
//! The engine's own parts run in every test run; those behind the features with
//! `cargo test -p brier-pocket --features book,kpk --test extras`.

use chess::Board;
use pocket::book::{INDEX, find};
use pocket::{Game, Move, Setup};

fn file() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/book.bin");
    std::fs::read(path).expect("the book's file")
}

fn start() -> Game {
    let mut game = Game::ZERO;
    game.set(&Setup::START).unwrap();
    game
}

fn name(m: Move) -> String {
    let square = |s: u8| format!("{}{}", char::from(b'a' + (s & 7)), char::from(b'8' - (s >> 4)));
    square(m.from()) + &square(m.to())
}

#[test]
fn the_index_leads_to_every_entry() {
    let book = file();
    assert_eq!((book.len() - INDEX) % 4, 0);
    let total = (book.len() - INDEX) / 4;
    let begins: Vec<usize> =
        book[..INDEX].chunks(2).map(|c| usize::from(u16::from_le_bytes([c[0], c[1]]))).collect();
    assert_eq!(begins[0], 0);
    assert!(begins.is_sorted() && begins[255] <= total);
    assert!((12 * 1024..=30 * 1024).contains(&book.len()), "{} bytes", book.len());
}

#[test]
fn games_by_the_book_are_legal_and_differ() {
    let book = file();
    let mut random = 1;
    let mut plies = 0;
    let mut games = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let (mut game, mut oracle) = (start(), Board::default());
        let mut line = String::new();
        while let Some(m) = find(&book, &mut game.board, &mut random) {
            let text = name(m);
            let known = oracle.parse_uci(&text);
            let known = known.unwrap_or_else(|e| panic!("{text} after{line}: {e}"));
            oracle.make_move(known, &mut ());
            game.play(m);
            line = line + " " + &text;
            plies += 1;
            assert!(plies < 200 * 60, "a book that never ends:{line}");
        }
        games.insert(line);
    }
    // Weak bounds: a book of the wrong side's moves or of one line would break them.
    assert!(plies >= 200 * 6, "{plies} plies in 200 games");
    assert!(games.len() >= 50, "{} different games", games.len());
}

#[cfg(any(feature = "book", feature = "kpk"))]
fn think(setup: &Setup) -> pocket::search::Outcome {
    use pocket::engine::{Engine, Limits};
    use pocket::table::Bank;
    let (mut low, mut high) = (Bank::<256>::EMPTY, Bank::<256>::EMPTY);
    let mut engine = Box::new(Engine::ZERO);
    engine.set_position(setup).unwrap();
    engine.set_seed(7);
    engine.think((&mut low, &mut high), Limits { depth: 0, nodes: 20_000 }, || false)
}

#[cfg(feature = "book")]
#[test]
fn the_engine_answers_openings_from_the_book() {
    let outcome = think(&Setup::START);
    assert_eq!((outcome.depth, outcome.nodes), (0, 0));
    assert!(["e2e4", "d2d4", "c2c4", "g1f3"].contains(&name(outcome.best).as_str()));
}

#[cfg(feature = "kpk")]
#[test]
fn the_engine_knows_who_wins_with_a_pawn() {
    let ending = |text: &str| think(&pocket::fen::parse(text.as_bytes()).unwrap());
    // The same pieces: the side to move has the opposition or has lost it.
    assert_eq!(ending("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1").score, 0);
    let lost = ending("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1").score;
    assert!(lost < -400, "{lost}");
}
