//! What must hold for any text whatsoever that is read as a position or a move.
//!
//! Each function takes a text, right or wrong, and panics if reading it breaks a promise. The
//! property tests of this crate call them with texts they make up, the fuzz targets in `fuzz/`
//! with texts a fuzzer finds. The comparison with another implementation of the rules is in
//! `tests/shakmaty.rs`; it is why this is a crate of its own, for that implementation is under
//! the GPL and `chess` is not.

use chess::notation::epd::Epd;
use chess::notation::uci::CastlingForm;
use chess::{Board, Move, Setup};
use std::fmt::Display;

/// Any text as a FEN: an accepted position can be written, read back and played on.
pub fn check_fen(text: &str) {
    if let Err(error) = text.parse::<Setup>() {
        check_message(&error);
    }
    let board: Board = match text.parse() {
        Ok(board) => board,
        Err(error) => return check_message(&error),
    };
    check_board(&board);
}

/// Any text as an EPD: an accepted line can be written and read back.
pub fn check_epd(text: &str) {
    let epd = match Epd::parse(text) {
        Ok(epd) => epd,
        Err(error) => return check_message(&error),
    };
    check_board(&epd.board);
    let written = epd.to_string();
    let read = Epd::parse(&written).unwrap_or_else(|error| panic!("{written:?}: {error}"));
    assert!(read.operations().eq(epd.operations()), "{text:?} became {written:?}");
    assert_eq!(read.to_string(), written);
    for operation in epd.operations() {
        assert!(epd.operation(operation.opcode).is_some());
        for mv in epd.moves(operation.opcode) {
            match mv {
                Ok(mv) => assert!(epd.board.is_legal(mv)),
                Err(error) => check_message(&error),
            }
        }
    }
}

/// Any text as a move in standard algebraic notation: what is accepted is legal, and its
/// proper notation means the same move.
pub fn check_san(board: &Board, text: &str) {
    match board.parse_san(text) {
        Ok(mv) => {
            assert!(board.legal_moves().contains(&mv), "{text:?} in {board}");
            assert_eq!(board.parse_san(&board.san(mv).to_string()), Ok(mv), "{text:?} in {board}");
        }
        Err(error) => check_message(&error),
    }
}

/// Any text as a move in UCI's notation: what is accepted is legal, and it is written in one
/// of the two forms of castling.
pub fn check_uci_move(board: &Board, text: &str) {
    match board.parse_uci(text) {
        Ok(mv) => {
            assert!(board.legal_moves().contains(&mv), "{text:?} in {board}");
            let forms = [CastlingForm::Standard, CastlingForm::Chess960];
            assert!(forms.into_iter().any(|form| mv.uci(form).to_string() == text), "{text:?}");
        }
        Err(error) => check_message(&error),
    }
}

/// Splits a fuzzer's text into a position (the start of the game if the first line is none)
/// and a text to be read as a move there.
pub fn split_position(text: &str) -> (Board, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or(("", text));
    match first.parse() {
        Ok(board) => (board, rest),
        Err(_) => (Board::default(), text),
    }
}

fn check_board(board: &Board) {
    let text = board.to_string();
    assert_eq!(text.parse().as_ref(), Ok(board), "{text}");
    let files = board.shredder_fen().to_string();
    assert_eq!(files.parse().as_ref(), Ok(board), "{files}");
    assert_eq!(Board::from_setup(&board.to_setup()).as_ref(), Ok(board), "{text}");
    for mv in &board.legal_moves() {
        check_move(board, mv);
    }
}

fn check_move(board: &Board, mv: Move) {
    assert!(board.is_legal(mv), "{mv} in {board}");
    let next = board.after(mv);
    assert_eq!(Board::from_setup(&next.to_setup()).as_ref(), Ok(&next), "{mv} in {board}");
    assert_eq!(board.parse_san(&board.san(mv).to_string()), Ok(mv), "{mv} in {board}");
}

/// An error has something to say.
fn check_message(error: &impl Display) {
    assert!(error.to_string().contains("expected"), "{error}");
}
