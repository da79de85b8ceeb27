//! `is_legal` must agree with the generator on every move there is.
//!
//! A hash table can return any sixteen bits, so all of them are tried: each pair of squares
//! with each kind of move.

use crate::random::random_game;
use crate::support::{for_each_parallel, full_tests, perft_file, walk_tricky_positions};
use chess::{Board, Move, Rng};

#[test]
fn every_encoding_in_tricky_positions() {
    let depth = if full_tests() { 2 } else { 1 };
    walk_tricky_positions(depth, check);
}

#[test]
fn every_encoding_in_random_games() {
    let every = if full_tests() { 1 } else { 20 };
    for_each_parallel(&perft_file("chess960.epd"), |case| {
        let mut rng = Rng::new(case.counts[1].1);
        random_game(&case.board(), &mut Rng::new(rng.next_u64()), |board, _| {
            if rng.next_u64().is_multiple_of(10 * every) {
                check(board);
            }
        });
    });
}

fn check(board: &Board) {
    let mut expected: Vec<u16> = board.legal_moves().iter().map(|mv| mv.bits()).collect();
    expected.sort_unstable();
    let legal =
        (0..=u16::MAX).filter(|&bits| Move::from_bits(bits).is_some_and(|mv| board.is_legal(mv)));
    assert_eq!(legal.collect::<Vec<_>>(), expected, "{board}");
}

#[test]
fn bits_come_back() {
    let moves = (0..=u16::MAX).filter_map(|bits| Some((bits, Move::from_bits(bits)?)));
    let mut count = 0;
    for (bits, mv) in moves {
        assert_eq!(mv.bits(), bits);
        count += 1;
    }
    // Normal, en passant, castling, and four promotions.
    assert_eq!(count, 64 * 64 * 7);
}
