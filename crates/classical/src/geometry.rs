//! Files, spans and distances: the shapes that pawns and kings are judged by.

use chess::{Bitboard, Color, File, Square};

/// All squares strictly ahead of the set, on the same files.
#[inline(always)]
pub(super) fn ahead(color: Color, set: Bitboard) -> Bitboard {
    let mut fill = set.forward(color);
    match color {
        Color::White => {
            fill.0 |= fill.0 << 8;
            fill.0 |= fill.0 << 16;
            fill.0 |= fill.0 << 32;
        }
        Color::Black => {
            fill.0 |= fill.0 >> 8;
            fill.0 |= fill.0 >> 16;
            fill.0 |= fill.0 >> 32;
        }
    }
    fill
}

/// The squares one file to the left and right of the set.
#[inline(always)]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    set.east() | set.west()
}

/// The files of a square's neighbours.
#[inline(always)]
pub(super) fn adjacent_files(square: Square) -> Bitboard {
    beside(square.file().bitboard())
}

/// The square of a set on one file that is nearest to `color`'s own side.
#[inline(always)]
pub(super) fn rearmost(color: Color, set: Bitboard) -> Option<Square> {
    match color {
        Color::White => set.first(),
        Color::Black => {
            (set.any()).then(|| Square::from_index(63 - set.0.leading_zeros() as usize))
        }
    }
}

/// The rank as `color` counts it, from 0.
#[inline(always)]
pub(super) fn rank_of(color: Color, square: Square) -> usize {
    square.relative_to(color).index() >> 3
}

/// The file counted from the nearer edge: 0 for a and h … 3 for d and e.
#[inline(always)]
pub(super) fn folded(file: File) -> usize {
    let index = file.index();
    index.min(7 - index)
}

/// How many king moves apart two squares are.
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = (a.index() & 7).abs_diff(b.index() & 7);
    let ranks = (a.index() >> 3).abs_diff(b.index() >> 3);
    files.max(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn ahead_is_strictly_ahead() {
        let e4 = square("e4").bitboard();
        assert_eq!(ahead(Color::White, e4).count(), 4);
        assert_eq!(ahead(Color::Black, e4).count(), 3);
        assert!((ahead(Color::White, e4) & e4).is_empty());
    }

    #[test]
    fn distances_and_ends() {
        assert_eq!(distance(square("a1"), square("h7")), 7);
        let set = square("c2").bitboard() | square("c6").bitboard();
        assert_eq!(rearmost(Color::White, set), Some(square("c2")));
        assert_eq!(rearmost(Color::Black, set), Some(square("c6")));
        assert_eq!(rearmost(Color::Black, Bitboard::EMPTY), None);
        assert_eq!(rank_of(Color::Black, square("a7")), 1);
    }
}
