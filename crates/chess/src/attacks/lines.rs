//! Squares in line with two others, for pins and checks.

use super::rays;
use crate::{Bitboard, Square};

type Table = [[Bitboard; 64]; 64];

/// Which part of a line a table holds.
#[derive(Copy, Clone)]
enum Part {
    /// What lies strictly between two squares.
    Between,
    /// Everything from edge to edge.
    Whole,
}

const fn build(part: Part) -> Table {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let ends = 1 << a | 1 << b;
            let straight = rays::rook(a, 0) >> b & 1 == 1;
            let diagonal = rays::bishop(a, 0) >> b & 1 == 1;
            table[a][b].0 = match part {
                Part::Between if straight => rays::rook(a, 1 << b) & rays::rook(b, 1 << a),
                Part::Between if diagonal => rays::bishop(a, 1 << b) & rays::bishop(b, 1 << a),
                Part::Whole if straight => rays::rook(a, 0) & rays::rook(b, 0) | ends,
                Part::Whole if diagonal => rays::bishop(a, 0) & rays::bishop(b, 0) | ends,
                Part::Between | Part::Whole => 0,
            };
            b += 1;
        }
        a += 1;
    }
    table
}

static BETWEEN: Table = build(Part::Between);
static LINE: Table = build(Part::Whole);

/// The squares strictly between two squares that share a rank, file or diagonal; else none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through both squares, from edge to edge; else none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::{between, line};
    use crate::Square;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn a_diagonal() {
        assert_eq!(between(square("b2"), square("e5")).count(), 2);
        assert_eq!(line(square("b2"), square("e5")).count(), 8);
    }

    #[test]
    fn a_rank_and_a_knight_jump() {
        assert_eq!(between(square("a3"), square("h3")).count(), 6);
        assert_eq!(line(square("c3"), square("d3")).count(), 8);
        assert!(line(square("a1"), square("b3")).is_empty());
        assert!(between(square("a1"), square("a2")).is_empty());
    }
}
