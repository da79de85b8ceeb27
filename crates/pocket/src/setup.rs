//! A position as somebody describes it, which may be nonsense, and the check that lets only
//! possible positions onto a [`Board`].

use crate::board::Board;
use crate::geometry::forward;
use crate::types::{
    BISHOP, BLACK, EMPTY, KING, KNIGHT, NO_SQUARE, PAWN, Piece, QUEEN, ROOK, Side, Square, WHITE,
    kind, on_board, piece, side_of,
};

/// A description of a position: anything goes until [`Board::set`] looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pieces, from a8 along each row to h1.
    pub squares: [Piece; 64],
    /// Who is to move.
    pub side: Side,
    /// Castling rights: 1 White short, 2 White long, 4 Black short, 8 Black long.
    pub castling: u8,
    /// The square that a pawn has just stepped over, or [`NO_SQUARE`].
    pub en_passant: Square,
    /// Half-moves since the last capture or pawn move.
    pub halfmove: u8,
    /// The number of the move.
    pub fullmove: u16,
}

/// Why a description is no position that a game can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum SetupError {
    /// A square holds something that is not a piece.
    NotAPiece = 1,
    /// A side does not have exactly one king.
    Kings = 2,
    /// A pawn stands on a first or last row.
    PawnRow = 3,
    /// A side has more pieces than sixteen, or more promoted ones than pawns are missing.
    TooMany = 4,
    /// The side to move is neither White nor Black.
    Side = 5,
    /// A castling right without king and rook at home, or an unknown bit.
    Castling = 6,
    /// The en-passant square is not behind a pawn that can just have moved two squares.
    EnPassant = 7,
    /// The side that is not to move is in check.
    Exposed = 8,
}

impl Setup {
    /// The start of a game.
    pub const START: Setup = {
        const BACK: [Piece; 8] = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK];
        let mut squares = [EMPTY; 64];
        let mut column = 0;
        while column < 8 {
            squares[column] = piece(BACK[column], BLACK);
            squares[8 + column] = piece(PAWN, BLACK);
            squares[48 + column] = piece(PAWN, WHITE);
            squares[56 + column] = piece(BACK[column], WHITE);
            column += 1;
        }
        Setup {
            squares,
            side: WHITE,
            castling: 15,
            en_passant: NO_SQUARE,
            halfmove: 0,
            fullmove: 1,
        }
    };

    /// The piece on a square of the description.
    fn at(&self, square: Square) -> Piece {
        self.squares[crate::types::dense(square) as usize & 63]
    }

    /// Counts kings, pawns and promoted pieces of one side.
    fn check_side(&self, side: Side) -> Result<(), SetupError> {
        let mut counts = [0u8; 8];
        for (i, &p) in self.squares.iter().enumerate() {
            if p == EMPTY || side_of(p) != side {
                continue;
            }
            counts[kind(p) as usize] += 1;
            if kind(p) == PAWN && !(8..56).contains(&i) {
                return Err(SetupError::PawnRow);
            }
        }
        if counts[KING as usize] != 1 {
            return Err(SetupError::Kings);
        }
        let extra = |kind: Piece, first: u8| counts[kind as usize].saturating_sub(first);
        let promoted = extra(KNIGHT, 2) + extra(BISHOP, 2) + extra(ROOK, 2) + extra(QUEEN, 1);
        if promoted + counts[PAWN as usize] > 8 {
            return Err(SetupError::TooMany);
        }
        Ok(())
    }

    fn check_castling(&self) -> Result<(), SetupError> {
        let home = |right: u8, king: Square, rook: Square, side: Side| {
            self.castling & right == 0
                || (self.at(king) == piece(KING, side) && self.at(rook) == piece(ROOK, side))
        };
        let good = self.castling <= 15
            && home(1, 0x74, 0x77, WHITE)
            && home(2, 0x74, 0x70, WHITE)
            && home(4, 0x04, 0x07, BLACK)
            && home(8, 0x04, 0x00, BLACK);
        if good { Ok(()) } else { Err(SetupError::Castling) }
    }

    fn check_en_passant(&self) -> Result<(), SetupError> {
        let over = self.en_passant;
        if over == NO_SQUARE {
            return Ok(());
        }
        let row = if self.side == WHITE { 0x20 } else { 0x50 };
        if !on_board(over) || over & 0x70 != row {
            return Err(SetupError::EnPassant);
        }
        let (came, went) = (over.wrapping_add(forward(self.side)), over ^ 0x10);
        let possible = self.at(over) == EMPTY
            && self.at(came) == EMPTY
            && self.at(went) == piece(PAWN, self.side ^ 1);
        if possible { Ok(()) } else { Err(SetupError::EnPassant) }
    }

    fn check(&self) -> Result<(), SetupError> {
        if self.side > BLACK {
            return Err(SetupError::Side);
        }
        for &p in &self.squares {
            if p != EMPTY && (p > 15 || kind(p) == 0 || kind(p) > KING) {
                return Err(SetupError::NotAPiece);
            }
        }
        self.check_side(WHITE)?;
        self.check_side(BLACK)?;
        self.check_castling()?;
        self.check_en_passant()
    }
}

impl Board {
    /// Takes over a description, or says why it is impossible and keeps the old position.
    ///
    /// An en-passant square that no pawn can legally use is dropped, as after a move.
    pub fn set(&mut self, setup: &Setup) -> Result<(), SetupError> {
        setup.check()?;
        // The new position is made in place, not beside the old one: where there is only one board,
        // the compiler knows its address, and all code that reads it gets shorter.
        let old = self.clone();
        self.fill(setup);
        if self.is_attacked(self.king(setup.side ^ 1), setup.side) {
            *self = old;
            return Err(SetupError::Exposed);
        }
        Ok(())
    }

    fn fill(&mut self, setup: &Setup) {
        self.clear();
        // Kings first: the lists begin with them.
        let mut i = 0u8;
        while i < 128 {
            let (square, kings) = (i & 63, i < 64);
            let p = setup.squares[square as usize];
            if p != EMPTY && (kind(p) == KING) == kings {
                self.add(p, (square & 0x38) << 1 | square & 7);
            }
            i += 1;
        }
        self.set_state(setup.side, setup.castling, setup.halfmove, setup.fullmove);
        if setup.en_passant != NO_SQUARE {
            self.offer_en_passant(setup.en_passant);
        }
    }

    /// The position as a description.
    pub fn describe(&self) -> Setup {
        let mut setup = Setup {
            squares: [EMPTY; 64],
            side: self.side(),
            castling: self.castling(),
            en_passant: self.en_passant(),
            halfmove: self.halfmove(),
            fullmove: self.fullmove(),
        };
        for i in 0..64u8 {
            setup.squares[i as usize] = self.at((i & 0x38) << 1 | i & 7);
        }
        setup
    }
}
