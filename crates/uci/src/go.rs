//! The command `go`: how long to think.
//!
//! A `go` is never refused, because whoever sent it waits for `bestmove`. What cannot be read is
//! left out and reported as a [`GoFault`].

use std::fmt;
use std::time::Duration;

use chess::{Board, Color};
use search::{Clock, Limits};

use crate::words::{Words, quote};

/// One side's clock as the command gives it, in milliseconds; negative if the flag has fallen.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct ClockText {
    /// Time left.
    pub time: Option<i64>,
    /// Time added after each move.
    pub increment: Option<i64>,
}

/// A `go` command.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Go {
    /// `depth`.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `mate`: look for a mate in this many moves.
    pub mate: Option<u32>,
    /// `movetime`, in milliseconds.
    pub move_time: Option<u64>,
    /// `wtime` and `winc`.
    pub white: ClockText,
    /// `btime` and `binc`.
    pub black: ClockText,
    /// `movestogo`.
    pub moves_to_go: Option<u32>,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `searchmoves`, not looked at yet.
    pub search_moves: Vec<String>,
    /// `perft`: count positions instead of searching.
    pub perft: Option<u32>,
    /// What could not be read.
    pub faults: Vec<GoFault>,
}

/// A part of a `go` command that was left out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum GoFault {
    /// A word that wants a number, and what came instead.
    Number {
        /// The word.
        word: &'static str,
        /// What follows it; empty at the end of the line.
        got: String,
    },
    /// A root move that is not legal.
    SearchMove(String),
}

impl fmt::Display for GoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { word, got } if got.is_empty() => {
                write!(f, "expected a number after \"{word}\", got the end of the line")
            }
            Self::Number { word, got } => {
                write!(f, "expected a number after \"{word}\", got {}", quote(got))
            }
            Self::SearchMove(text) => {
                write!(f, "expected legal moves after \"searchmoves\", got {}", quote(text))
            }
        }
    }
}

impl Go {
    pub(crate) fn parse(words: &mut Words<'_>) -> Self {
        let mut go = Self::default();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => go.read_moves(words),
                _ => go.read_number(word, words),
            }
        }
        go
    }

    fn read_moves(&mut self, words: &mut Words<'_>) {
        while let Some(word) = words.peek()
            && looks_like_a_move(word)
        {
            self.search_moves.push(word.to_owned());
            words.next();
        }
    }

    /// Reads a word with a number; a word that nobody knows is skipped, as the protocol says.
    fn read_number(&mut self, word: &str, words: &mut Words<'_>) {
        const NUMBERS: [&str; 10] = [
            "depth",
            "nodes",
            "mate",
            "movetime",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "perft",
        ];
        let Some(word) = NUMBERS.into_iter().find(|&known| known == word) else { return };
        let Some(value) = words.number() else {
            let got = words.peek().unwrap_or_default().to_owned();
            self.faults.push(GoFault::Number { word, got });
            return;
        };
        let small = u32::try_from(value.max(0)).unwrap_or(u32::MAX);
        match word {
            "depth" => self.depth = Some(small.max(1)),
            "nodes" => self.nodes = Some(value.max(1).unsigned_abs()),
            "mate" => self.mate = Some(small.max(1)),
            "movetime" => self.move_time = Some(value.max(0).unsigned_abs()),
            "wtime" => self.white.time = Some(value),
            "btime" => self.black.time = Some(value),
            "winc" => self.white.increment = Some(value),
            "binc" => self.black.increment = Some(value),
            "movestogo" => self.moves_to_go = Some(small).filter(|&n| n > 0),
            _ => self.perft = Some(small),
        }
    }

    /// The limits for the side to move, and everything that had to be left out.
    pub fn limits(&self, board: &Board) -> (Limits, Vec<GoFault>) {
        let mut faults = self.faults.clone();
        let mut search_moves = Vec::new();
        for text in &self.search_moves {
            match board.parse_uci(text) {
                Ok(mv) if search_moves.contains(&mv) => {}
                Ok(mv) => search_moves.push(mv),
                Err(_) => faults.push(GoFault::SearchMove(text.clone())),
            }
        }
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: None,
            mate: self.mate,
            sure: None,
            move_time: self.move_time.map(Duration::from_millis),
            clock: self.clock(board.side_to_move()),
            start: None,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
        };
        // A limit was meant but not understood: a quick answer is better than none for ever.
        let a_number_is_lost = faults.iter().any(|f| matches!(f, GoFault::Number { .. }));
        if a_number_is_lost && limits_nothing(&limits) {
            limits.depth = Some(1);
        }
        (limits, faults)
    }

    /// The clock of one side. If only the other's is given, that one is the best guess.
    fn clock(&self, side: Color) -> Option<Clock> {
        let (ours, theirs) = match side {
            Color::White => (self.white, self.black),
            Color::Black => (self.black, self.white),
        };
        let given = [ours, theirs].into_iter().find(|clock| *clock != ClockText::default())?;
        Some(Clock {
            remaining: milliseconds(given.time),
            increment: milliseconds(given.increment),
            moves_to_go: self.moves_to_go,
        })
    }
}

