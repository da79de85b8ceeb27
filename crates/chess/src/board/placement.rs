//! Which piece stands where: the one door through which bitboards, mailbox and keys change.

use super::zobrist;
use crate::{Bitboard, Color, Piece, Square};

/// Hash keys of a position and of parts of it, kept up to date by every change.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Keys {
    /// The whole position: pieces, side to move, castling rights, en passant.
    pub position: u64,
    /// Pawns of both sides.
    pub pawn: u64,
    /// Pieces other than pawns, by color.
    pub non_pawn: [u64; 2],
    /// Knights, bishops and kings of both sides.
    pub minor: u64,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Placement {
    pieces: [Bitboard; 6],
    colors: [Bitboard; 2],
    mailbox: [Option<Piece>; 64],
    keys: Keys,
}

impl Placement {
    pub(super) const EMPTY: Self = Self {
        pieces: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
        mailbox: [None; 64],
        keys: Keys { position: 0, pawn: 0, non_pawn: [0; 2], minor: 0 },
    };

    #[inline(always)]
    pub(super) fn kind(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index()]
    }

    #[inline(always)]
    pub(super) fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub(super) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    #[inline(always)]
    pub(super) fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Folds something that is not a piece (side, castling, en passant) into the position's key.
    #[inline(always)]
    pub(super) fn fold(&mut self, key: u64) {
        self.keys.position ^= key;
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, piece: Piece, squares: Bitboard, key: u64) {
        self.pieces[piece.index()] ^= squares;
        self.colors[color.index()] ^= squares;
        self.keys.position ^= key;
        match piece {
            Piece::Pawn => self.keys.pawn ^= key,
            _ => {
                self.keys.non_pawn[color.index()] ^= key;
                if matches!(piece, Piece::Knight | Piece::Bishop | Piece::King) {
                    self.keys.minor ^= key;
                }
            }
        }
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn add(&mut self, color: Color, piece: Piece, square: Square) {
        debug_assert!(self.mailbox[square.index()].is_none());
        self.mailbox[square.index()] = Some(piece);
        self.toggle(color, piece, square.bitboard(), zobrist::piece(color, piece, square));
    }

    /// Takes a piece off its square.
    #[inline(always)]
    pub(super) fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        debug_assert_eq!(self.mailbox[square.index()], Some(piece));
        self.mailbox[square.index()] = None;
        self.toggle(color, piece, square.bitboard(), zobrist::piece(color, piece, square));
    }

    /// Moves a piece to an empty square.
    #[inline(always)]
    pub(super) fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        debug_assert_eq!(self.mailbox[from.index()], Some(piece));
        debug_assert!(self.mailbox[to.index()].is_none());
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
        let key = zobrist::piece(color, piece, from) ^ zobrist::piece(color, piece, to);
        self.toggle(color, piece, from.bitboard() | to.bitboard(), key);
    }
}
