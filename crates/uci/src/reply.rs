//! What the engine says to a GUI.

use std::fmt;
use std::iter;

use search::{Bound, Event, Info, Settled, Share};

use crate::info::{InfoLine, Style};
use crate::words::Words;

/// The longest `info string`, in characters: an error repeats what came, which may be megabytes.
const MOST_TEXT: usize = 1000;

/// A line from the engine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Reply {
    /// `id name …`.
    IdName(String),
    /// `id author …`.
    IdAuthor(String),
    /// `option …`, as the table of options writes it, without the first word.
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
    /// What a search's event looks like: its line and, after one of a complete iteration, the quantiles
    /// of its score and the confidence in its move.
    pub fn from_event(event: &Event, style: &Style) -> Vec<Self> {
        let line = match event {
            Event::Info(info) => Self::Info(InfoLine::new(info, style)),
            Event::CurrentMove { depth, mv, number } => Self::Info(InfoLine {
                depth: Some(*depth),
                current_move: Some(style.mv(*mv)),
                current_move_number: Some(*number),
                ..InfoLine::default()
            }),
            Event::Settled(Settled::Sure(sure)) => {
                Self::Text(format!("sure enough: {:.1} percent", f64::from(*sure) / 10.0))
            }
            Event::Settled(Settled::NoSurer(sure)) => Self::Text(format!(
                "more thought does not help: {:.1} percent sure, and no surer than with a \
                 sixteenth of the nodes",
                f64::from(*sure) / 10.0
            )),
            Event::Shares(shares) => Self::visits(shares, style),
            Event::BestMove { best, ponder } => Self::BestMove {
                best: best.map(|mv| style.mv(mv)),
                ponder: ponder.map(|mv| style.mv(mv)),
            },
        };
        let more = match event {
            Event::Info(info) => [Self::quantiles(info), Self::confidence(info, style)],
            _ => [None, None],
        };
        iter::once(line).chain(more.into_iter().flatten()).collect()
    }

    /// How the visits divide among the moves that have any, in percent; the first ten.
    fn visits(shares: &[Share], style: &Style) -> Self {
        let visited = shares.iter().filter(|share| share.part > 0.0).take(10);
        let text =
            visited.map(|share| format!(" {} {:.1}", style.mv(share.mv), 100.0 * share.part));
        Self::Text(format!("visits{}", text.collect::<String>()))
    }

    /// How sure the engine is of a line's move, if it has an opinion.
    fn confidence(info: &Info, style: &Style) -> Option<Self> {
        let Info { depth, multi_pv, bound: Bound::Exact, confidence: Some(sure), pv, .. } = info
        else {
            return None;
        };
        let (mv, percent) = (style.mv(*pv.first()?), f64::from(*sure) / 10.0);
        Some(Self::Text(format!(
            "confidence depth {depth} multipv {multi_pv} move {mv} percent {percent:.1}"
        )))
    }

    /// The distribution of the best line, unless there is no doubt about it.
    fn quantiles(info: &Info) -> Option<Self> {
        let Info { depth, multi_pv: 1, bound: Bound::Exact, quantiles, .. } = info else {
            return None;
        };
        let [q10, q25, q50, q75, q90] = quantiles.to_array();
        (q10 < q90).then(|| {
            Self::Text(format!(
                "doubt depth {depth} q10 {q10} q25 {q25} q50 {q50} q75 {q75} q90 {q90}"
            ))
        })
    }

    /// The name of the option that an `option` line offers.
    pub fn option_name(&self) -> Option<&str> {
        let Self::Option(text) = self else { return None };
        let (name, _) = text.strip_prefix("name ")?.split_once(" type ")?;
        Some(name.trim())
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
            Self::Text(text) => match text.char_indices().nth(MOST_TEXT) {
                Some((end, _)) => write!(f, "info string {} …", &text[..end]),
                None => write!(f, "info string {text}"),
            },
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
    use std::time::Duration;

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
    fn options_have_names() {
        let name = |line: &str| Reply::parse(line)?.option_name().map(str::to_owned);
        let line = "option name Clear Hash type button";
        assert_eq!(name(line).as_deref(), Some("Clear Hash"));
        assert_eq!(name("option name Hash"), None);
        assert_eq!(name("uciok"), None);
    }

    #[test]
    fn words_for_a_human_have_an_end() {
        let text = Reply::Text("é".repeat(10_000_000)).to_string();
        assert!(text.ends_with("é …") && text.chars().count() < 1100);
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
        let lines = |event| -> Vec<String> {
            let replies = Reply::from_event(&event, &Style::default());
            replies.iter().map(ToString::to_string).collect()
        };
        let current = lines(Event::CurrentMove { depth: 20, mv, number: 3 });
        assert_eq!(current, ["info depth 20 currmove e2e4 currmovenumber 3"]);
        let sure = lines(Event::Settled(Settled::Sure(912)));
        assert_eq!(sure, ["info string sure enough: 91.2 percent"]);
        let best = lines(Event::BestMove { best: None, ponder: None });
        assert_eq!(best, ["bestmove (none)"]);
        let info = |multi_pv, bound, quantiles, confidence| {
            Event::Info(Info {
                depth: 4,
                seldepth: 5,
                multi_pv,
                score: 10,
                bound,
                quantiles,
                confidence,
                nodes: 6,
                tb_hits: 0,
                time: Duration::from_millis(1),
                hashfull: 0,
                pv: vec![mv],
            })
        };
        let quantiles = Quantiles::from_gaps(10, [1, 2, 3, 4]);
        assert_eq!(
            lines(info(1, Bound::Exact, quantiles, None))[1],
            "info string doubt depth 4 q10 7 q25 8 q50 10 q75 13 q90 17"
        );
        for quiet in [
            info(2, Bound::Exact, quantiles, None),
            info(1, Bound::Lower, quantiles, Some(900)),
            info(1, Bound::Exact, Quantiles::certain(10), None),
        ] {
            assert_eq!(lines(quiet).len(), 1);
        }
        assert_eq!(
            lines(info(2, Bound::Exact, quantiles, Some(842)))[1],
            "info string confidence depth 4 multipv 2 move e2e4 percent 84.2"
        );
    }
}
