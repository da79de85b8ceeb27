//! What is wrong with a game, where, and in words.

use std::fmt;

use chess::notation::Excerpt;
use chess::notation::fen::FenError;
use chess::notation::san::SanError;

use crate::{MOST_BYTES, MOST_MOVES, MOST_NESTED, MOST_PLIES, MOST_TAG_BYTES};

/// A place of the input that could not be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// The line of the input, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: Reason,
    /// Does the main line end here? All else is a loss at the edge: a tag, a word, a variation.
    pub cuts: bool,
}

/// What is wrong.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Reason {
    /// A game that is not chess as it is played here.
    Variant(String),
    /// The tag `FEN` is not a legal position.
    Fen(FenError),
    /// A move that is not one, with its number.
    Move(String, SanError),
    /// A word that is no move at all.
    Word(Excerpt),
    /// Moves after the result.
    AfterResult(Excerpt),
    /// A comment that begins but does not end.
    OpenComment,
    /// A variation that begins but does not end.
    OpenVariation,
    /// A closing bracket without an opening one.
    StrayBracket(char),
    /// A variation, or an annotation glyph, before the first move.
    NothingBefore(Excerpt),
    /// A line among the tags that is no tag.
    TagLine(Excerpt),
    /// A tag whose value is this long.
    LongTag(Excerpt, usize),
    /// More half-moves than are read.
    Plies,
    /// More moves with variations than are read.
    Moves,
    /// More variations inside variations than are read.
    Nesting,
    /// More bytes than are read: this many.
    Bytes(usize),
    /// This many faults of the game after the first ones.
    Others(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variant(got) => {
                write!(f, "expected standard chess or Chess960, got the variant {got:?}")
            }
            Self::Fen(error) => write!(f, "{error}"),
            Self::Move(number, error) => write!(f, "move {number}: {error}"),
            Self::Word(got) => write!(f, "expected a move, a comment or a result, got {got}"),
            Self::AfterResult(got) => write!(f, "expected the end after the result, got {got}"),
            Self::OpenComment => f.write_str("expected \"}\" at the end of a comment, got none"),
            Self::OpenVariation => {
                f.write_str("expected \")\" at the end of a variation, got none")
            }
            Self::StrayBracket(c) => {
                write!(f, "expected an opening bracket before {c:?}, got none")
            }
            Self::NothingBefore(got) => write!(f, "expected a move before {got}, got none"),
            Self::TagLine(got) => write!(f, "expected a tag like [White \"Name\"], got {got}"),
            Self::LongTag(name, bytes) => write!(
                f,
                "expected at most {MOST_TAG_BYTES} bytes as the value of a tag, \
                 got {bytes} for {name}"
            ),
            Self::Plies => {
                write!(f, "expected at most {MOST_PLIES} half-moves in a game, got more")
            }
            Self::Moves => {
                write!(f, "expected at most {MOST_MOVES} moves with all variations, got more")
            }
            Self::Nesting => {
                write!(f, "expected variations nested at most {MOST_NESTED} deep, got deeper ones")
            }
            Self::Bytes(bytes) => {
                write!(f, "expected at most {MOST_BYTES} bytes in a game, got {bytes}")
            }
            Self::Others(count) => write!(f, "{count} more faults like these"),
        }
    }
}

/// Faults of one game: the first few, and how many others there were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    kept: Vec<Fault>,
    others: usize,
    last_line: usize,
}

/// Faults that are kept, besides one that cuts the game.
const KEPT: usize = 10;

impl Faults {
    pub(crate) fn add(&mut self, fault: Fault) {
        if self.kept.len() < KEPT || fault.cuts {
            self.kept.push(fault);
        } else {
            self.others += 1;
            self.last_line = fault.line;
        }
    }

    pub(crate) fn into_vec(mut self) -> Vec<Fault> {
        if self.others > 0 {
            let reason = Reason::Others(self.others);
            self.kept.push(Fault { line: self.last_line, reason, cuts: false });
        }
        self.kept
    }
}
