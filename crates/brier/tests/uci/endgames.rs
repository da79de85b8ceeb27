//! Won endgames are won: against the best defence, within the fifty-move rule.
//!
//! The positions are random and won by the tables in `testdata`; the tables also defend, by
//! putting off the next capture, pawn move or mate as long as they can, and by taking every draw.

use std::path::{Path, PathBuf};

use chess::notation::uci::CastlingForm;
use chess::{Board, Color, Move, Outcome, Piece, Rng, Setup};
use engine::Position;
use eval::tablebase::{Tablebase, Wdl};
use tablebase::SyzygyTables;

use crate::driver::{Engine, full_tests};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syzygy")
}

/// A random position with these men that White, to move, wins.
fn won_position(men: &[(Color, Piece)], tables: &SyzygyTables, rng: &mut Rng) -> Board {
    loop {
        let mut setup = Setup::EMPTY;
        for &man in men {
            setup.squares[rng.below(64)] = Some(man);
        }
        if setup.squares.iter().flatten().count() == men.len()
            && let Ok(board) = Board::from_setup(&setup)
            && tables.wdl(&board) == Some(Wdl::Win)
        {
            return board;
        }
    }
}

/// The defender's move: the best result, and of those the one that lasts longest.
fn best_defence(position: &Position, tables: &SyzygyTables) -> Move {
    let probe = tables.root(position.board(), position.keys(), true).expect("tables are there");
    let resistance = |dtz: Option<i32>| dtz.map_or(0, i32::abs);
    let best = probe.moves.iter().max_by_key(|root| (root.wdl, resistance(root.dtz)));
    best.expect("the game is not over").mv
}

/// Plays the position out; the error says how the win was lost.
fn win(engine: &mut Engine, start: &Board, tables: &SyzygyTables, go: &str) -> Result<(), String> {
    engine.send("ucinewgame");
    let mut position = Position::new(start.clone());
    let mut moves: Vec<String> = Vec::new();
    loop {
        let board = position.board();
        if let Some(outcome) = board.outcome(position.keys()) {
            let mated = outcome == Outcome::Checkmate { winner: Color::White };
            let played = moves.join(" ");
            return if mated {
                Ok(())
            } else {
                Err(format!("{outcome:?}: {start} moves {played}"))
            };
        }
        let mv = match board.side_to_move() {
            Color::White => {
                let line = format!("position fen {start} moves {}", moves.join(" "));
                let answer = engine.search(line.trim_end_matches(" moves "), go);
                board.parse_uci(&answer.best.expect("a move")).expect("a legal move")
            }
            Color::Black => best_defence(&position, tables),
        };
        moves.push(mv.uci(CastlingForm::Standard).to_string());
        position.play(mv);
    }
}

/// Wins 100 positions of an endgame, or a few in the short test.
pub(crate) fn win_all(men: &[(Color, Piece)], with_tables: bool, go: &str) {
    let tables = SyzygyTables::open(&[folder()]);
    let mut engine = Engine::start();
    if with_tables {
        engine.send(&format!("setoption name SyzygyPath value {}", folder().display()));
        let said = engine.sync().join("\n");
        assert!(said.contains("7 WDL and 7 DTZ tables"), "{said}");
    }
    let mut rng = Rng::new(11);
    let count = if full_tests() { 100 } else { 4 };
    let failures: Vec<String> = (0..count)
        .map(|_| won_position(men, &tables, &mut rng))
        .filter_map(|board| win(&mut engine, &board, &tables, go).err())
        .collect();
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

pub(crate) const WHITE_KING: (Color, Piece) = (Color::White, Piece::King);
pub(crate) const BLACK_KING: (Color, Piece) = (Color::Black, Piece::King);
pub(crate) const ROOK: [(Color, Piece); 3] = [WHITE_KING, (Color::White, Piece::Rook), BLACK_KING];
pub(crate) const PAWN: [(Color, Piece); 3] = [WHITE_KING, (Color::White, Piece::Pawn), BLACK_KING];

#[test]
fn rook_with_tables() {
    win_all(&ROOK, true, "go nodes 2000");
}

#[test]
fn pawn_with_tables() {
    win_all(&PAWN, true, "go nodes 2000");
}

#[test]
fn queen_against_rook_with_tables() {
    let men = [WHITE_KING, (Color::White, Piece::Queen), BLACK_KING, (Color::Black, Piece::Rook)];
    win_all(&men, true, "go nodes 2000");
}

#[test]
fn bishop_and_knight_with_tables() {
    let men =
        [WHITE_KING, (Color::White, Piece::Bishop), (Color::White, Piece::Knight), BLACK_KING];
    win_all(&men, true, "go nodes 2000");
}
