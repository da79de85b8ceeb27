//! Which positions are worth training on.
//!
//! A static evaluation is asked about quiet positions only: in check or before a capture the search
//! looks on by itself, so labels there teach the wrong thing.

use std::fmt;

use crate::Position;

/// What a position must be like to be kept.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Filter {
    /// Drop positions in check.
    pub in_check: bool,
    /// Drop positions where the move played captures or promotes.
    pub noisy: bool,
    /// Drop positions whose move number is below this: openings repeat.
    pub min_ply: usize,
    /// Drop scores beyond this, mates and tablebase wins among them.
    pub max_score: i16,
    /// Drop positions with fewer pieces, kings included: tablebases know them.
    pub min_pieces: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self { in_check: true, noisy: true, min_ply: 0, max_score: 10_000, min_pieces: 4 }
    }
}

/// Why a position was dropped.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Reject {
    /// The side to move is in check.
    InCheck,
    /// The move captures or promotes.
    Noisy,
    /// Too early in the game.
    Early,
    /// The score is a mate, or too large.
    Score,
    /// Too few pieces.
    FewPieces,
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InCheck => "in check",
            Self::Noisy => "capture or promotion",
            Self::Early => "opening",
            Self::Score => "decided",
            Self::FewPieces => "few pieces",
        })
    }
}

impl Filter {
    /// Keeps everything.
    pub const NONE: Self =
        Self { in_check: false, noisy: false, min_ply: 0, max_score: i16::MAX, min_pieces: 0 };

    /// Why the position is to be dropped; none if it is to be kept.
    pub fn reject(&self, position: &Position) -> Option<Reject> {
        let board = &position.board;
        let early = || {
            let moves = usize::from(board.fullmove_number().saturating_sub(1));
            2 * moves + board.side_to_move().index() < self.min_ply
        };
        if position.score.unsigned_abs() > self.max_score.unsigned_abs() {
            Some(Reject::Score)
        } else if early() {
            Some(Reject::Early)
        } else if board.occupied().count() < self.min_pieces {
            Some(Reject::FewPieces)
        } else if self.in_check && board.in_check() {
            Some(Reject::InCheck)
        } else if self.noisy && position.is_noisy() {
            Some(Reject::Noisy)
        } else {
            None
        }
    }
}
