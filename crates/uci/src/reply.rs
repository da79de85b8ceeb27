//! What the engine says to a GUI.

use std::fmt;

use search::Event;

use crate::info::{InfoLine, Style};
use crate::words::Words;

/// A line from the engine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Reply {
    /// `id name …`.
    IdName(String),
    /// `id author …`.
    IdAuthor(String),
    /// `option …`, as [`crate::options::Row`] writes it, without the first word.
    Option(String),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info …`.
    Info(InfoLine),
    /// `info string …`: words for a human.
    Text(String),
    /// `bestmove …`.
    BestMove {
        /// The move; none, written `(none)`, if the game is over.
        best: Option<String>,
        /// The reply to ponder on.
        ponder: Option<String>,
    },
}

impl Reply {
    /// What a search's event looks like; some are of no interest to a GUI.
    pub fn from_event(event: &Event, style: &mut Style) -> Option<Self> {
        Some(match event {
            Event::Info(info) => Self::Info(InfoLine::new(info, style)),
            Event::Doubt { quantiles, .. } if quantiles.uncertainty() == 0 => return None,
            Event::Doubt { depth, quantiles } => {
                style.set_doubt(*quantiles);
                let [q10, q25, q50, q75, q90] = quantiles.to_array();
                Self::Text(format!(
                    "doubt depth {depth} q10 {q10} q25 {q25} q50 {q50} q75 {q75} q90 {q90}"
                ))
            }
            Event::CurrentMove { depth, mv, number } => Self::Info(InfoLine {
                depth: Some(*depth),
                current_move: Some(style.mv(*mv)),
                current_move_number: Some(*number),
                ..InfoLine::default()
            }),
            Event::BestMove { best, ponder } => Self::BestMove {
                best: best.map(|mv| style.mv(mv)),
                ponder: ponder.map(|mv| style.mv(mv)),
            },
        })
    }

    /// Reads a line from an engine; none if it is not one of these.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = Words::new(line);
        Some(match words.next()? {
            "id" => match words.next()? {
                "name" => Self::IdName(words.rest().to_owned()),
                "author" => Self::IdAuthor(words.rest().to_owned()),
                _ => return None,
            },
            "option" => Self::Option(words.rest().to_owned()),
            "uciok" => Self::UciOk,
            "readyok" => Self::ReadyOk,
            "info" if words.peek() == Some("string") => {
                words.next();
                Self::Text(words.rest().to_owned())
            }
            "info" => Self::Info(InfoLine::parse(&mut words)),
            "bestmove" => {
                let played = |word: &&str| !matches!(*word, "(none)" | "0000");
                let best = words.next().filter(played).map(str::to_owned);
                let ponder = match words.next() {
                    Some("ponder") => words.next().filter(played).map(str::to_owned),
                    _ => None,
                };
                Self::BestMove { best, ponder }
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write!(f, "id name {name}"),
            Self::IdAuthor(author) => write!(f, "id author {author}"),
            Self::Option(option) => write!(f, "option {option}"),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(line) => line.fmt(f),
            Self::Text(text) => write!(f, "info string {text}"),
            Self::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {ponder}"),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;
    use eval::Quantiles;

    use super::*;

    #[test]
    fn writing_and_reading_agree() {
        for text in [
            "id name Brier 0.1.0",
            "id author the Brier team",
            "option name Hash type spin default 16 min 1 max 33554432",
            "uciok",
            "readyok",
            "info depth 3 score cp 12 pv e2e4",
            "info string anything  goes",
            "bestmove e2e4",
            "bestmove e2e4 ponder e7e5",
            "bestmove (none)",
        ] {
            assert_eq!(Reply::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_lines_are_none() {
        for text in ["", "hello", "id", "id card", "nodes 5"] {
            assert_eq!(Reply::parse(text), None, "{text}");
        }
    }

    #[test]
    fn events_become_lines() {
        let board = Board::default();
        let mv = board.parse_uci("e2e4").unwrap();
        let line =
            |event| Reply::from_event(&event, &mut Style::default()).map(|reply| reply.to_string());
        let current = line(Event::CurrentMove { depth: 20, mv, number: 3 });
        assert_eq!(current.as_deref(), Some("info depth 20 currmove e2e4 currmovenumber 3"));
        let best = line(Event::BestMove { best: None, ponder: None });
        assert_eq!(best.as_deref(), Some("bestmove (none)"));
        assert_eq!(line(Event::Doubt { depth: 4, quantiles: Quantiles::certain(9) }), None);
        let quantiles = Quantiles::from_gaps(10, [1, 2, 3, 4]);
        assert_eq!(
            line(Event::Doubt { depth: 4, quantiles }).as_deref(),
            Some("info string doubt depth 4 q10 7 q25 8 q50 10 q75 13 q90 17")
        );
    }
}
