//! Opening, middlegame, endgame: a rough division by the pieces on the board.

use chess::{Board, Piece};
use serde::Serialize;

/// A part of a game.
#[derive(Copy, Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Up to move 12, while nearly all pieces are there.
    Opening,
    /// Neither of the others.
    Middlegame,
    /// At most six pieces beside kings and pawns.
    Endgame,
}

impl Phase {
    /// In the order of a game.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The phase of a position.
    pub fn of(board: &Board) -> Self {
        let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let pieces: u32 = kinds.iter().map(|&kind| board.kind(kind).count()).sum();
        match pieces {
            0..=6 => Self::Endgame,
            11.. if board.fullmove_number() <= 12 => Self::Opening,
            _ => Self::Middlegame,
        }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_moves_decide() {
        let of = |fen: &str| Phase::of(&fen.parse().unwrap());
        assert_eq!(Phase::of(&Board::default()), Phase::Opening);
        let late = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 20";
        assert_eq!(of(late), Phase::Middlegame);
        assert_eq!(of("4k3/8/8/8/8/8/8/4K2R w K - 0 7"), Phase::Endgame);
    }
}
