//! The key of a position in the Polyglot format.
//!
//! The key is an exclusive-or of random numbers for each piece on its square, each castling right,
//! the file of a pawn that has just moved two squares, and White's turn. The pawn's file counts if
//! an enemy pawn stands beside it, even when pins forbid the capture. Our boards forget a double
//! step that cannot be answered legally, so the game's last move has to be given where keys are
//! written ([`key_after`]); where they are looked up, [`twin_keys`] finds both.

use chess::attacks::pawn_attacks;
use chess::{Bitboard, Board, Color, File, Move, Piece, Square, Wing};

use crate::random::RANDOM;

/// Where each group of numbers begins.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key of a position of which only the board is known.
pub fn key(board: &Board) -> u64 {
    with_passed_square(board, board.en_passant())
}

/// The key of the position that a move of `before` led to.
pub fn key_after(before: &Board, mv: Move, board: &Board) -> u64 {
    let pawn_step = before.piece_at(mv.from()) == Some(Piece::Pawn)
        && mv.from().index().abs_diff(mv.to().index()) == 16;
    let passed = pawn_step.then(|| mv.from().forward(before.side_to_move()));
    with_passed_square(board, passed)
}

/// Every key under which a book may hold this position.
///
/// The second one, if any, belongs to the same position after a double step whose capture en
/// passant would be illegal: the same legal moves, another key.
pub(crate) fn twin_keys(board: &Board) -> impl Iterator<Item = u64> {
    let plain = key(board);
    let phantoms = match board.en_passant() {
        Some(_) => Bitboard::EMPTY,
        None => phantom_squares(board),
    };
    let phantom_keys =
        phantoms.into_iter().map(move |square| plain ^ RANDOM[EN_PASSANT + square.file().index()]);
    std::iter::once(plain).chain(phantom_keys)
}

/// Squares an enemy pawn may just have passed, next to a pawn of ours.
fn phantom_squares(board: &Board) -> Bitboard {
    let (us, them) = (board.side_to_move(), !board.side_to_move());
    let passed = |&square: &Square| {
        let home = square.forward(us);
        let pawn = square.forward(them);
        board.pieces(them, Piece::Pawn).contains(pawn)
            && !board.occupied().contains(square)
            && !board.occupied().contains(home)
            && has_neighbour(board, square)
    };
    let rank = chess::Rank::Sixth.relative_to(us);
    let squares = File::ALL.into_iter().map(|file| Square::new(file, rank)).filter(passed);
    squares.fold(Bitboard::EMPTY, |all, square| all | square.bitboard())
}

/// Does a pawn of the side to move stand beside the pawn that passed this square?
fn has_neighbour(board: &Board, passed: Square) -> bool {
    let us = board.side_to_move();
    (pawn_attacks(!us, passed) & board.pieces(us, Piece::Pawn)).any()
}

fn with_passed_square(board: &Board, passed: Option<Square>) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in board.pieces(color, piece) {
                key ^= RANDOM[64 * piece_index(color, piece) + square.index()];
            }
        }
        for wing in Wing::ALL {
            if board.castling().rook_file(color, wing).is_some() {
                key ^= RANDOM[CASTLING + 2 * color.index() + wing as usize];
            }
        }
    }
    if let Some(square) = passed
        && has_neighbour(board, square)
    {
        key ^= RANDOM[EN_PASSANT + square.file().index()];
    }
    if board.side_to_move() == Color::White {
        key ^= RANDOM[WHITE_TO_MOVE];
    }
    key
}

/// The format's number of a piece: pawn, knight … king, Black's before White's of each kind.
fn piece_index(color: Color, piece: Piece) -> usize {
    2 * piece.index() + usize::from(color == Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference positions of the format's description, from the start on.
    const REFERENCE: [(&str, u64); 9] = [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ];

    #[test]
    fn the_reference_positions_have_the_reference_keys() {
        for (moves, expected) in REFERENCE {
            let mut board = Board::default();
            let mut found = key(&board);
            for text in moves.split_whitespace() {
                let mv = board.parse_uci(text).expect("legal");
                let before = board.clone();
                board.make_move(mv, &mut ());
                found = key_after(&before, mv, &board);
            }
            assert_eq!(found, expected, "after {moves}");
            assert_eq!(key(&board), expected, "after {moves}, by the board alone");
        }
    }

    #[test]
    fn a_pinned_neighbour_counts_and_is_found() {
        // The pawn on d4 is pinned by the rook, so that d4xe3 is illegal; the format counts it.
        let mut board: Board = "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1".parse().expect("legal");
        let before = board.clone();
        let mv = board.parse_uci("e2e4").expect("legal");
        board.make_move(mv, &mut ());
        assert_eq!(board.en_passant(), None);
        let written = key_after(&before, mv, &board);
        assert_ne!(written, key(&board));
        assert!(twin_keys(&board).any(|key| key == written));
    }
}
