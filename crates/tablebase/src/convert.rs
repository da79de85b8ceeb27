//! Our board as the library's position: bitboards are handed over, no text in between.

use std::num::NonZeroU32;

use chess::{Board, Color, Piece};
use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square,
};

/// The library's form of a position without castling rights; none if it has some, or if the
/// library thinks the position impossible.
pub(crate) fn position(board: &Board) -> Option<Chess> {
    if !board.castling().is_empty() {
        return None;
    }
    let kind = |piece| Bitboard(board.kind(piece).0);
    let by_role = ByRole {
        pawn: kind(Piece::Pawn),
        knight: kind(Piece::Knight),
        bishop: kind(Piece::Bishop),
        rook: kind(Piece::Rook),
        queen: kind(Piece::Queen),
        king: kind(Piece::King),
    };
    let by_color = ByColor {
        white: Bitboard(board.color(Color::White).0),
        black: Bitboard(board.color(Color::Black).0),
    };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?;
    setup.turn = match board.side_to_move() {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    };
    setup.ep_square = board.en_passant().map(|square| Square::new(square.index() as u32));
    setup.halfmoves = u32::from(board.halfmove_clock());
    setup.fullmoves =
        NonZeroU32::new(u32::from(board.fullmove_number())).unwrap_or(NonZeroU32::MIN);
    // Positions no game can reach are still in the tables, and a user may set one up.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}
