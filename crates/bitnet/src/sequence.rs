//! From a board to tokens: the position first, then the moves played since.
//!
//! A sequence begins with what stands on the board, from a1 to h8 as the side to move sees it, and
//! [`tokens::GO`]; then comes one token for each move. All of it is seen by the side that is to
//! move in that first position.

use chess::{Board, Color, Move, Piece, Square};

use crate::tokens::{self, Occupant, Token, Underpromotion};

/// Appends the tokens of a position.
pub fn push_position(board: &Board, out: &mut Vec<Token>) {
    let us = board.side_to_move();
    // The pawn that may be taken stands before the square it skipped, seen from its own side.
    let en_passant = board.en_passant().map(|square| square.forward(!us));
    let mut castling = [None; 4];
    for (slot, (color, wing, _)) in castling.iter_mut().zip(board.castling().iter()) {
        *slot = board.castling().rook_square(color, wing);
    }
    for view in Square::all() {
        let square = view.relative_to(us);
        let (Some(piece), Some(color)) = (board.piece_at(square), board.color_at(square)) else {
            continue;
        };
        let may_castle = piece == Piece::Rook && castling.contains(&Some(square));
        let may_be_taken = en_passant == Some(square);
        let occupant = occupant(piece, color == us, may_castle, may_be_taken);
        out.push(tokens::occupant_token(occupant, view.index() as u8));
    }
    out.push(tokens::GO);
}

/// The token of a move in a sequence that `us` began.
pub fn move_token(mv: Move, us: Color) -> Token {
    let underpromotion = match mv.promoted() {
        Some(Piece::Knight) => Some(Underpromotion::Knight),
        Some(Piece::Bishop) => Some(Underpromotion::Bishop),
        Some(Piece::Rook) => Some(Underpromotion::Rook),
        _ => None,
    };
    let view = |square: Square| square.relative_to(us).index() as u8;
    tokens::move_token(view(mv.from()), view(mv.to()), underpromotion)
}

fn occupant(piece: Piece, ours: bool, may_castle: bool, may_be_taken: bool) -> Occupant {
    let [our, their] = match piece {
        Piece::Pawn if may_be_taken => [Occupant::OurPawn, Occupant::TheirEnPassantPawn],
        Piece::Pawn => [Occupant::OurPawn, Occupant::TheirPawn],
        Piece::Knight => [Occupant::OurKnight, Occupant::TheirKnight],
        Piece::Bishop => [Occupant::OurBishop, Occupant::TheirBishop],
        Piece::Rook if may_castle => [Occupant::OurCastlingRook, Occupant::TheirCastlingRook],
        Piece::Rook => [Occupant::OurRook, Occupant::TheirRook],
        Piece::Queen => [Occupant::OurQueen, Occupant::TheirQueen],
        Piece::King => [Occupant::OurKing, Occupant::TheirKing],
    };
    if ours { our } else { their }
}
