//! Positions as text, for hosts that have text: FEN in, no strings kept.

use crate::setup::Setup;
use crate::types::{BLACK, EMPTY, NO_SQUARE, Piece, WHITE, piece};

/// What is wrong with a FEN; the number is the byte where it was noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenError {
    /// Expected a piece letter, a digit 1 to 8 or `/`, with eight squares in each of eight rows.
    Board(usize),
    /// Expected `w` or `b`.
    Side(usize),
    /// Expected `-` or some of `KQkq`.
    Castling(usize),
    /// Expected `-` or a square like `e3`.
    EnPassant(usize),
    /// Expected a number that fits.
    Clock(usize),
    /// Expected the end.
    Trailing(usize),
}

/// Where in the text we are. The text itself is passed along, since no pointer may be kept.
struct Reader {
    at: usize,
}

impl Reader {
    fn peek(&self, text: &[u8]) -> u8 {
        text.get(self.at).copied().unwrap_or(0)
    }

    fn next(&mut self, text: &[u8]) -> u8 {
        let byte = self.peek(text);
        self.at += 1;
        byte
    }

    fn skip_spaces(&mut self, text: &[u8]) {
        while self.peek(text) == b' ' {
            self.at += 1;
        }
    }

    fn board(&mut self, text: &[u8]) -> Result<[Piece; 64], FenError> {
        let mut squares = [EMPTY; 64];
        for row in 0..8usize {
            let mut column = 0;
            while column < 8 {
                let bad = FenError::Board(self.at);
                let byte = self.next(text);
                if (b'1'..=b'8').contains(&byte) {
                    column += (byte - b'0') as usize;
                } else {
                    let kind = 1 + (b"pnbrqk".iter().position(|&k| k == byte | 0x20)).ok_or(bad)?;
                    let side = if byte & 0x20 != 0 { BLACK } else { WHITE };
                    squares[row * 8 + column] = piece(kind as u8, side);
                    column += 1;
                }
                if column > 8 {
                    return Err(bad);
                }
            }
            if row < 7 && self.next(text) != b'/' {
                return Err(FenError::Board(self.at - 1));
            }
        }
        Ok(squares)
    }

    fn castling(&mut self, text: &[u8]) -> Result<u8, FenError> {
        if self.peek(text) == b'-' {
            self.at += 1;
            return Ok(0);
        }
        let (mut rights, start) = (0, self.at);
        while let Some(bit) = b"KQkq".iter().position(|&k| k == self.peek(text)) {
            rights |= 1 << bit;
            self.at += 1;
        }
        if self.at == start { Err(FenError::Castling(start)) } else { Ok(rights) }
    }

    fn en_passant(&mut self, text: &[u8]) -> Result<u8, FenError> {
        let start = self.at;
        let (file, rank) = (self.next(text), self.peek(text));
        if file == b'-' {
            return Ok(NO_SQUARE);
        }
        self.at += 1;
        if (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank) {
            Ok((b'8' - rank) << 4 | (file - b'a'))
        } else {
            Err(FenError::EnPassant(start))
        }
    }

    fn number(&mut self, text: &[u8], default: u16) -> Result<u16, FenError> {
        self.skip_spaces(text);
        if self.peek(text) == 0 {
            return Ok(default);
        }
        let (start, mut value) = (self.at, 0u16);
        while self.peek(text).is_ascii_digit() {
            let digit = (self.next(text) - b'0') as u16;
            value = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(digit))
                .ok_or(FenError::Clock(start))?;
        }
        if self.at == start { Err(FenError::Clock(start)) } else { Ok(value) }
    }
}

/// Reads a FEN. The clocks may be missing; whether the position is possible is checked by
/// [`crate::board::Board::set`].
pub fn parse(text: &[u8]) -> Result<Setup, FenError> {
    let mut reader = Reader { at: 0 };
    reader.skip_spaces(text);
    let squares = reader.board(text)?;
    reader.skip_spaces(text);
    let at = reader.at;
    let side = match reader.next(text) {
        b'w' => WHITE,
        b'b' => BLACK,
        _ => return Err(FenError::Side(at)),
    };
    reader.skip_spaces(text);
    let castling = reader.castling(text)?;
    reader.skip_spaces(text);
    let en_passant = reader.en_passant(text)?;
    let at = reader.at;
    let halfmove = reader.number(text, 0)?;
    let halfmove = u8::try_from(halfmove).map_err(|_| FenError::Clock(at))?;
    let fullmove = reader.number(text, 1)?;
    reader.skip_spaces(text);
    if reader.at < text.len() {
        return Err(FenError::Trailing(reader.at));
    }
    Ok(Setup { squares, side, castling, en_passant, halfmove, fullmove })
}
