//! Forsyth–Edwards notation, with X-FEN and Shredder-FEN castling.
//!
//! Reading accepts `KQkq` (the outermost rook on that side, as X-FEN says) and rook files (`HAha`)
//! alike. The two counters may be missing, as they are in EPD; then they are 0 and 1.

use core::fmt;
use core::str::FromStr;

use super::Excerpt;
use crate::{
    Bitboard, Board, CastlingRights, Color, File, Piece, Rank, Setup, SetupError, Square, Wing,
};

/// Why a text is not the FEN of a legal position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum FenError {
    /// The text is empty or ends before the castling and en passant fields.
    MissingField(&'static str),
    /// There is something after the sixth field.
    ExtraField(Excerpt),
    /// Board: a character that is no piece, digit or slash.
    Letter(char),
    /// Board: a rank (counted from the top, 8 first) has this many squares instead of eight.
    RankLength(Rank, usize),
    /// Board: this many ranks instead of eight.
    RankCount(usize),
    /// Side to move: neither `w` nor `b`.
    Side(Excerpt),
    /// Castling: a character that is no right, or a right given twice.
    Castling(char),
    /// Castling: a right for which there is no king or rook on the first rank.
    CastlingRook(char),
    /// En passant: neither `-` nor a square.
    EnPassant(Excerpt),
    /// Half-move clock: not a number from 0 to 65535.
    Halfmove(Excerpt),
    /// Move number: not a number from 1 to 65535.
    Fullmove(Excerpt),
    /// The text is well-formed but the position breaks a rule.
    Position(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::MissingField(field) => {
                write!(f, "FEN: expected the field \"{field}\", got the end of the text")
            }
            Self::ExtraField(got) => write!(f, "FEN: expected at most six fields, got also {got}"),
            Self::Letter(c) => {
                write!(f, "FEN, board: expected one of PNBRQKpnbrqk, 1 to 8 or /, got {c:?}")
            }
            Self::RankLength(rank, n) => {
                write!(f, "FEN, board: expected 8 squares on rank {}, got {n}", rank.digit())
            }
            Self::RankCount(n) => write!(f, "FEN, board: expected 8 ranks, got {n}"),
            Self::Side(got) => {
                write!(f, "FEN, side to move: expected \"w\" or \"b\", got {got}")
            }
            Self::Castling(c) => write!(
                f,
                "FEN, castling: expected \"-\" or each of KQkq or a rook's file once, got {c:?}"
            ),
            Self::CastlingRook(c) => {
                write!(f, "FEN, castling: expected a king and a rook on their first rank for {c:?}")
            }
            Self::EnPassant(got) => {
                write!(f, "FEN, en passant: expected \"-\" or a square, got {got}")
            }
            Self::Halfmove(got) => {
                write!(f, "FEN, half-move clock: expected a number from 0 to 65535, got {got}")
            }
            Self::Fullmove(got) => {
                write!(f, "FEN, move number: expected a number from 1 to 65535, got {got}")
            }
            Self::Position(error) => write!(f, "FEN, position: {error}"),
        }
    }
}

impl core::error::Error for FenError {}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> Self {
        Self::Position(error)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(FenError::MissingField(name));
        let mut setup = Self::EMPTY;
        read_board(&mut setup, field("board")?)?;
        setup.side = match field("side to move")? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Side(Excerpt::new(other))),
        };
        setup.castling = read_castling(&setup, field("castling")?)?;
        setup.en_passant = match field("en passant")? {
            "-" => None,
            square => Some(square.parse().map_err(|_| FenError::EnPassant(Excerpt::new(square)))?),
        };
        if let Some(text) = fields.next() {
            setup.halfmove_clock = number(text).ok_or(FenError::Halfmove(Excerpt::new(text)))?;
        }
        if let Some(text) = fields.next() {
            let count = number(text).filter(|&n| n > 0);
            setup.fullmove_number = count.ok_or(FenError::Fullmove(Excerpt::new(text)))?;
        }
        if let Some(text) = fields.next() {
            return Err(FenError::ExtraField(Excerpt::new(text)));
        }
        Ok(setup)
    }
}

/// Digits only: `parse` alone would take a plus sign.
pub(super) fn number(text: &str) -> Option<u16> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

