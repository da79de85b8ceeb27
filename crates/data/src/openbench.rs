//! OpenBench's way of asking for openings: `genfens 1000 seed 42 book None`.
//!
//! OpenBench starts an engine with this text as one argument and reads lines that begin with
//! `info string genfens`. Words it does not know are passed on from the test's settings; they
//! come in pairs and are ignored here.

use std::fmt;
use std::str::FromStr;

use chess::notation::Excerpt;
use chess::{Board, Rng};

use crate::Openings;

/// What OpenBench asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GenfensRequest {
    /// How many openings.
    pub count: u64,
    /// They follow from this number.
    pub seed: u64,
    /// The book to start from, if not from the normal start.
    pub book: Option<String>,
}

/// Why a text is no request for openings.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum GenfensError {
    /// It does not begin with the word `genfens`.
    Command(Excerpt),
    /// A number is missing or is none.
    Number(&'static str, Excerpt),
}

impl fmt::Display for GenfensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(got) => {
                write!(f, "expected \"genfens N seed S book FILE|None\", got {got}")
            }
            Self::Number(what, got) => write!(f, "genfens: expected {what}, got {got}"),
        }
    }
}

impl std::error::Error for GenfensError {}

impl FromStr for GenfensRequest {
    type Err = GenfensError;

    fn from_str(text: &str) -> Result<Self, GenfensError> {
        let mut words = text.split_whitespace();
        if words.next() != Some("genfens") {
            return Err(GenfensError::Command(Excerpt::new(text)));
        }
        let number = |what, word: Option<&str>| {
            let word = word.unwrap_or_default();
            word.parse().map_err(|_| GenfensError::Number(what, Excerpt::new(word)))
        };
        let count = number("how many openings", words.next())?;
        let mut request = Self { count, seed: 0, book: None };
        while let Some(word) = words.next() {
            let value = words.next();
            match word {
                "seed" => request.seed = number("a seed", value)?,
                "book" => request.book = value.filter(|&b| b != "None").map(str::to_owned),
                _ => {}
            }
        }
        Ok(request)
    }
}

impl GenfensRequest {
    /// The openings as lines to print.
    pub fn lines<'a>(&'a self, openings: &'a Openings) -> impl Iterator<Item = String> + 'a {
        (0..self.count).map(|number| {
            let board: Board = openings.draw(&mut Rng::stream(self.seed, number));
            format!("info string genfens {board}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<GenfensRequest, GenfensError> {
        text.parse()
    }

    #[test]
    fn requests_are_read() {
        let plain = GenfensRequest { count: 1000, seed: 42, book: None };
        assert_eq!(parse("genfens 1000 seed 42 book None"), Ok(plain.clone()));
        assert_eq!(parse("genfens 1000 book None seed 42 dfrc yes"), Ok(plain));
        let book = parse("genfens 3 seed 1 book Books/uho.epd").unwrap().book;
        assert_eq!(book.as_deref(), Some("Books/uho.epd"));
    }

    #[test]
    fn bad_requests_are_explained() {
        for text in
            ["", "go", "genfens", "genfens x", "genfens -1", "genfens 3 seed", "genfens 3 seed -1"]
        {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("expected"), "{text:?}: {error}");
        }
    }

    #[test]
    fn every_line_holds_a_position_to_play() {
        let request = GenfensRequest { count: 50, seed: 3, book: None };
        let lines: Vec<_> = request.lines(&Openings::default()).collect();
        assert_eq!(lines.len(), 50);
        for line in lines {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            assert!(fen.parse::<Board>().unwrap().has_legal_move(), "{line}");
        }
    }
}
