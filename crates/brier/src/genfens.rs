//! `brier "genfens 10 seed 7 book None" quit`: openings as OpenBench asks the engine for them.

use std::io::Write;

use chess::Board;
use data::{GenfensRequest, Openings};

use crate::{Failure, text_file};

/// The longest file of openings.
const MOST_BYTES: u64 = 1 << 30;

/// Prints the openings of a request.
pub(crate) fn run(text: &str, out: &mut impl Write) -> Result<(), Failure> {
    let request: GenfensRequest = text.parse().map_err(|error| fault(&error))?;
    // OpenBench plays standard chess with them, in which Chess960's castling moves are illegal.
    let mut openings = Openings { chess960: 0.0, ..Openings::default() };
    if let Some(path) = &request.book {
        openings.book = read_book(path)?;
        openings.from_book = 1.0;
    }
    request.lines(&openings).try_for_each(|line| writeln!(out, "{line}")).map_err(Failure::Output)
}

fn read_book(path: &str) -> Result<Vec<Board>, Failure> {
    let text = text_file::read(path.as_ref(), MOST_BYTES).map_err(|reason| fault(&reason))?;
    data::read_book(&text).map_err(|error| fault(&format!("{path}, {error}")))
}

fn fault(reason: &dyn std::fmt::Display) -> Failure {
    Failure::Other(reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn openings_are_legal_and_repeatable() {
        let print = |text: &str| {
            let mut out = Vec::new();
            assert!(run(text, &mut out).is_ok());
            String::from_utf8(out).unwrap()
        };
        let lines = print("genfens 5 seed 7 book None");
        assert_eq!(lines, print("genfens 5 seed 7 book None"));
        assert_ne!(lines, print("genfens 5 seed 8 book None"));
        assert_eq!(lines.lines().count(), 5);
        for line in lines.lines() {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            assert!(fen.parse::<chess::Board>().is_ok(), "{fen}");
        }
    }

    /// Whoever may castle has king and rook where standard chess has them.
    #[test]
    fn openings_are_standard_chess() {
        let mut out = Vec::new();
        assert!(run("genfens 200 seed 3 book None", &mut out).is_ok());
        let text = String::from_utf8(out).unwrap();
        let mut rights = 0;
        for line in text.lines() {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            let board: chess::Board = fen.parse().unwrap();
            assert!(!board.is_chess960(), "{fen}");
            rights += board.castling().iter().count();
        }
        assert!(rights > 200);
    }

    #[test]
    fn faults_are_errors() {
        for text in ["genfens", "genfens many", "genfens 1 book no/such/book.epd"] {
            assert!(run(text, &mut Vec::new()).is_err(), "{text}");
        }
    }
}
