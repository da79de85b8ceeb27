//! Squares, files and ranks.

use core::fmt;
use core::str::FromStr;

use crate::{Bitboard, Color};

/// A column of the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

/// A row of the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl File {
    /// All files, from the queen's side.
    pub const ALL: [Self; 8] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// 0 for the a-file … 7 for the h-file.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter `a` … `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads `a` … `h`.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Some(Self::ALL[(letter as u8 - b'a') as usize]),
            _ => None,
        }
    }

    /// All squares of the file.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

impl Rank {
    /// All ranks, from White's side.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// 0 for the first rank … 7 for the eighth.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit `1` … `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Reads `1` … `8`.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::ALL[(digit as u8 - b'1') as usize]),
            _ => None,
        }
    }

    /// All squares of the rank.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u8))
    }

    /// The same rank counted from `color`'s own side.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::ALL[self as usize ^ (7 * color as usize)]
    }
}

/// A square: a1 is 0, b1 is 1, h8 is 63.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// Where White's king stands at the start; handy in examples and tests.
    pub const E1: Self = Self(4);

    /// The square where `file` and `rank` meet.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self((rank as u8) * 8 + file as u8)
    }

    /// The square with this index, of which only the low six bits count.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        Self(index as u8 & 63)
    }

    /// 0 … 63; the mask tells the compiler that a table of 64 needs no bounds check.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The column.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::ALL[(self.0 & 7) as usize]
    }

    /// The row.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 as usize >> 3) & 7]
    }

    /// The board with only this square set.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// The square reflected top to bottom: e2 becomes e7.
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// The square reflected left to right: e2 becomes d2.
    #[inline(always)]
    pub const fn flip_file(self) -> Self {
        Self(self.0 ^ 7)
    }

    /// The square as `color` sees it from its own side of the board.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        Self(self.0 ^ (56 * color as u8))
    }

    /// The square one step towards `color`'s opponent; wraps at the board's end.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0.wrapping_add(8) & 63),
            Color::Black => Self(self.0.wrapping_sub(8) & 63),
        }
    }

    /// All 64 squares, a1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64u8).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square from `a1` to `h8`.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct SquareError;

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square from a1 to h8")
    }
}

impl core::error::Error for SquareError {}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_letter);
        let rank = letters.next().and_then(Rank::from_digit);
        match (file, rank, letters.next()) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(SquareError),
        }
    }
}
