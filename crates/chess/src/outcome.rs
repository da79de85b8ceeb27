//! When a game is over by the rules.
//!
//! The laws of chess know two kinds of draws: those that end the game at once, and those that a
//! player may claim (fifty moves, the third occurrence of a position). Programs play as if every
//! claim were made; who reviews games of people needs the difference, so it is kept.

use crate::{Board, Color, repetition};

/// Why a game is over.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate {
        /// The other side.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side has the pieces for any mate.
    InsufficientMaterial,
    /// A hundred half-moves without a capture or a pawn's move: a draw on claim.
    FiftyMoves,
    /// The position is there for the third time: a draw on claim.
    Threefold,
}

impl Outcome {
    /// Who won; none if the game is drawn.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// Does the game go on unless a player claims the draw?
    pub const fn needs_claim(self) -> bool {
        matches!(self, Self::FiftyMoves | Self::Threefold)
    }
}

impl Board {
    /// How the game has ended, if it has; every draw that can be claimed is.
    ///
    /// `earlier` holds the keys of the positions of the game before this one, oldest first, as far
    /// as they are known; without any, no repetition is seen. Mate and stalemate come before the
    /// draws, and draws that end the game before those that must be claimed.
    ///
    /// ```
    /// use chess::{Board, Color, Outcome};
    ///
    /// let mut board = Board::default();
    /// let mut keys = Vec::new();
    /// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
    ///     assert_eq!(board.outcome(&keys), None);
    ///     keys.push(board.key());
    ///     board = board.after(board.parse_uci(text)?);
    /// }
    /// assert_eq!(board.outcome(&keys), Some(Outcome::Checkmate { winner: Color::Black }));
    /// # Ok::<(), chess::notation::uci::UciMoveError>(())
    /// ```
    pub fn outcome(&self, earlier: &[u64]) -> Option<Outcome> {
        if !self.has_legal_move() {
            let winner = !self.side_to_move();
            let mated = self.in_check();
            return Some(if mated { Outcome::Checkmate { winner } } else { Outcome::Stalemate });
        }
        if self.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.is_fifty_move_draw() {
            Some(Outcome::FiftyMoves)
        } else {
            (repetition::occurrences(earlier, self) >= 2).then_some(Outcome::Threefold)
        }
    }

    /// Have there been fifty moves of each side without a capture or a pawn's move? Not if the last
    /// of them gave mate.
    #[inline]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock() >= 100 && (!self.in_check() || self.has_legal_move())
    }
}