/// Is nothing set that says when to stop?
fn limits_nothing(limits: &Limits) -> bool {
    *limits == Limits { search_moves: limits.search_moves.clone(), ..Limits::default() }
}

/// A clock below zero has run out.
fn milliseconds(value: Option<i64>) -> Duration {
    Duration::from_millis(value.unwrap_or(0).max(0).unsigned_abs())
}

fn looks_like_a_move(word: &str) -> bool {
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let bytes = word.as_bytes();
    matches!(bytes.len(), 4 | 5) && square(&bytes[..2]) && square(&bytes[2..4])
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let mut number = |word: &str, value: Option<i128>| match value {
            Some(value) => write!(f, " {word} {value}"),
            None => Ok(()),
        };
        number("depth", self.depth.map(i128::from))?;
        number("nodes", self.nodes.map(i128::from))?;
        number("mate", self.mate.map(i128::from))?;
        number("movetime", self.move_time.map(i128::from))?;
        number("wtime", self.white.time.map(i128::from))?;
        number("btime", self.black.time.map(i128::from))?;
        number("winc", self.white.increment.map(i128::from))?;
        number("binc", self.black.increment.map(i128::from))?;
        number("movestogo", self.moves_to_go.map(i128::from))?;
        number("perft", self.perft.map(i128::from))?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> (Limits, Vec<GoFault>) {
        Go::parse(&mut Words::new(text)).limits(&Board::default())
    }

    #[test]
    fn clocks_belong_to_the_side_to_move() {
        let go = Go::parse(&mut Words::new("wtime 1 btime 2 winc 3 binc 4 movestogo 5"));
        let black = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1".parse().unwrap();
        let clock = go.limits(&black).0.clock.unwrap();
        assert_eq!(clock.remaining, Duration::from_millis(2));
        assert_eq!(clock.increment, Duration::from_millis(4));
        assert_eq!(clock.moves_to_go, Some(5));
    }

    #[test]
    fn strange_clocks_are_clocks() {
        let zero = Some(Clock::default());
        assert_eq!(limits("wtime 0 btime 0").0.clock, zero);
        assert_eq!(limits("wtime -500 btime 70").0.clock, zero);
        let increment_only = limits("winc 100").0.clock.unwrap();
        assert_eq!(increment_only.increment, Duration::from_millis(100));
        let theirs = limits("btime 300").0.clock.unwrap();
        assert_eq!(theirs.remaining, Duration::from_millis(300));
        assert_eq!(limits("movetime -3").0.move_time, Some(Duration::ZERO));
        assert!(limits("wtime 99999999999999999999999").0.clock.is_some());
    }

    #[test]
    fn unknown_words_are_skipped() {
        let (limits, faults) = limits("quickly depth 3 please nodes 9");
        assert_eq!((limits.depth, limits.nodes), (Some(3), Some(9)));
        assert!(faults.is_empty());
    }

    #[test]
    fn a_broken_number_never_means_for_ever() {
        for text in ["depth", "depth x", "movetime 1.5", "nodes -"] {
            let (limits, faults) = limits(text);
            assert_eq!(limits.depth, Some(1), "{text}");
            assert_eq!(faults.len(), 1, "{text}");
        }
        let (kept, faults) = limits("depth infinite");
        assert!(kept.infinite && kept.depth.is_none() && faults.len() == 1);
        assert_eq!(limits("").0, Limits::default());
    }

    #[test]
    fn search_moves_end_where_moves_end() {
        let (found, faults) = limits("searchmoves e2e4 e2e5 d2d4 e2e4 depth 4");
        let names: Vec<_> = found.search_moves.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["e2e4", "d2d4"]);
        assert_eq!(found.depth, Some(4));
        assert_eq!(faults, [GoFault::SearchMove("e2e5".to_owned())]);
    }

    #[test]
    fn writing_and_reading_agree() {
        let text = "go depth 1 nodes 2 mate 3 movetime 4 wtime -5 btime 6 winc 7 binc 8 \
                    movestogo 9 perft 10 infinite ponder searchmoves a2a3 h7h8q";
        let mut words = Words::new(text);
        words.next();
        assert_eq!(Go::parse(&mut words).to_string(), text);
    }
}
