//! One book from several.

use std::collections::BTreeMap;

use crate::{Book, Entry};

/// Puts the moves of all books together, sorted and ready to be written.
///
/// A position's weights are first scaled to the same sum in each book, so that a book made from
/// many games does not drown one made from few; a book may count more than once with `shares`.
pub fn merge(books: &[(&Book, u32)]) -> Vec<Entry> {
    let mut positions: BTreeMap<u64, BTreeMap<u16, f64>> = BTreeMap::new();
    for (book, share) in books {
        let mut totals: BTreeMap<u64, f64> = BTreeMap::new();
        for entry in book.iter() {
            *totals.entry(entry.key).or_default() += f64::from(entry.weight);
        }
        for entry in book.iter().filter(|entry| entry.weight > 0) {
            let weight = f64::from(entry.weight) / totals[&entry.key] * f64::from(*share);
            *positions.entry(entry.key).or_default().entry(entry.mv).or_default() += weight;
        }
    }
    positions
        .into_iter()
        .flat_map(|(key, moves)| {
            let moves: Vec<(u16, f64)> = moves.into_iter().collect();
            position_entries(key, &moves)
        })
        .collect()
}

/// A position's entries, heaviest first, with weights scaled to the sixteen bits they have.
pub(crate) fn position_entries(key: u64, moves: &[(u16, f64)]) -> Vec<Entry> {
    let heaviest = moves.iter().map(|&(_, weight)| weight).fold(0.0, f64::max);
    // Whole weights that fit stay as they are: they are counts somebody may want to read.
    let whole = moves.iter().all(|&(_, weight)| weight.fract() == 0.0);
    let scale = match whole && heaviest <= f64::from(u16::MAX) {
        true => 1.0,
        false => f64::from(u16::MAX) / heaviest,
    };
    let entry = |&(mv, weight): &(u16, f64)| Entry {
        key,
        mv,
        weight: ((weight * scale).round() as u16).max(1),
        learn: 0,
    };
    let mut entries: Vec<Entry> =
        moves.iter().filter(|(_, weight)| *weight > 0.0).map(entry).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.weight, entry.mv)));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(entries: &[(u64, u16, u16)]) -> Book {
        let bytes = entries
            .iter()
            .flat_map(|&(key, mv, weight)| Entry { key, mv, weight, learn: 0 }.to_bytes());
        Book::from_bytes(bytes.collect())
    }

    #[test]
    fn books_count_equally_and_keys_stay_sorted() {
        let large = book(&[(1, 10, 9_000), (1, 11, 1_000), (3, 30, 5)]);
        let small = book(&[(1, 11, 1), (2, 20, 1), (4, 40, 0)]);
        let merged = merge(&[(&large, 1), (&small, 1)]);
        let found: Vec<(u64, u16)> = merged.iter().map(|entry| (entry.key, entry.mv)).collect();
        assert_eq!(found, [(1, 11), (1, 10), (2, 20), (3, 30)]);
        let share = f64::from(merged[1].weight) / f64::from(merged[0].weight);
        assert!((share - 0.9 / 1.1).abs() < 1e-3, "{share}");
    }

    #[test]
    fn large_counts_are_scaled_and_small_ones_kept() {
        let weights = |moves: &[(u16, f64)]| -> Vec<u16> {
            position_entries(0, moves).iter().map(|entry| entry.weight).collect()
        };
        assert_eq!(weights(&[(1, 3.0), (2, 8.0), (3, 0.0)]), [8, 3]);
        assert_eq!(weights(&[(1, 131_070.0), (2, 65_535.0), (3, 0.5)]), [65_535, 32_768, 1]);
    }
}
