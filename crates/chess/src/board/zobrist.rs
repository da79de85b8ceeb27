//! Random numbers that name a position, made by the compiler from one seed.

use crate::{Color, File, Piece, Rng, Square};

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [[u64; 8]; 2],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const fn build() -> Keys {
    let mut keys = Keys {
        pieces: [[[0; 64]; 6]; 2],
        castling: [[0; 8]; 2],
        en_passant: [0; 8],
        black_to_move: 0,
    };
    let mut rng = Rng::new(0x0b71_e4b7_1e4b_71e4);
    let mut color = 0;
    while color < 2 {
        let mut piece = 0;
        while piece < 6 {
            let mut square = 0;
            while square < 64 {
                keys.pieces[color][piece][square] = rng.next_u64();
                square += 1;
            }
            piece += 1;
        }
        let mut file = 0;
        while file < 8 {
            keys.castling[color][file] = rng.next_u64();
            file += 1;
        }
        color += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.en_passant[file] = rng.next_u64();
        file += 1;
    }
    keys.black_to_move = rng.next_u64();
    keys
}

static KEYS: Keys = build();

/// Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = build().black_to_move;

/// A piece on a square.
#[inline(always)]
pub(crate) fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    KEYS.pieces[color.index()][piece.index()][square.index()]
}

/// `color` may castle with the rook on this file.
#[inline(always)]
pub(crate) fn castling(color: Color, rook: File) -> u64 {
    KEYS.castling[color.index()][rook.index()]
}

/// A legal capture en passant exists on this file.
#[inline(always)]
pub(crate) fn en_passant(file: File) -> u64 {
    KEYS.en_passant[file.index()]
}

/// The same numbers for tables that are themselves built by the compiler.
pub(crate) const fn piece_const(color: usize, piece: usize, square: usize) -> u64 {
    const TABLE: [[[u64; 64]; 6]; 2] = build().pieces;
    TABLE[color][piece][square]
}
