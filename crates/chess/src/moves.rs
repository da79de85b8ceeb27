//! A move in sixteen bits.
//!
//! | bits  | meaning                                                    |
//! |-------|------------------------------------------------------------|
//! | 0-5   | from                                                       |
//! | 6-11  | to (for castling: the castling rook's square)              |
//! | 12    | always 1, so that `Option<Move>` needs no more room        |
//! | 13-15 | 0 normal, 1 en passant, 2 castling, 4-7 promotion to N B R Q |
//!
//! A move says nothing of captures: that is the board's knowledge.

use core::fmt;
use core::num::NonZeroU16;

use crate::{Piece, Square, Wing};

/// A move, meaningful together with the board it is for.
///
/// `Display` writes castling as "king takes rook"; see [`crate::notation::uci`] for the usual form.
#[derive(Copy, Clone, Eq, PartialEq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// What is special about a move.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum MoveKind {
    /// A plain move or capture.
    Normal,
    /// A pawn takes a pawn that has just passed it.
    EnPassant,
    /// The king castles with the rook on the target square.
    Castling,
    /// A pawn reaches the last rank and becomes this piece.
    Promotion(Piece),
}

const MARK: NonZeroU16 = NonZeroU16::new(1 << 12).expect("a set bit");

impl Move {
    const EN_PASSANT: u16 = 1 << 13;
    const CASTLING: u16 = 2 << 13;
    const PROMOTION: u16 = 4 << 13;

    #[inline(always)]
    fn with_flags(from: Square, to: Square, flags: u16) -> Self {
        Self(MARK | (from.index() as u16 | (to.index() as u16) << 6 | flags))
    }

    /// A plain move.
    #[inline(always)]
    pub fn normal(from: Square, to: Square) -> Self {
        Self::with_flags(from, to, 0)
    }

    /// A capture en passant; `to` is the empty square behind the captured pawn.
    #[inline(always)]
    pub fn en_passant(from: Square, to: Square) -> Self {
        Self::with_flags(from, to, Self::EN_PASSANT)
    }

    /// Castling, as the king's square and the rook's square.
    #[inline(always)]
    pub fn castling(king: Square, rook: Square) -> Self {
        Self::with_flags(king, rook, Self::CASTLING)
    }

    /// A promotion; `piece` is a knight, bishop, rook or queen (anything else counts as queen).
    #[inline(always)]
    pub fn promotion(from: Square, to: Square, piece: Piece) -> Self {
        let code = match piece {
            Piece::Knight => 0,
            Piece::Bishop => 1,
            Piece::Rook => 2,
            _ => 3,
        };
        Self::with_flags(from, to, Self::PROMOTION | code << 13)
    }

    /// The sixteen bits, for tables and files.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits, unless they mean none. Only the board can say if it is legal.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits & MARK.get() == 0 || bits >> 13 == 3 {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// Where the move starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// Where it ends; for castling the rook's square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() >> 6) as usize)
    }

    /// Where the piece that moves comes to stand; for castling the king's new square.
    pub fn arrival(self) -> Square {
        if !self.is_castling() {
            return self.to();
        }
        let wing = if self.to() > self.from() { Wing::King } else { Wing::Queen };
        Square::new(wing.king_file(), self.from().rank())
    }

    /// What is special about it.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 13 {
            0 => MoveKind::Normal,
            1 => MoveKind::EnPassant,
            4 => MoveKind::Promotion(Piece::Knight),
            5 => MoveKind::Promotion(Piece::Bishop),
            6 => MoveKind::Promotion(Piece::Rook),
            7 => MoveKind::Promotion(Piece::Queen),
            _ => MoveKind::Castling,
        }
    }

    /// What the pawn becomes, if this is a promotion.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Piece> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }

    /// Is it castling?
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> 13 == 2
    }

    /// Is it a capture en passant?
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 13 == 1
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promoted() {
            Some(piece) => write!(f, "{}", piece.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
