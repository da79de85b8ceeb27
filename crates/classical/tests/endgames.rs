//! What the classical evaluator must know of small endings, against tablebase results.

use std::fs;

use chess::{Board, Color};
use classical::Classical;
use eval::{Evaluator, Score};

/// Below this, for either side, it calls the ending a draw.
const DRAWISH: Score = 100;
/// Above this it sees the win.
const WINNING: Score = 300;

/// The score from White's side.
fn judge(board: &Board) -> Score {
    let mut evaluator = Classical::new();
    evaluator.reset(board);
    let score = evaluator.evaluate(board).q50;
    if board.side_to_move() == Color::White { score } else { -score }
}

#[test]
fn draws_are_drawish_and_wins_are_wins() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/endgames/small.epd");
    let (mut draws, mut wins) = (0, 0);
    for line in fs::read_to_string(path).expect("the test data is in the repository").lines() {
        let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
        let board: Board = fields.join(" ").parse().unwrap();
        let score = judge(&board);
        if line.contains("c0 \"draw\"") {
            assert!(score.abs() < DRAWISH, "{score} in {line}");
            draws += 1;
        } else {
            assert!(line.contains("c0 \"white wins\""), "{line}");
            assert!(score > WINNING, "{score} in {line}");
            wins += 1;
        }
    }
    assert!(draws >= 40 && wins >= 40, "{draws} draws, {wins} wins");
}

/// Each of these is worth much less than its material says.
#[test]
fn leads_that_do_not_win_are_scaled_down() {
    let judge = |fen: &str| judge(&fen.parse().unwrap());
    // A pawn up with opposite bishops, and with knights instead.
    let opposite = judge("4k3/5p1p/4b3/8/8/4B3/5PPP/6K1 w - - 0 1");
    let knights = judge("4k3/5p1p/4n3/8/8/4N3/5PPP/6K1 w - - 0 1");
    assert!(opposite < knights * 2 / 3, "{opposite}, {knights}");
    // Rook and bishop against rook.
    let rook_and_bishop = judge("4k3/8/r7/8/8/3RB3/8/4K3 w - - 0 1");
    assert!((0..120).contains(&rook_and_bishop), "{rook_and_bishop}");
    // Rook pawns and a king in their corner.
    assert_eq!(judge("k7/8/8/P7/P7/8/8/4K3 w - - 0 1"), 0);
}

#[test]
fn bishop_and_knight_drive_to_the_bishops_corner() {
    let judge = |fen: &str| judge(&fen.parse().unwrap());
    let right = judge("7k/8/5K2/4BN2/8/8/8/8 w - - 0 1");
    let wrong = judge("k7/8/2K5/3NB3/8/8/8/8 w - - 0 1");
    assert!(right > wrong + 50, "{right}, {wrong}");
}

#[test]
fn promoting_beats_keeping_the_pawn() {
    let judge = |fen: &str| judge(&fen.parse().unwrap());
    let pawn = judge("8/3KP3/8/8/8/8/6k1/8 b - - 0 1");
    let queen = judge("4Q3/3K4/8/8/8/8/6k1/8 b - - 0 1");
    assert!(queen > pawn && pawn > WINNING, "{queen}, {pawn}");
}
