//! A position as somebody describes it, legal or not.

use crate::{CastlingRights, Color, Piece, Square};

/// Pieces and state without any promise; [`crate::Board::from_setup`] checks it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Setup {
    /// What stands on each square, a1 first.
    pub squares: [Option<(Color, Piece)>; 64],
    /// The side to move.
    pub side: Color,
    /// Who may castle with which rook.
    pub castling: CastlingRights,
    /// The square a pawn has just passed over.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, from 1.
    pub fullmove_number: u16,
}

const BACK_RANK: [Piece; 8] = [
    Piece::Rook,
    Piece::Knight,
    Piece::Bishop,
    Piece::Queen,
    Piece::King,
    Piece::Bishop,
    Piece::Knight,
    Piece::Rook,
];

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Self = Self {
        squares: [None; 64],
        side: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The normal start.
    pub const START: Self = {
        let mut setup = Self::EMPTY;
        setup.castling = CastlingRights::STANDARD;
        let mut file = 0;
        while file < 8 {
            setup.squares[file] = Some((Color::White, BACK_RANK[file]));
            setup.squares[8 + file] = Some((Color::White, Piece::Pawn));
            setup.squares[48 + file] = Some((Color::Black, Piece::Pawn));
            setup.squares[56 + file] = Some((Color::Black, BACK_RANK[file]));
            file += 1;
        }
        setup
    };

    /// What stands on a square.
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        self.squares[square.index()]
    }
}
