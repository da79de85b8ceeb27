//! Extended Position Description: a position and operations that say something about it.
//!
//! `r1bqkb1r/… w KQkq - bm Qxf7#; id "mate.001";`: the first four fields of a FEN, then
//! operations, each an opcode with operands and a semicolon. Operands are words or quoted
//! strings. Files in the wild often hold a whole FEN before the operations, so two numbers in
//! fifth and sixth place are read as its counters; the opcodes `hmvc` and `fmvn` say the same.
//!
//! Nothing is allocated: an [`Epd`] borrows its operations from the text it was read from.

use core::fmt;

use super::Excerpt;
use super::fen::{FenError, PositionFields, number};
use super::san::SanError;
use crate::{Board, Move, Setup};

/// A position with its operations.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Epd<'a> {
    /// The position.
    pub board: Board,
    /// The operations as written, checked by [`Epd::parse`].
    operations: &'a str,
}

/// An opcode with its operands.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Operation<'a> {
    /// The name, for example `bm`.
    pub opcode: &'a str,
    operands: &'a str,
}

impl<'a> Epd<'a> {
    /// Reads one line.
    ///
    /// ```
    /// use chess::notation::epd::Epd;
    ///
    /// let epd = Epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back rank\";")?;
    /// assert_eq!(epd.string("id"), Some("back rank"));
    /// let best: Vec<_> = epd.moves("bm").collect::<Result<_, _>>()?;
    /// assert_eq!(best[0].to_string(), "a1a8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &'a str) -> Result<Self, EpdError> {
        let (position, rest) = split_words(text, 4);
        let (counters, after_counters) = split_words(rest, 2);
        let has_counters = counters.split_ascii_whitespace().count() == 2
            && counters.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
        let (fen, operations) = match has_counters {
            true => (text[..text.len() - after_counters.len()].trim(), after_counters.trim()),
            false => (position.trim(), rest.trim()),
        };
        let mut setup: Setup = fen.parse().map_err(EpdError::Position)?;
        let mut unread = operations;
        while let Some((operation, rest)) = next_operation(unread)? {
            operation.apply(&mut setup)?;
            unread = rest;
        }
        let board = Board::from_setup(&setup).map_err(|error| EpdError::Position(error.into()))?;
        Ok(Self { board, operations })
    }

    /// The operations in the order of the text.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'a>> + use<'a> {
        let mut unread = self.operations;
        core::iter::from_fn(move || {
            let (operation, rest) = next_operation(unread).ok()??;
            unread = rest;
            Some(operation)
        })
    }

    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<Operation<'a>> {
        self.operations().find(|operation| operation.opcode == opcode)
    }

    /// The first operand of an operation, such as the text of `id`.
    pub fn string(&self, opcode: &str) -> Option<&'a str> {
        self.operation(opcode)?.operands().next()
    }

    /// The operands of an operation read as moves of the position, such as those of `bm`.
    /// None if there is no such operation.
    pub fn moves(
        &self,
        opcode: &str,
    ) -> impl Iterator<Item = Result<Move, SanError>> + use<'a, '_> {
        let operation = self.operation(opcode);
        let operands = operation.into_iter().flat_map(|operation| operation.operands());
        operands.map(|text| self.board.parse_san(text))
    }
}

impl<'a> Operation<'a> {
    /// The operands, strings without their quotation marks.
    pub fn operands(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut unread = self.operands;
        core::iter::from_fn(move || {
            let (operand, rest) = next_operand(unread)?;
            unread = rest;
            Some(operand)
        })
    }

    /// Lets the opcodes for the counters change the position.
    fn apply(&self, setup: &mut Setup) -> Result<(), EpdError> {
        let counter = match self.opcode {
            "hmvc" => &mut setup.halfmove_clock,
            "fmvn" => &mut setup.fullmove_number,
            _ => return Ok(()),
        };
        let text = self.operands().next().unwrap_or_default();
        *counter = number(text).ok_or(EpdError::Counter(Excerpt::new(text)))?;
        Ok(())
    }
}

/// Splits off this many words, or all there are.
fn split_words(text: &str, count: usize) -> (&str, &str) {
    let mut rest = text;
    for _ in 0..count {
        rest = rest.trim_ascii_start();
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        rest = &rest[end..];
    }
    text.split_at(text.len() - rest.len())
}

/// Splits off one operation; none is left when only blanks are.
fn next_operation(text: &str) -> Result<Option<(Operation<'_>, &str)>, EpdError> {
    let text = text.trim_ascii_start();
    if text.is_empty() {
        return Ok(None);
    }
    let length =
        text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (opcode, rest) = text.split_at(length);
    if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(EpdError::Opcode(Excerpt::new(text)));
    }
    let mut in_string = false;
    let end = rest.find(|c| {
        in_string ^= c == '"';
        c == ';' && !in_string
    });
    let Some(end) = end else {
        return Err(match in_string {
            true => EpdError::OpenString(Excerpt::new(opcode)),
            false => EpdError::Unfinished(Excerpt::new(opcode)),
        });
    };
    Ok(Some((Operation { opcode, operands: rest[..end].trim_ascii() }, &rest[end + 1..])))
}

fn next_operand(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    match text.strip_prefix('"') {
        Some(string) => Some(string.split_once('"').unwrap_or((string, ""))),
        None if text.is_empty() => None,
        None => Some(split_words(text, 1)),
    }
}

/// Writes the four fields and the operations as they were read.
impl fmt::Display for Epd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", PositionFields(&self.board))?;
        for Operation { opcode, operands } in self.operations() {
            let gap = if operands.is_empty() { "" } else { " " };
            write!(f, " {opcode}{gap}{operands};")?;
        }
        Ok(())
    }
}

/// Why a text is not an EPD.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum EpdError {
    /// The fields of the position are wrong.
    Position(FenError),
    /// An operation does not begin with a name.
    Opcode(Excerpt),
    /// The operation with this opcode has no semicolon at its end.
    Unfinished(Excerpt),
    /// A string of the operation with this opcode has no closing quotation mark.
    OpenString(Excerpt),
    /// The operand of `hmvc` or `fmvn` is not a number.
    Counter(Excerpt),
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(error) => write!(f, "{error}"),
            Self::Opcode(got) => write!(f, "EPD: expected an opcode such as bm or id, got {got}"),
            Self::Unfinished(opcode) => {
                write!(f, "EPD: expected a semicolon after {opcode}, got the end of the text")
            }
            Self::OpenString(opcode) => write!(
                f,
                "EPD: expected a closing quotation mark after {opcode}, got the end of the text"
            ),
            Self::Counter(got) => {
                write!(f, "EPD: expected a number from 0 to 65535 for hmvc or fmvn, got {got}")
            }
        }
    }
}

impl core::error::Error for EpdError {}

#[cfg(test)]
mod tests;
