//! The command `position`: where to start and which moves were played.

use std::fmt;
use std::str::FromStr;

use chess::Board;
use chess::notation::fen::FenError;
use chess::notation::uci::UciMoveError;
use search::Position;

use crate::words::{Words, quote};

/// Where a game starts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Start {
    /// The normal start.
    #[default]
    Normal,
    /// A FEN, not looked at yet.
    Fen(String),
}

/// A `position` command: still text, because only a board can say what its moves mean.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct PositionCommand {
    /// Where the game starts.
    pub start: Start,
    /// The moves since then, in UCI's notation.
    pub moves: Vec<String>,
}

/// Why a `position` command cannot be followed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PositionError {
    /// Neither `startpos` nor `fen`.
    Start(String),
    /// Something between the start and the word `moves`.
    Extra(String),
    /// The FEN is not one of a legal position.
    Fen(FenError),
    /// A move that is none, or not legal where it stands.
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: UciMoveError,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(word) if word.is_empty() => {
                f.write_str("expected \"startpos\" or \"fen\", got the end of the line")
            }
            Self::Start(word) => {
                write!(f, "expected \"startpos\" or \"fen\", got {}", quote(word))
            }
            Self::Extra(word) => write!(f, "expected \"moves\", got {}", quote(word)),
            Self::Fen(error) => error.fmt(f),
            Self::Move { number, error } => write!(f, "move {number}: {error}"),
        }
    }
}

impl std::error::Error for PositionError {}

impl PositionCommand {
    pub(crate) fn parse(words: &mut Words<'_>) -> Result<Self, PositionError> {
        let start = match words.next() {
            Some("startpos") => Start::Normal,
            Some("fen") => Start::Fen(fen_words(words)),
            other => return Err(PositionError::Start(other.unwrap_or_default().to_owned())),
        };
        match words.next() {
            None | Some("moves") => {}
            Some(other) => return Err(PositionError::Extra(other.to_owned())),
        }
        Ok(Self { start, moves: words.map(str::to_owned).collect() })
    }

    /// Sets up the start and plays the moves; the first fault ends it.
    pub fn resolve(&self) -> Result<Position, PositionError> {
        self.resolve_with_note().map(|(position, _)| position)
    }

    /// The same, with a word on what was wrong but could be put right.
    pub fn resolve_with_note(&self) -> Result<(Position, Option<String>), PositionError> {
        let (board, note) = match &self.start {
            Start::Normal => (Board::default(), None),
            Start::Fen(fen) => read_fen(fen).map_err(PositionError::Fen)?,
        };
        let mut position = Position::new(board);
        for (index, text) in self.moves.iter().enumerate() {
            let mv = position
                .board()
                .parse_uci(text)
                .map_err(|error| PositionError::Move { number: index + 1, error })?;
            position.play(mv);
        }
        Ok((position, note))
    }
}

/// Reads a FEN. Castling rights whose king or rook has left are dropped, as other programs do:
/// many collections hold positions that were edited by hand.
fn read_fen(fen: &str) -> Result<(Board, Option<String>), FenError> {
    let fault = match Board::from_str(fen) {
        Ok(board) => return Ok((board, None)),
        Err(fault) => fault,
    };
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let with_rights = |rights: &str| {
        let mut fields = fields.clone();
        fields[2] = if rights.is_empty() { "-" } else { rights };
        Board::from_str(&fields.join(" "))
    };
    let Some(given) = fields.get(2).filter(|given| **given != "-" && given.len() <= 4) else {
        return Err(fault);
    };
    let mut board = with_rights("").map_err(|_| fault)?;
    let mut kept = String::new();
    for right in given.chars() {
        let more = format!("{kept}{right}");
        if let Ok(found) = with_rights(&more) {
            (board, kept) = (found, more);
        }
    }
    let kept = if kept.is_empty() { "-" } else { &kept };
    let note = format!("castling rights {} read as {kept}: {fault}", quote(given));
    Ok((board, Some(note)))
}

/// The words up to `moves`, joined by single spaces.
fn fen_words(words: &mut Words<'_>) -> String {
    let mut fields = Vec::new();
    while let Some(word) = words.peek()
        && word != "moves"
    {
        fields.push(word);
        words.next();
    }
    // Several programs count full moves from 0; the rules do not depend on it.
    if fields.len() == 6 && fields[5] == "0" {
        fields[5] = "1";
    }
    fields.join(" ")
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Normal => f.write_str("position startpos")?,
            Start::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<Position, PositionError> {
        PositionCommand::parse(&mut Words::new(text))?.resolve()
    }

    #[test]
    fn moves_are_played_and_remembered() {
        let position = resolve("startpos moves g1f3 g8f6 f3g1 f6g8").unwrap();
        assert_eq!(position.keys().len(), 4);
        assert_eq!(position.board().key(), Board::default().key());
    }

    #[test]
    fn castling_rights_without_their_rook_are_dropped() {
        for (rights, read) in [("KQkq", "Kkq"), ("Q", "-"), ("QK", "K")] {
            let fen = format!("r3k2r/8/8/8/8/8/8/4K2R w {rights} - 0 1");
            let command = PositionCommand { start: Start::Fen(fen), moves: Vec::new() };
            let (position, note) = command.resolve_with_note().unwrap();
            assert_eq!(
                position.board().to_string(),
                format!("r3k2r/8/8/8/8/8/8/4K2R w {read} - 0 1")
            );
            assert!(note.unwrap().contains(&format!("read as {read}")));
        }
        let fine = resolve("fen r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1").unwrap();
        assert_eq!(fine.board().castling().iter().count(), 3);
        assert!(resolve("fen r3k2r/8/8/8/8/8/8/7R w Kkq - 0 1").is_err());
    }

    #[test]
    fn a_fen_needs_no_counters() {
        let four = resolve("fen 8/8/8/8/8/4k3/4p3/4K3 w - -").unwrap();
        let six = resolve("fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 0").unwrap();
        assert_eq!(four.board().to_string(), six.board().to_string());
    }

    #[test]
    fn chess960_castling_is_king_takes_rook() {
        let fen = "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let position = resolve(&format!("{fen} moves g1f1")).unwrap_err();
        assert!(matches!(position, PositionError::Move { number: 1, .. }));
        assert!(resolve("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8c8").is_ok());
    }

    #[test]
    fn faults_are_named() {
        for (text, message) in [
            ("", "expected \"startpos\" or \"fen\", got the end of the line"),
            ("start", "expected \"startpos\" or \"fen\", got \"start\""),
            ("startpos e2e4", "expected \"moves\", got \"e2e4\""),
            ("startpos moves e2e4 e2e4", "move 2: expected a legal move of the position"),
            ("startpos moves e2é4", "move 1: expected a move like e2e4"),
            ("fen 8/8 w - -", "expected 8 ranks"),
            ("fen", "expected the field \"board\""),
        ] {
            let error = resolve(text).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn writing_and_reading_agree() {
        for text in ["position startpos", "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1 moves e1d2"]
        {
            let mut words = Words::new(text);
            words.next();
            assert_eq!(PositionCommand::parse(&mut words).unwrap().to_string(), text);
        }
    }
}
