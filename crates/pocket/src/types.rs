//! Squares, pieces, sides and moves: the small integers everything else is made of.
//!
//! A square is a byte `row * 16 + column`; row 0 is Black's back rank, as a C program's
//! `board[row][col]` has it. A byte with a bit of `0x88` set is off the board, so one AND
//! tells whether a step left it. Nothing here knows a rule of chess.

/// A square: `row << 4 | column`, both 0..=7. Bits 3 and 7 are clear on the board.
pub type Square = u8;
/// A piece: its type in the low three bits, [`BLACK_BIT`] for Black's. [`EMPTY`] is none.
pub type Piece = u8;
/// A side: 0 is White, 1 is Black, so that it indexes arrays.
pub type Side = u8;

/// White, who moves towards row 0.
pub const WHITE: Side = 0;
/// Black, who moves towards row 7.
pub const BLACK: Side = 1;

/// No piece.
pub const EMPTY: Piece = 0;
/// A pawn.
pub const PAWN: Piece = 1;
/// A knight.
pub const KNIGHT: Piece = 2;
/// A bishop.
pub const BISHOP: Piece = 3;
/// A rook.
pub const ROOK: Piece = 4;
/// A queen.
pub const QUEEN: Piece = 5;
/// A king.
pub const KING: Piece = 6;
/// What stands on every off-board byte of the board: neither empty nor of any side.
pub const OFF: Piece = 0x80;
/// Set in the pieces of Black.
pub const BLACK_BIT: Piece = 8;

/// No square: an en-passant square that is not there. No step from the board leads here.
pub const NO_SQUARE: Square = 0x88;

/// The type of a piece, without its side.
#[inline(always)]
pub const fn kind(piece: Piece) -> Piece {
    piece & 7
}

/// The side of a piece that is on the board.
#[inline(always)]
pub const fn side_of(piece: Piece) -> Side {
    (piece >> 3) & 1
}

/// A piece of a type and a side.
#[inline(always)]
pub const fn piece(kind: Piece, side: Side) -> Piece {
    kind | (side << 3)
}

/// Whether a byte is one of the 64 squares.
#[inline(always)]
pub const fn on_board(square: u8) -> bool {
    square & 0x88 == 0
}

/// The square's number 0..=63 (a8 = 0, h1 = 63), for tables that have no holes.
#[inline(always)]
pub const fn dense(square: Square) -> u8 {
    ((square & 0x70) >> 1) | (square & 7)
}

/// A move in 16 bits, flags included: the byte of the origin, the byte of the destination, and
/// the four bits that no square uses.
///
/// Having no second, packed form means that the table, the killers and the move lists compare
/// moves with one instruction and unpack none.
///
/// | bit | meaning |
/// |---|---|
/// | 0-2, 4-6 | origin |
/// | 8-10, 12-14 | destination |
/// | 3, 7 | with bit 15 clear: normal, double step, castling, en passant; with it set: N, B, R, Q |
/// | 11 | captures |
/// | 15 | promotes |
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct Move(pub u16);

/// The flag bits of a move that are not its squares; see [`Move`].
pub mod flag {
    /// The move takes something.
    pub const CAPTURE: u16 = 1 << 11;
    /// A pawn's first move of two squares.
    pub const DOUBLE: u16 = 1 << 3;
    /// The king's half of castling.
    pub const CASTLE: u16 = 1 << 7;
    /// A pawn takes a pawn that just passed it (always with [`CAPTURE`]).
    pub const EN_PASSANT: u16 = 1 << 3 | 1 << 7;
    /// The pawn becomes another piece.
    pub const PROMOTION: u16 = 1 << 15;
    /// The two bits that tell which special move or which promotion.
    pub const SPECIAL: u16 = 1 << 3 | 1 << 7;
}

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);

    /// A move from its squares and [`flag`] bits.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, flags: u16) -> Move {
        Move(from as u16 | (to as u16) << 8 | flags)
    }

    /// The flags of a promotion to `kind` (knight to queen), without [`flag::CAPTURE`].
    #[inline(always)]
    pub const fn promotion_flags(kind: Piece) -> u16 {
        let code = (kind.wrapping_sub(KNIGHT)) as u16 & 3;
        flag::PROMOTION | (code & 1) << 3 | (code >> 1) << 7
    }

    /// Where the piece comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        self.0 as u8 & 0x77
    }

    /// Where the piece goes.
    #[inline(always)]
    pub const fn to(self) -> Square {
        (self.0 >> 8) as u8 & 0x77
    }

    /// Whether something is taken.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.0 & flag::CAPTURE != 0
    }

    /// Whether a pawn promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 & flag::PROMOTION != 0
    }

    /// Whether the move changes the material: a capture or a promotion.
    #[inline(always)]
    pub const fn is_tactical(self) -> bool {
        self.0 & (flag::CAPTURE | flag::PROMOTION) != 0
    }

    #[inline(always)]
    const fn special(self) -> u16 {
        self.0 & (flag::PROMOTION | flag::SPECIAL)
    }

    /// Whether it is castling.
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.special() == flag::CASTLE
    }

    /// Whether it is a capture in passing.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.special() == flag::EN_PASSANT
    }

    /// Whether it is a pawn's step of two.
    #[inline(always)]
    pub const fn is_double(self) -> bool {
        self.special() == flag::DOUBLE
    }

    /// The type a promoting pawn becomes; meaningless for other moves.
    #[inline(always)]
    pub const fn promotion(self) -> Piece {
        KNIGHT + ((self.0 >> 3 & 1) | (self.0 >> 6 & 2)) as u8
    }

    /// The square whose piece a capture removes: the destination, except in passing.
    #[inline(always)]
    pub const fn victim_square(self) -> Square {
        if self.is_en_passant() { self.to() ^ 0x10 } else { self.to() }
    }

    /// The rook's squares of a castling move, from and to, given the king's destination.
    #[inline(always)]
    pub const fn rook_squares(king_to: Square) -> (Square, Square) {
        if king_to & 7 == 6 { (king_to + 1, king_to - 1) } else { (king_to - 2, king_to + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promotion_keeps_its_piece_and_squares() {
        for kind in KNIGHT..=QUEEN {
            let m = Move::new(0x13, 0x04, Move::promotion_flags(kind) | flag::CAPTURE);
            assert!(m.is_promotion() && m.is_capture() && !m.is_castle() && !m.is_en_passant());
            assert_eq!((m.from(), m.to(), m.promotion()), (0x13, 0x04, kind));
        }
    }

    #[test]
    fn special_moves_are_told_apart() {
        let castle = Move::new(0x74, 0x76, flag::CASTLE);
        assert!(castle.is_castle() && !castle.is_double() && !castle.is_en_passant());
        let passing = Move::new(0x33, 0x24, flag::EN_PASSANT | flag::CAPTURE);
        assert!(passing.is_en_passant() && !passing.is_castle());
        assert_eq!(passing.victim_square(), 0x34);
        assert_eq!(Move::rook_squares(0x72), (0x70, 0x73));
    }
}
