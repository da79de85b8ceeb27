//! What can be wrong with training data.

use std::fmt;
use std::io;

use chess::{Move, SetupError};

/// Why training data could not be read or written.
#[derive(Debug)]
pub enum DataError {
    /// The file could not be read or written.
    Io(io::Error),
    /// The file ends inside a game that starts at this byte.
    Truncated {
        /// Where the unfinished game starts.
        game_at: u64,
    },
    /// A game's first position has a piece code that does not exist.
    PieceCode {
        /// The four bits.
        code: u8,
    },
    /// A game's first position has more than 32 pieces.
    TooManyPieces(u32),
    /// A game's first position has a castling rook away from its first rank.
    CastlingRook,
    /// A game's first position breaks a rule.
    Position(SetupError),
    /// A game's result is none of 0 (Black won), 1 (draw), 2 (White won).
    Outcome(u8),
    /// Sixteen bits that are no move.
    MoveBits(u16),
    /// A move that is not legal where it was played.
    IllegalMove {
        /// The move.
        mv: Move,
        /// How many moves of the game came before it.
        ply: usize,
    },
    /// A file of records does not start with the right words.
    RecordHeader {
        /// What was expected there.
        expected: &'static str,
        /// What was found.
        got: u64,
    },
    /// A file of records is not as long as its header says.
    RecordCount {
        /// Records the header promises.
        expected: u64,
        /// Bytes that follow the header.
        bytes: u64,
    },
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Truncated { game_at } => write!(
                f,
                "expected the rest of the game that starts at byte {game_at}, got the end of the file"
            ),
            Self::PieceCode { code } => {
                write!(f, "expected piece codes 0 to 6 and 8 to 14, got {code}")
            }
            Self::TooManyPieces(n) => write!(f, "expected at most 32 pieces, got {n}"),
            Self::CastlingRook => {
                f.write_str("expected castling rooks on their side's first rank, got one elsewhere")
            }
            Self::Position(error) => write!(f, "{error}"),
            Self::Outcome(code) => {
                write!(f, "expected the result 0, 1 or 2 (from White's side), got {code}")
            }
            Self::MoveBits(bits) => write!(f, "expected a move, got the bits {bits:#06x}"),
            Self::IllegalMove { mv, ply } => {
                write!(f, "expected a legal move after {ply} moves of the game, got {mv}")
            }
            Self::RecordHeader { expected, got } => {
                write!(f, "expected a file of records with {expected}, got {got:#x}")
            }
            Self::RecordCount { expected, bytes } => {
                write!(f, "expected {expected} records of 32 bytes, got {bytes} bytes")
            }
        }
    }
}

impl std::error::Error for DataError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Position(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for DataError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
