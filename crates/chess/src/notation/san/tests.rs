//! Notation of hand-picked moves; whole games are compared with other programs elsewhere.

use super::{Pattern, SanError};
use crate::Board;
use std::string::{String, ToString};

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

/// The SAN of a move given in UCI's notation.
fn san(fen: &str, uci: &str) -> String {
    let board = board(fen);
    board.san(board.parse_uci(uci).unwrap()).to_string()
}

#[test]
fn disambiguates_as_little_as_possible() {
    let rooks = "7k/8/8/R7/8/8/8/R3R2K w - - 0 1";
    let queens = "6k1/8/8/8/1Q1Q4/8/1Q6/7K w - - 0 1";
    for (fen, uci, expected) in [
        (rooks, "a1a3", "R1a3"),
        (rooks, "a1c1", "Rac1"),
        (rooks, "a5a6", "Ra6"),
        (queens, "b4d2", "Qb4d2"),
        (queens, "b2d2", "Q2d2"),
        (queens, "d4d2", "Qdd2"),
    ] {
        assert_eq!(san(fen, uci), expected);
    }
}

#[test]
fn a_pinned_twin_needs_no_disambiguation() {
    let pinned = "4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1";
    assert_eq!(san(pinned, "a1c2"), "Nc2");
}

#[test]
fn castling_and_the_king_do_not_disturb_each_other() {
    let castle = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(san(castle, "e1g1"), "O-O");
    assert_eq!(san(castle, "e1c1"), "O-O-O");
    assert_eq!(san(castle, "e1d1"), "Kd1");
    assert_eq!(san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
}

#[test]
fn pawns_name_their_file_when_they_capture() {
    assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
    assert_eq!(san("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n"), "exd8=N");
    assert_eq!(san("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"), "e8=Q+");
}

#[test]
fn mates_are_marked() {
    assert_eq!(san("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "Ra8#");
}

#[test]
fn reads_kindly() {
    let start = Board::default();
    let knight = start.parse_uci("g1f3").unwrap();
    for text in ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3+", "Nf3#", "Nf3!?", "Nf3+!"] {
        assert_eq!(start.parse_san(text), Ok(knight), "{text}");
    }
    let castle = board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(castle.parse_san("0-0-0").unwrap().to_string(), "e1a1");
    let promotion = board("7k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["e8=Q", "e8Q", "e8=Q+", "e7e8=Q"] {
        assert_eq!(promotion.parse_san(text).unwrap().to_string(), "e7e8q", "{text}");
    }
}

#[test]
fn a_pawn_without_a_file_does_not_capture() {
    let both = board("4k3/8/3p4/4P3/3P4/8/8/4K3 w - - 0 1");
    assert_eq!(both.parse_san("d5").unwrap().to_string(), "d4d5");
    assert!(matches!(both.parse_san("d6"), Err(SanError::Illegal(_))));
    assert_eq!(both.parse_san("exd6").unwrap().to_string(), "e5d6");
}

#[test]
fn a_lower_case_b_is_a_file() {
    let both = board("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1");
    assert_eq!(both.parse_san("bxc3").unwrap().to_string(), "b2c3");
    assert_eq!(both.parse_san("Bxc3").unwrap().to_string(), "d2c3");
}

#[test]
fn each_fault_has_its_error() {
    let knights = board("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
    let message = |text| knights.parse_san(text).unwrap_err().to_string();
    assert_eq!(message("Nd2"), "expected a move that fits one piece only, got \"Nd2\"");
    assert_eq!(message("Qd2"), "expected a legal move of the position, got \"Qd2\"");
    assert_eq!(message("O-O"), "expected a legal move of the position, got \"O-O\"");
    assert_eq!(message("Nx"), "expected a move like Nf3, exd5 or O-O, got \"Nx\"");
}

#[test]
fn nonsense_is_no_pattern() {
    for text in ["", "+", "N", "Nf", "Nf9", "Nxxf3", "e8=K", "e8=", "O-O-O-O", "é4", "Né4", "e4♞"]
    {
        assert_eq!(Pattern::read(text), None, "{text}");
    }
}