fn read_board(setup: &mut Setup, text: &str) -> Result<(), FenError> {
    let ranks = 1 + text.bytes().filter(|&byte| byte == b'/').count();
    if ranks != 8 {
        return Err(FenError::RankCount(ranks));
    }
    for (row, rank) in text.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        for c in row.chars() {
            match (c, Piece::from_letter(c)) {
                ('1'..='8', _) => file += c as usize - '0' as usize,
                (_, Some(piece)) => {
                    let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
                    if let Some(&file) = File::ALL.get(file) {
                        setup.squares[Square::new(file, rank).index()] = Some((color, piece));
                    }
                    file += 1;
                }
                _ => return Err(FenError::Letter(c)),
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(rank, file));
        }
    }
    Ok(())
}

fn read_castling(setup: &Setup, text: &str) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for c in text.chars() {
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let holds = |&file: &File, piece| setup.at(Square::new(file, rank)) == Some((color, piece));
        let king = File::ALL.into_iter().find(|file| holds(file, Piece::King));
        let rook = |file: &File| holds(file, Piece::Rook);
        let (wing, file) = match (c.to_ascii_lowercase(), king) {
            ('k' | 'q' | 'a'..='h', None) => return Err(FenError::CastlingRook(c)),
            ('k', Some(king)) => {
                let outermost = File::ALL.into_iter().rev().find(|&f| f > king && rook(&f));
                (Wing::King, outermost)
            }
            ('q', Some(king)) => {
                (Wing::Queen, File::ALL.into_iter().find(|&f| f < king && rook(&f)))
            }
            (letter @ 'a'..='h', Some(king)) => {
                let file = File::from_letter(letter).filter(rook);
                (if file > Some(king) { Wing::King } else { Wing::Queen }, file)
            }
            _ => return Err(FenError::Castling(c)),
        };
        let file = file.ok_or(FenError::CastlingRook(c))?;
        if rights.rook_file(color, wing).is_some() {
            return Err(FenError::Castling(c));
        }
        rights.set(color, wing, Some(file));
    }
    Ok(rights)
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Ok(Self::from_setup(&text.parse()?)?)
    }
}

/// How castling rights are written.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum CastlingStyle {
    /// `KQkq` wherever that is clear, else the rook's file.
    XFen,
    /// Always the rook's file.
    Shredder,
}

/// A FEN ready to be written; see [`Board::shredder_fen`].
#[derive(Clone, Debug)]
pub struct ShredderFen<'a>(&'a Board);

impl Board {
    /// The FEN with castling rights as rook files (`HAha`), which Chess960 programs expect.
    /// `Display` on the board itself writes X-FEN, which is plain FEN for normal chess.
    pub fn shredder_fen(&self) -> ShredderFen<'_> {
        ShredderFen(self)
    }

    fn write_fen(&self, f: &mut fmt::Formatter<'_>, style: CastlingStyle) -> fmt::Result {
        self.write_position(f, style)?;
        write!(f, " {} {}", self.halfmove_clock(), self.fullmove_number())
    }

    /// The four fields that FEN and EPD share.
    fn write_position(&self, f: &mut fmt::Formatter<'_>, style: CastlingStyle) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let Some((color, piece)) = self.color_at(square).zip(self.piece_at(square)) else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                }
                gap = 0;
                write!(f, "{}", piece.fen_letter(color))?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        write!(f, " {} ", self.side_to_move().letter())?;
        if self.castling().is_empty() {
            f.write_str("-")?;
        }
        for (color, wing, file) in self.castling().iter() {
            let letter = match (style, wing) {
                (CastlingStyle::XFen, Wing::King) if self.is_outermost(color, wing, file) => 'k',
                (CastlingStyle::XFen, Wing::Queen) if self.is_outermost(color, wing, file) => 'q',
                _ => file.letter(),
            };
            let white = color == Color::White;
            write!(f, "{}", if white { letter.to_ascii_uppercase() } else { letter })?;
        }
        match self.en_passant() {
            Some(square) => write!(f, " {square}"),
            None => f.write_str(" -"),
        }
    }

    /// Is there no rook of the same color farther out on this wing?
    fn is_outermost(&self, color: Color, wing: Wing, file: File) -> bool {
        let rank = Rank::First.relative_to(color).bitboard();
        let beyond = File::ALL
            .into_iter()
            .filter(|&other| if wing == Wing::King { other > file } else { other < file })
            .fold(Bitboard::EMPTY, |set, other| set | other.bitboard());
        (self.pieces(color, Piece::Rook) & rank & beyond).is_empty()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, CastlingStyle::XFen)
    }
}

impl fmt::Display for ShredderFen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_fen(f, CastlingStyle::Shredder)
    }
}

/// A position without its counters, as EPD begins.
pub(super) struct PositionFields<'a>(pub(super) &'a Board);

impl fmt::Display for PositionFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_position(f, CastlingStyle::XFen)
    }
}
