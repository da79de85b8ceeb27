//! A word becomes a move: standard algebraic notation first, then every other way in which people
//! and programs write moves.
//!
//! Piece letters of other languages overlap with English (`R` is a rook here, a king in French),
//! so the language is a property of the game: the first word that could mean something else in
//! another language makes the reader look at all piece letters of the game at once.

use std::borrow::Cow;

use chess::notation::Excerpt;
use chess::notation::san::SanError;
use chess::{Board, Color, Move, Piece};

use crate::tokens::{Token, Tokens};

/// The number before a move: `12.` or `12...`
///
/// ```
/// assert_eq!(pgn::move_number(&chess::Board::default()), "1.");
/// ```
pub fn move_number(board: &Board) -> String {
    let dots = if board.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", board.fullmove_number())
}

/// The letters of a language for king, queen, rook, bishop and knight.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Language([char; 5]);

const ENGLISH: Language = Language(['K', 'Q', 'R', 'B', 'N']);

/// English wherever it will do; where two fit, they give the same moves.
const LANGUAGES: [Language; 6] = [
    ENGLISH,
    // German, Danish, Norwegian, Swedish
    Language(['K', 'D', 'T', 'L', 'S']),
    // Dutch
    Language(['K', 'D', 'T', 'L', 'P']),
    // French
    Language(['R', 'D', 'T', 'F', 'C']),
    // Spanish, Italian
    Language(['R', 'D', 'T', 'A', 'C']),
    // Portuguese
    Language(['R', 'D', 'T', 'B', 'C']),
];

impl Language {
    /// The language in which most of the piece letters of a movetext make sense.
    fn of(movetext: &[u8]) -> Self {
        let mut counts = [0_usize; 26];
        for token in Tokens::new(movetext) {
            let Token::Word(word) = token else { continue };
            if names_a_square(&word) {
                for letter in word.bytes().filter(u8::is_ascii_uppercase) {
                    counts[usize::from(letter - b'A')] += 1;
                }
            }
        }
        let count = |letter: char| counts[letter as usize - usize::from(b'A')];
        let fitting = |language: &Self| -> usize {
            // Old English books have a letter for pawns too.
            let pawns = if *language == ENGLISH { count('P') } else { 0 };
            pawns + language.0.iter().map(|&letter| count(letter)).sum::<usize>()
        };
        // The first of the best.
        let best = LANGUAGES.iter().rev().max_by_key(|language| fitting(language));
        *best.unwrap_or(&ENGLISH)
    }

    /// A word with English letters.
    fn translate<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if *self == ENGLISH || word.starts_with('O') {
            return Cow::Borrowed(word);
        }
        let english = |c: char| {
            let found = self.0.iter().position(|&letter| letter == c);
            found.map_or(c, |piece| ENGLISH.0[piece])
        };
        Cow::Owned(word.chars().map(english).collect())
    }
}

/// Reads the words of one game.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    movetext: &'a [u8],
    /// None until a word says which.
    language: Option<Language>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(movetext: &'a [u8]) -> Self {
        Self { movetext, language: None }
    }

    /// The move that a word means.
    pub(crate) fn read(&mut self, board: &Board, word: &str) -> Result<Move, SanError> {
        let english = match self.language_for(word) {
            Some(language) => language.translate(word),
            None => Cow::Borrowed(word),
        };
        board.parse_san(&english).or_else(|error| {
            // `A2-A3` begins like a bishop's move in Spanish.
            read_other(board, &english).or_else(|| read_other(board, word)).ok_or(error)
        })
    }

    /// The game's language, as soon as it matters.
    fn language_for(&mut self, word: &str) -> Option<Language> {
        if self.language.is_none() {
            // These mean the same in all languages above that have them.
            let is_neutral = |byte: &u8| !byte.is_ascii_uppercase() || b"KBO".contains(byte);
            match word.bytes().find(|byte| !is_neutral(byte)) {
                None => {}
                Some(b'N' | b'Q') => self.language = Some(ENGLISH),
                Some(_) => self.language = Some(Language::of(self.movetext)),
            }
        }
        self.language
    }
}

/// Is there a square in it, or castling? If not, a word was never meant as a move.
pub(crate) fn names_a_square(word: &str) -> bool {
    let is_square = |pair: &[u8]| {
        matches!(pair[0], b'a'..=b'h' | b'A'..=b'H') && matches!(pair[1], b'1'..=b'8')
    };
    word.as_bytes().windows(2).any(is_square) || is_castling(word)
}

fn is_castling(word: &str) -> bool {
    let mut parts = word.trim_end_matches(['+', '#']).split(['-', '–', '—', '−', '‑']);
    let is_circle = |part: &str| matches!(part, "O" | "o" | "0" | "О" | "о");
    (2..=3).contains(&parts.clone().count()) && parts.all(is_circle)
}

/// Is it a null move, as some programs write it to show threats?
pub(crate) fn is_null_move(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "@@@@" | "0000" | "null" | "<>")
}

/// Words that may stand after a move and say nothing new.
pub(crate) fn says_nothing(word: &str) -> bool {
    matches!(word, "e.p." | "ep" | "e.p" | "+" | "++" | "#" | "ch" | "mate" | "." | "…")
}

