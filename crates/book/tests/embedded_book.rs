//! The book inside the program is sound: small, sorted, and legal wherever it can be reached.

use std::collections::HashSet;

use book::{Entry, embedded, key, key_after};
use chess::Board;

#[test]
fn it_is_small_and_sorted() {
    let book = embedded();
    assert!(book.len() > 10_000);
    assert!(book.len() * Entry::SIZE < 1_000_000);
    assert!(book.iter().is_sorted_by_key(|entry| entry.key));
    assert!(book.iter().all(|entry| entry.weight > 0));
}

#[test]
fn every_entry_on_the_way_is_a_legal_move() {
    let book = embedded();
    let mut seen = HashSet::new();
    let mut entries = 0;
    let mut open = vec![(Board::default(), key(&Board::default()))];
    while let Some((board, key)) = open.pop() {
        if !seen.insert(key) {
            continue;
        }
        let found = book.find(key).count();
        let moves = book.moves(&board);
        assert_eq!(moves.len(), found, "an illegal or doubled move in {board}");
        entries += found;
        for found in moves {
            let next = board.after(found.mv);
            let next_key = key_after(&board, found.mv, &next);
            open.push((next, next_key));
        }
    }
    // Most of the book lies on its own lines; the rest answers moves it would not play itself.
    assert!(entries > book.len() / 2, "{entries} of {} entries are on the way", book.len());
}
