//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q+`, `R1d2#`.
//!
//! Writing is exact: the least disambiguation that suffices, and the right check or mate mark.
//! Reading is kind, as PGN's import format asks: marks may be missing, wrong or followed by `!`
//! and `?`, more disambiguation than needed is fine (`Ng1-f3`), and castling may be written with
//! zeros. What it does not guess at is which of two moves was meant.

use core::fmt;

use super::Excerpt;
use crate::{Bitboard, Board, File, Move, MoveKind, Piece, Rank, Square, Wing};

/// A legal move ready to be written; see [`Board::san`].
#[derive(Clone, Debug)]
pub struct SanMove<'a> {
    board: &'a Board,
    mv: Move,
}

impl Board {
    /// A legal move of this position in standard algebraic notation.
    ///
    /// ```
    /// let board = chess::Board::default();
    /// let mv = board.parse_uci("g1f3")?;
    /// assert_eq!(board.san(mv).to_string(), "Nf3");
    /// # Ok::<(), chess::notation::uci::UciMoveError>(())
    /// ```
    pub fn san(&self, mv: Move) -> SanMove<'_> {
        SanMove { board: self, mv }
    }

    /// Reads a move in standard algebraic notation; exactly one legal move must fit.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let pattern = Pattern::read(text).ok_or(SanError::Syntax(Excerpt::new(text)))?;
        let moves = self.legal_moves();
        let mut fitting = moves.iter().filter(|&&mv| pattern.fits(self, mv));
        match (fitting.next(), fitting.next()) {
            (Some(&mv), None) => Ok(mv),
            (Some(_), Some(_)) => Err(SanError::Ambiguous(Excerpt::new(text))),
            (None, _) => Err(SanError::Illegal(Excerpt::new(text))),
        }
    }
}

impl fmt::Display for SanMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, mv } = *self;
        let (from, to) = (mv.from(), mv.to());
        let piece = board.piece_at(from).unwrap_or(Piece::Pawn);
        let captures = board.piece_at(to).is_some() || mv.is_en_passant();
        let cross = if captures { "x" } else { "" };
        match (mv.kind(), piece) {
            (MoveKind::Castling, _) if to > from => f.write_str("O-O")?,
            (MoveKind::Castling, _) => f.write_str("O-O-O")?,
            (_, Piece::Pawn) => {
                if captures {
                    write!(f, "{}", from.file().letter())?;
                }
                write!(f, "{cross}{to}")?;
            }
            _ => {
                write!(f, "{}", piece.letter().to_ascii_uppercase())?;
                let (file, rank) = disambiguation(board, piece, mv);
                if file {
                    write!(f, "{}", from.file().letter())?;
                }
                if rank {
                    write!(f, "{}", from.rank().digit())?;
                }
                write!(f, "{cross}{to}")?;
            }
        }
        if let Some(piece) = mv.promoted() {
            write!(f, "={}", piece.letter().to_ascii_uppercase())?;
        }
        let next = board.after(mv);
        match (next.in_check(), next.has_legal_move()) {
            (true, true) => f.write_str("+"),
            (true, false) => f.write_str("#"),
            (false, _) => Ok(()),
        }
    }
}

/// Must the file or the rank of the piece be named? The file is preferred, as the standard says.
fn disambiguation(board: &Board, piece: Piece, mv: Move) -> (bool, bool) {
    let moves = board.legal_moves();
    let others = moves
        .iter()
        .filter(|other| other.to() == mv.to() && other.from() != mv.from())
        .filter(|other| !other.is_castling() && board.piece_at(other.from()) == Some(piece))
        .fold(Bitboard::EMPTY, |set, other| set | other.from().bitboard());
    let same_file = (others & mv.from().file().bitboard()).any();
    let same_rank = (others & mv.from().rank().bitboard()).any();
    match (others.any(), same_file, same_rank) {
        (false, ..) => (false, false),
        (_, false, _) => (true, false),
        (_, _, false) => (false, true),
        _ => (true, true),
    }
}

/// What a text says about a move.
#[derive(Debug, PartialEq)]
enum Pattern {
    Castling(Wing),
    Step {
        piece: Piece,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl Pattern {
    fn read(text: &str) -> Option<Self> {
        let body = text.trim_end_matches(['!', '?']).trim_end_matches(['+', '#']);
        match body {
            "O-O" | "0-0" => return Some(Self::Castling(Wing::King)),
            "O-O-O" | "0-0-0" => return Some(Self::Castling(Wing::Queen)),
            _ => {}
        }
        let (piece, body) = match body.chars().next()? {
            c @ ('N' | 'B' | 'R' | 'Q' | 'K') => (Piece::from_letter(c)?, &body[1..]),
            _ => (Piece::Pawn, body),
        };
        let (promotion, body) = match body.chars().next_back()? {
            c @ ('N' | 'B' | 'R' | 'Q') => {
                let rest = &body[..body.len() - 1];
                (Piece::from_letter(c), rest.strip_suffix('=').unwrap_or(rest))
            }
            _ => (None, body),
        };
        let (start, to) = body.split_at_checked(body.len().checked_sub(2)?)?;
        let to = to.parse().ok()?;
        let start = start.strip_suffix(['x', '-']).unwrap_or(start);
        let mut letters = start.chars().peekable();
        let file = letters.next_if(|&c| File::from_letter(c).is_some()).and_then(File::from_letter);
        let rank = letters.next_if(|&c| Rank::from_digit(c).is_some()).and_then(Rank::from_digit);
        match letters.next() {
            None => Some(Self::Step { piece, file, rank, to, promotion }),
            Some(_) => None,
        }
    }

    fn fits(&self, board: &Board, mv: Move) -> bool {
        match *self {
            Self::Castling(wing) => {
                mv.is_castling() && (wing == Wing::King) == (mv.to() > mv.from())
            }
            Self::Step { piece, file, rank, to, promotion } => {
                let from = mv.from();
                // A pawn without a file goes straight on: `d5` is never `exd5`.
                let file = match piece {
                    Piece::Pawn => file.unwrap_or(to.file()),
                    _ => file.unwrap_or(from.file()),
                };
                !mv.is_castling()
                    && mv.to() == to
                    && mv.promoted() == promotion
                    && board.piece_at(from) == Some(piece)
                    && from.file() == file
                    && rank.is_none_or(|rank| from.rank() == rank)
            }
        }
    }
}

/// Why a text is not a move of the position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum SanError {
    /// The text does not have the shape of a move.
    Syntax(Excerpt),
    /// No legal move fits.
    Illegal(Excerpt),
    /// More than one legal move fits.
    Ambiguous(Excerpt),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(got) => write!(f, "expected a move like Nf3, exd5 or O-O, got {got}"),
            Self::Illegal(got) => write!(f, "expected a legal move of the position, got {got}"),
            Self::Ambiguous(got) => {
                write!(f, "expected a move that fits one piece only, got {got}")
            }
        }
    }
}

impl core::error::Error for SanError {}

#[cfg(test)]
mod tests;
