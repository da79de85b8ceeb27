//! One position for the trainer: 32 bytes, seen from the side to move.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0-7   | occupied squares; ranks are flipped if Black is to move, so that "we" always play up |
//! | 8-23  | four bits for each piece in that order, the low half first: kind, +8 if the opponent's |
//! | 24-25 | score in centipawns for the side to move |
//! | 26-27 | nothing: zeros are written, and anything is read |
//! | 28    | the game's result for the side to move: 0 lost, 1 drawn, 2 won |
//! | 29    | half-move clock |
//! | 30    | plies since the game's first position, at most 255 |
//! | 31    | [`RecordFlags`] |
//!
//! All numbers are little-endian. The first 24 bytes alone say which position it is.

use chess::{Bitboard, Color, Piece, Square};

use crate::{Position, hash};

/// A training position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Record([u8; Self::SIZE]);

/// What else is known about a position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct RecordFlags(u8);

impl RecordFlags {
    const IN_CHECK: u8 = 1;
    const NOISY: u8 = 2;
    const STATIC: u8 = 4;

    /// The side to move is in check.
    pub const fn in_check(self) -> bool {
        self.0 & Self::IN_CHECK != 0
    }

    /// The move that was played captures or promotes.
    pub const fn noisy(self) -> bool {
        self.0 & Self::NOISY != 0
    }

    /// The score is a static evaluation's, not a search's, and the result means nothing: a teacher
    /// put it there later.
    pub const fn static_score(self) -> bool {
        self.0 & Self::STATIC != 0
    }
}

/// Added to a piece's kind if it is the opponent's.
const THEIRS: u8 = 8;

impl Record {
    /// How many bytes a record takes.
    pub const SIZE: usize = 32;
    /// How many of them say which position it is.
    const BOARD: usize = 24;

    /// The record of a position.
    pub fn new(position: &Position) -> Self {
        let board = &position.board;
        let us = board.side_to_move();
        let for_us = |score: i16| if us == Color::White { score } else { -score.max(-i16::MAX) };
        let occupied = match us {
            Color::White => board.occupied(),
            Color::Black => board.occupied().flip_ranks(),
        };
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        for (index, seen) in occupied.into_iter().enumerate() {
            let square = seen.relative_to(us);
            let Some((color, piece)) = board.color_at(square).zip(board.piece_at(square)) else {
                continue;
            };
            let owner = if color == us { 0 } else { THEIRS };
            bytes[8 + index / 2] |= (piece.index() as u8 | owner) << (4 * (index % 2));
        }
        bytes[24..26].copy_from_slice(&for_us(position.score).to_le_bytes());
        bytes[28] = position.outcome.points(us);
        bytes[29] = board.halfmove_clock().min(255) as u8;
        bytes[30] = position.ply.min(255) as u8;
        bytes[31] = if board.in_check() { RecordFlags::IN_CHECK } else { 0 }
            | if position.is_noisy() { RecordFlags::NOISY } else { 0 };
        Self(bytes)
    }

    /// A record as it lies in a file. Any bytes will do: what makes no sense is read as something
    /// harmless, never as a panic.
    pub const fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        Self(bytes)
    }

    /// The bytes as they lie in a file.
    pub const fn as_bytes(&self) -> &[u8; Self::SIZE] {
        &self.0
    }

    /// Occupied squares, seen from the side to move.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        let [o0, o1, o2, o3, o4, o5, o6, o7, ..] = self.0;
        Bitboard(u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]))
    }

    /// Every piece as (square, kind, whose), where `Color::White` stands for the side to move and
    /// squares are seen from its side.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece, Color)> + '_ {
        self.occupied().into_iter().take(32).enumerate().map(|(index, square)| {
            let code = self.0[8 + index / 2] >> (4 * (index % 2)) & 15;
            let piece = Piece::ALL[usize::from(code & 7).min(5)];
            (square, piece, if code & THEIRS == 0 { Color::White } else { Color::Black })
        })
    }

    /// Centipawns for the side to move.
    #[inline]
    pub const fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[24], self.0[25]])
    }

    /// The game's result for the side to move: 0 lost, 1 drawn, 2 won.
    #[inline]
    pub const fn result(&self) -> u8 {
        self.0[28]
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub const fn halfmove_clock(&self) -> u8 {
        self.0[29]
    }

    /// Plies since the game's first position, at most 255.
    #[inline]
    pub const fn ply(&self) -> u8 {
        self.0[30]
    }

    /// What else is known.
    #[inline]
    pub const fn flags(&self) -> RecordFlags {
        RecordFlags(self.0[31])
    }

    /// The same for the same position, whatever its score.
    pub(crate) fn position_hash(&self, seed: u64) -> u64 {
        hash::bytes(seed, &self.0[..Self::BOARD])
    }

    /// Is it the same position, as far as pieces and side to move go?
    pub(crate) fn same_position(&self, other: &Self) -> bool {
        self.0[..Self::BOARD] == other.0[..Self::BOARD]
    }
}
