//! Which inputs a position switches on: one function, used by engine and trainer alike.
//!
//! There is one input for each piece on each square, seen from one side: "ours" or "theirs" and
//! never white or black, with ranks counted from that side's home. The board is mirrored so that
//! the side's king stands on files a to d, which halves what must be learnt, and the king's square
//! selects one of [`KING_BUCKETS`] sets of weights.

use chess::{Color, Piece, Square};

/// Sets of transformer weights, chosen by the square of the own king.
pub const KING_BUCKETS: usize = 8;
/// Inputs of one set: 2 sides × 6 pieces × 64 squares.
pub const INPUTS_PER_BUCKET: usize = 2 * 6 * 64;
/// Inputs of the transformer.
pub const INPUTS: usize = KING_BUCKETS * INPUTS_PER_BUCKET;

/// King buckets by rank (from home) and file (a to d, after mirroring).
///
/// One for each file of the back rank, where the king spends the game until few pieces are left,
/// and ever fewer towards the middle of the board.
#[rustfmt::skip]
const BUCKETS: [[u8; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 4, 5, 5],
    [6, 6, 6, 6],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
];

/// What the own king's square decides: the set of weights and whether the board is mirrored.
///
/// Two positions with equal views share an accumulator; a king move that changes the view makes
/// every input of its side stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    bucket: u8,
    mirror: u8,
}

impl View {
    /// Number of different views.
    pub const COUNT: usize = 2 * KING_BUCKETS;

    /// The view of a side whose king stands on `king`, counted from that side's home (a1 = 0 …
    /// h8 = 63, ranks flipped for Black).
    pub const fn new(king: usize) -> Self {
        let (file, rank) = (king % 8, king / 8);
        let mirror = if file >= 4 { 7 } else { 0 };
        Self { bucket: BUCKETS[rank][file ^ mirror], mirror: mirror as u8 }
    }

    /// The view of `side` with its king on `king`.
    #[inline]
    pub const fn of(side: Color, king: Square) -> Self {
        Self::new(king.relative_to(side).index())
    }

    /// The input of a piece on the board, seen by `side`, whose view this is.
    #[inline]
    pub fn input_of(self, side: Color, color: Color, piece: Piece, square: Square) -> u32 {
        let theirs = usize::from(color != side);
        self.input(theirs, piece.index(), square.relative_to(side).index()) as u32
    }

    /// A number below [`View::COUNT`], different for each view.
    pub const fn slot(self) -> usize {
        self.bucket as usize * 2 + (self.mirror != 0) as usize
    }

    /// A square as this view sees it, counted from the side's home.
    #[inline]
    pub(crate) const fn mirrored(self, square: usize) -> usize {
        square ^ self.mirror as usize
    }

    /// The input of one piece: `theirs` is 0 for the side's own pieces and 1 for the opponent's,
    /// `piece` 0 (pawn) to 5 (king), `square` counted from the side's home.
    #[inline]
    pub const fn input(self, theirs: usize, piece: usize, square: usize) -> usize {
        let square = self.mirrored(square);
        self.bucket as usize * INPUTS_PER_BUCKET + (theirs * 6 + piece) * 64 + square
    }
}

#[cfg(test)]
mod tests {
    use super::{BUCKETS, INPUTS, KING_BUCKETS, View};

    #[test]
    fn inputs_are_distinct_and_in_range() {
        for king in 0..64 {
            let view = View::new(king);
            let mut seen = std::collections::HashSet::new();
            for theirs in 0..2 {
                for piece in 0..6 {
                    for square in 0..64 {
                        let input = view.input(theirs, piece, square);
                        assert!(input < INPUTS && seen.insert(input));
                    }
                }
            }
        }
    }

    #[test]
    fn a_mirrored_board_has_the_same_inputs() {
        for king in 0..64 {
            for square in 0..64 {
                let here = View::new(king).input(1, 3, square);
                assert_eq!(here, View::new(king ^ 7).input(1, 3, square ^ 7));
            }
        }
    }

    #[test]
    fn views_are_numbered_and_every_bucket_is_used() {
        let mut slots = [false; View::COUNT];
        for king in 0..64 {
            slots[View::new(king).slot()] = true;
        }
        assert!(slots.iter().all(|&used| used));
        let most = BUCKETS.iter().flatten().max();
        assert_eq!(most.map(|&bucket| usize::from(bucket) + 1), Some(KING_BUCKETS));
    }
}
