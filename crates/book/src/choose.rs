//! Which of a book's moves to play.

use chess::Move;

use crate::BookMove;

/// How much the choice may stray from the heaviest move, in percent.
///
/// 0 always takes the heaviest, 100 chooses in proportion to the weights, and between them the
/// weights are sharpened.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Variety(u8);

impl Variety {
    /// Always the heaviest move.
    pub const NONE: Self = Self(0);
    /// In proportion to the weights.
    pub const FULL: Self = Self(100);

    /// A variety in percent; more than 100 counts as 100.
    pub fn percent(percent: u8) -> Self {
        Self(percent.min(100))
    }
}

/// Chooses one of the moves, heaviest first as [`crate::Book::moves`] gives them.
///
/// `random` is any number; equal numbers choose equally.
pub fn choose(moves: &[BookMove], variety: Variety, random: u64) -> Option<Move> {
    let heaviest = moves.first()?;
    if variety == Variety::NONE {
        return Some(heaviest.mv);
    }
    let sharpness = 100.0 / f64::from(variety.0);
    let share = |book_move: &BookMove| {
        (f64::from(book_move.weight) / f64::from(heaviest.weight.max(1))).powf(sharpness)
    };
    let total: f64 = moves.iter().map(share).sum();
    // The upper 53 bits are as many as a float holds: a fraction from 0 to just below 1.
    let mut point = (random >> 11) as f64 / (1u64 << 53) as f64 * total;
    for book_move in moves {
        point -= share(book_move);
        if point < 0.0 {
            return Some(book_move.mv);
        }
    }
    Some(heaviest.mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn moves(weights: &[u16]) -> Vec<BookMove> {
        let book_move = |(index, &weight)| BookMove {
            mv: Move::normal(Square::from_index(index), Square::from_index(63)),
            weight,
        };
        weights.iter().enumerate().map(book_move).collect()
    }

    /// How often each of the moves is chosen in 10,000 evenly spread draws.
    fn counts(weights: &[u16], variety: Variety) -> Vec<usize> {
        let moves = moves(weights);
        let mut counts = vec![0; weights.len()];
        for draw in 0..10_000u64 {
            let chosen = choose(&moves, variety, draw * (u64::MAX / 10_000)).expect("a move");
            counts[chosen.from().index()] += 1;
        }
        counts
    }

    #[test]
    fn full_variety_follows_the_weights() {
        let counts = counts(&[60, 30, 10], Variety::FULL);
        for (count, expected) in counts.iter().zip([6_000, 3_000, 1_000]) {
            assert!(count.abs_diff(expected) <= 2, "{counts:?}");
        }
    }

    #[test]
    fn less_variety_prefers_the_heaviest() {
        assert_eq!(counts(&[60, 30, 10], Variety::NONE), [10_000, 0, 0]);
        let half = counts(&[60, 30, 10], Variety::percent(50));
        assert!(half[0] > 7_500 && half[1] > half[2] && half[2] > 0, "{half:?}");
    }

    #[test]
    fn no_moves_no_choice() {
        assert_eq!(choose(&[], Variety::FULL, 1), None);
    }
}
