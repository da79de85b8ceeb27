//! A position in 32 bytes, as viriformat (and marlinformat before it) starts its games.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0-7   | occupied squares, a1 is bit 0 |
//! | 8-23  | four bits for each piece in that order, the low half first: kind, +8 if black; kind 6 is a rook that may castle |
//! | 24    | en passant square or 64, +128 if Black moves |
//! | 25    | half-move clock |
//! | 26-27 | move number |
//! | 28-29 | score; unused in games |
//! | 30    | result: 0 Black won, 1 draw, 2 White won |
//! | 31    | free; Brier keeps [`crate::Game::family`] here |

use chess::{Bitboard, Board, Color, Piece, Rank, Setup, Square, Wing};

use crate::{DataError, Outcome};

/// How many bytes a packed board takes.
pub(crate) const SIZE: usize = 32;

const CASTLING_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;
const BLACK: u8 = 8;
const BLACK_MOVES: u8 = 128;

/// Writes a position, the result and the free byte.
pub(crate) fn pack(board: &Board, outcome: Outcome, extra: u8) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().into_iter().enumerate() {
        let Some((color, piece)) = board.color_at(square).zip(board.piece_at(square)) else {
            continue;
        };
        let castles = piece == Piece::Rook
            && Wing::ALL.iter().any(|&w| board.castling().rook_square(color, w) == Some(square));
        let kind = if castles { CASTLING_ROOK } else { piece.index() as u8 };
        let code = if color == Color::Black { kind | BLACK } else { kind };
        bytes[8 + index / 2] |= code << (4 * (index % 2));
    }
    let en_passant = board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    let side = if board.side_to_move() == Color::Black { BLACK_MOVES } else { 0 };
    bytes[24] = en_passant | side;
    bytes[25] = board.halfmove_clock().min(255) as u8;
    bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    bytes[30] = outcome as u8;
    bytes[31] = extra;
    bytes
}

/// Reads a position, the result and the free byte.
pub(crate) fn unpack(bytes: &[u8; SIZE]) -> Result<(Board, Outcome, u8), DataError> {
    let [o0, o1, o2, o3, o4, o5, o6, o7, ..] = *bytes;
    let occupied = Bitboard(u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]));
    if occupied.count() > 32 {
        return Err(DataError::TooManyPieces(occupied.count()));
    }
    let mut setup = Setup { side: Color::White, ..Setup::EMPTY };
    let mut seen_king = [false; 2];
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code & BLACK == 0 { Color::White } else { Color::Black };
        let piece = match code & 7 {
            CASTLING_ROOK => {
                if square.rank() != Rank::First.relative_to(color) {
                    return Err(DataError::CastlingRook);
                }
                // Squares come in order of files, so a rook after its king is on the king's side.
                let wing = if seen_king[color.index()] { Wing::King } else { Wing::Queen };
                setup.castling.set(color, wing, Some(square.file()));
                Piece::Rook
            }
            kind => *Piece::ALL.get(usize::from(kind)).ok_or(DataError::PieceCode { code })?,
        };
        seen_king[color.index()] |= piece == Piece::King;
        setup.squares[square.index()] = Some((color, piece));
    }
    if bytes[24] & BLACK_MOVES != 0 {
        setup.side = Color::Black;
    }
    let en_passant = bytes[24] & !BLACK_MOVES;
    setup.en_passant =
        (en_passant < NO_SQUARE).then(|| Square::from_index(usize::from(en_passant)));
    setup.halfmove_clock = u16::from(bytes[25]);
    // Some programs start counting at 0; the number matters to nobody.
    setup.fullmove_number = u16::from_le_bytes([bytes[26], bytes[27]]).max(1);
    let outcome = match bytes[30] {
        0 => Outcome::BlackWins,
        1 => Outcome::Draw,
        2 => Outcome::WhiteWins,
        other => return Err(DataError::Outcome(other)),
    };
    let board = Board::from_setup(&setup).map_err(DataError::Position)?;
    Ok((board, outcome, bytes[31]))
}
