//! Repetitions in a small game of knights.

use std::vec::Vec;

use super::{can_repeat, is_repetition, occurrences};
use crate::Board;

/// Plays moves and returns the keys of all positions before the last.
fn play(moves: &str) -> (Vec<u64>, Board) {
    let mut board = Board::default();
    let mut keys = Vec::new();
    for text in moves.split_whitespace() {
        keys.push(board.key());
        board.make_move(board.parse_uci(text).unwrap(), &mut ());
    }
    (keys, board)
}

#[test]
fn a_second_visit_counts_on_the_path_only() {
    let (keys, board) = play("g1f3 g8f6 f3g1 f6g8");
    assert_eq!(occurrences(&keys, &board), 1);
    assert!(is_repetition(&keys, 0, &board));
    assert!(!is_repetition(&keys, 1, &board));
}

#[test]
fn a_third_visit_always_counts() {
    let (keys, board) = play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(occurrences(&keys, &board), 2);
    assert!(is_repetition(&keys, keys.len(), &board));
}

#[test]
fn a_pawn_move_ends_it() {
    let (keys, board) = play("g1f3 g8f6 f3g1 f6g8 e2e3");
    assert_eq!(occurrences(&keys, &board), 0);
    assert!(!is_repetition(&keys, 0, &board));
}

#[test]
fn a_coming_repetition_is_seen_one_move_before() {
    let (keys, board) = play("g1f3 g8f6 f3g1");
    assert!(can_repeat(&keys, 0, &board));
    let (keys, board) = play("g1f3 g8f6");
    assert!(!can_repeat(&keys, 0, &board));
    let (keys, board) = play("g1f3 g8f6 f3e5");
    assert!(!can_repeat(&keys, 0, &board));
}