/// Figurines, other dashes and crosses, long algebraic notation, engines' moves.
fn read_other(board: &Board, word: &str) -> Option<Move> {
    let plain = plain(word);
    if is_castling(&plain) {
        let long = plain.matches('-').count() == 2;
        return board.parse_san(if long { "O-O-O" } else { "O-O" }).ok();
    }
    if let Ok(mv) = board.parse_san(&plain) {
        return Some(mv);
    }
    let coordinates = plain.to_ascii_lowercase().replace(['-', 'x', '='], "");
    let coordinates = coordinates.trim_end_matches(['+', '#']);
    if let Ok(mv) = board.parse_uci(coordinates) {
        return Some(mv);
    }
    // With the piece in front: castling as the king's step, or a piece in a small letter.
    let mut letters = plain.chars();
    let piece = Piece::from_letter(letters.next()?)?;
    let steps = coordinates.get(1..)?;
    let moved = |mv: &Move| board.piece_at(mv.from()) == Some(piece);
    let long = board.parse_uci(steps).ok().filter(moved);
    long.or_else(|| {
        let capital = piece.letter().to_ascii_uppercase();
        board.parse_san(&format!("{capital}{}", letters.as_str())).ok()
    })
}

/// The word as standard algebraic notation would have it.
fn plain(word: &str) -> String {
    let word = word.trim_end_matches("e.p.").trim_end_matches("ep");
    let mut text = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '♔' | '♚' => text.push('K'),
            '♕' | '♛' => text.push('Q'),
            '♖' | '♜' => text.push('R'),
            '♗' | '♝' => text.push('B'),
            '♘' | '♞' => text.push('N'),
            // Pawns have no letter; the others say how a figurine is drawn.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => {}
            '–' | '—' | '−' | '‑' => text.push('-'),
            '×' | ':' | '*' => text.push('x'),
            '/' => text.push('='),
            '†' => text.push('+'),
            '‡' => text.push('#'),
            c => text.push(c),
        }
    }
    // A pawn with its letter, as old books have it.
    match text.strip_prefix('P') {
        Some(rest) if names_a_square(rest) => rest.to_owned(),
        _ => text,
    }
}

/// The beginning of a word, for an error.
pub(crate) fn excerpt(word: &str) -> Excerpt {
    Excerpt::new(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, word: &str) -> String {
        let board: Board = match fen {
            "" => Board::default(),
            fen => fen.parse().unwrap(),
        };
        match Words::new(word.as_bytes()).read(&board, word) {
            Ok(mv) => board.san(mv).to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_way_to_write_a_move() {
        for word in [
            "Nf3",
            "♘f3",
            "♞f3",
            "♘\u{fe0e}f3",
            "Ng1-f3",
            "Ng1–f3",
            "g1f3",
            "g1-f3",
            "G1F3",
            "nf3",
            "Ng1f3",
            "Sf3",
            "Cf3",
            "Pf3",
        ] {
            assert_eq!(read("", word), if word == "Pf3" { "f3" } else { "Nf3" }, "{word}");
        }
        for word in ["e4", "e2e4", "e2-e4", "♙e4", "Pe4", "Pe2-e4", "E2-E4"] {
            assert_eq!(read("", word), "e4", "{word}");
        }
        let castle = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
        for word in ["O-O", "0-0", "o-o", "О-О", "e1g1", "Ke1-g1", "0–0", "e1h1"] {
            assert_eq!(read(castle, word), "O-O", "{word}");
        }
        assert_eq!(read(castle, "o-o-o"), "O-O-O");
        let promote = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        for word in ["a8=Q+", "a8Q", "a7a8q", "a8/Q", "a7-a8=Q", "a7-a8D", "a8=D+"] {
            let word = read(promote, word);
            assert_eq!(word, "a8=Q+");
        }
        let capture = "4k3/8/8/3p4/4P3/8/8/4K3 w - d6 0 1";
        for word in ["exd5", "ed5", "e4:d5", "e4×d5", "e4xd5", "e:d5"] {
            assert_eq!(read(capture, word), "exd5", "{word}");
        }
        assert!(read("", "Ke1-e3").starts_with("expected a"));
    }

    #[test]
    fn a_rook_may_be_a_king() {
        let board: Board = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        let san = |game: &str, word: &str| {
            let mv = Words::new(game.as_bytes()).read(&board, word).unwrap();
            board.san(mv).to_string()
        };
        assert_eq!(san("Rd1 Nf3", "Rd1"), "Rd1");
        assert_eq!(san("Rd1 Cf3 Dd5", "Rd1"), "Kd1");
        assert_eq!(san("Ta2 Pf3 Ld5", "Ta2"), "Ra2");
    }

    #[test]
    fn other_words_are_no_moves() {
        for word in ["Resigns", "e.p.", "", "x", "♘", "Ж", "e9", "ß1"] {
            assert!(!names_a_square(word), "{word}");
            assert!(read("", word).starts_with("expected"), "{word}");
        }
    }
}
