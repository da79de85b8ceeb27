//! The number of leaves of the move tree, against published counts.
//!
//! Every run goes as deep as a limit of leaves allows; the full tests go as deep as the files.

use crate::support::{PerftCase, for_each_parallel, full_tests, perft_file};
use chess::perft;

/// Checks each position at its greatest depth with at most `limit` leaves. The shallower
/// depths are part of the deepest one, so they are only counted to find where it went wrong.
fn check_file(name: &str, limit: u64) {
    let limit = if full_tests() { u64::MAX } else { limit };
    // Miri counts slowly.
    let limit = if cfg!(miri) { 500 } else { limit };
    for_each_parallel(&perft_file(name), |case| check_case(name, case, limit));
}

fn check_case(name: &str, case: &PerftCase, limit: u64) {
    let board = case.board();
    let deepest = case.counts.iter().rev().find(|&&(_, leaves)| leaves <= limit);
    let &(depth, leaves) = deepest.unwrap_or(&case.counts[0]);
    if perft(&board, depth) == leaves {
        return;
    }
    for &(depth, leaves) in &case.counts {
        assert_eq!(perft(&board, depth), leaves, "{name}: {} at depth {depth}", case.fen);
    }
}

#[test]
fn standard_positions() {
    check_file("standard.epd", 5_000_000);
}

#[test]
fn tricky_positions() {
    check_file("tricky.epd", 20_000_000);
}

#[test]
fn tricky_chess960_positions() {
    check_file("tricky-chess960.epd", 20_000_000);
}

#[test]
fn chess960_positions() {
    check_file("chess960.epd", 800_000);
}

#[test]
fn many_positions() {
    check_file("many.epd", 100_000);
}

#[test]
fn depth_zero_is_one_leaf() {
    assert_eq!(perft(&Default::default(), 0), 1);
}
