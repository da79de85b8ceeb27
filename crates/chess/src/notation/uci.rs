//! Moves as UCI writes them: `e2e4`, `e7e8q`, castling as `e1g1` or, in Chess960, `e1h1`.

use core::fmt;

use super::Excerpt;
use crate::{Board, Move, Square};

/// How castling is written.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub enum CastlingForm {
    /// The king's two squares, `e1g1`.
    #[default]
    Standard,
    /// King takes rook, `e1h1`: the option `UCI_Chess960`.
    Chess960,
}

/// A move ready to be written; see [`Move::uci`].
#[derive(Copy, Clone, Debug)]
pub struct UciMove(Move, CastlingForm);

impl Move {
    /// The move in UCI's notation.
    pub fn uci(self, form: CastlingForm) -> UciMove {
        UciMove(self, form)
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(mv, form) = *self;
        if form == CastlingForm::Standard && mv.is_castling() {
            return write!(f, "{}{}", mv.from(), mv.arrival());
        }
        write!(f, "{mv}")
    }
}

/// Why a text is not a legal move here.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum UciMoveError {
    /// The text does not have the shape of a move.
    Syntax(Excerpt),
    /// It has the shape, but no legal move of the position.
    Illegal(Excerpt),
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(got) => write!(f, "expected a move like e2e4 or e7e8q, got {got}"),
            Self::Illegal(got) => write!(f, "expected a legal move of the position, got {got}"),
        }
    }
}

impl core::error::Error for UciMoveError {}

impl Board {
    /// Reads a move in either castling form and checks that it is legal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let syntax = || UciMoveError::Syntax(Excerpt::new(text));
        let square = |range| text.get(range).and_then(|name: &str| name.parse().ok());
        let from: Square = square(0..2).ok_or_else(syntax)?;
        let to: Square = square(2..4).ok_or_else(syntax)?;
        let promotion = match text.get(4..) {
            None | Some("") => None,
            Some("n" | "b" | "r" | "q") => text.chars().last().and_then(crate::Piece::from_letter),
            Some(_) => return Err(syntax()),
        };
        let moves = self.legal_moves();
        let fits = |mv: &Move| mv.from() == from && mv.to() == to && mv.promoted() == promotion;
        let castles = |mv: &Move| mv.is_castling() && mv.from() == from && mv.arrival() == to;
        // A king's plain step comes before castling to the same square, as in Chess960.
        let plain = moves.iter().find(|mv| fits(mv));
        let castling = moves.iter().find(|mv| castles(mv) && promotion.is_none());
        plain.or(castling).copied().ok_or(UciMoveError::Illegal(Excerpt::new(text)))
    }
}
