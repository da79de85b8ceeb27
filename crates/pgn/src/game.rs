//! A game: who played, from where, the moves with what is said about them, and how it ended.

use std::fmt;

use chess::{Board, Move};

use crate::fault::{Fault, Reason};

/// A game with everything its text says.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its place in the input, from 1.
    pub number: usize,
    /// Names and values in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The position of the first move.
    pub start: Board,
    /// What is said before the first move.
    pub preface: String,
    /// The moves that were played.
    pub moves: Vec<Played>,
    /// How it ended.
    pub result: GameResult,
    /// What could not be read.
    pub faults: Vec<Fault>,
}

/// A move and what is said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// What is said before it, which only the first move of a variation has.
    pub before: String,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub nags: Vec<u8>,
    /// What is said after it, commands such as `[%clk 0:05:00]` included.
    pub comment: String,
    /// What might have been played instead.
    pub variations: Vec<Vec<Self>>,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl Default for Game {
    fn default() -> Self {
        Self::from_moves(Board::default(), &[])
    }
}

impl Game {
    /// Moves without names.
    pub fn from_moves(start: Board, moves: &[Move]) -> Self {
        Self {
            number: 1,
            tags: Vec::new(),
            start,
            preface: String::new(),
            moves: Played::line(moves),
            result: GameResult::Unknown,
            faults: Vec::new(),
        }
    }

    /// A tag's value, unless it is missing or says that nothing is known.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(tag, _)| tag == name)?;
        let unknown = value.is_empty() || value.starts_with('?') || value == "-";
        (!unknown).then_some(value)
    }

    /// Who played whom: `White - Black` if nobody is named.
    pub fn players(&self) -> String {
        let name = |tag, nobody: &'static str| self.tag(tag).unwrap_or(nobody);
        format!("{} - {}", name("White", "White"), name("Black", "Black"))
    }

    /// The same with ratings: `A (2100) - B (1950)`.
    pub fn rated_players(&self) -> String {
        let name = |name: &str, rating: &str| {
            let who = self.tag(name).unwrap_or(name);
            self.tag(rating).map_or_else(|| who.to_owned(), |rating| format!("{who} ({rating})"))
        };
        format!("{} - {}", name("White", "WhiteElo"), name("Black", "BlackElo"))
    }

    /// Where, when, and how it ended: `Cup, 1900, 1/2-1/2`.
    pub fn occasion(&self) -> String {
        let tags = ["Event", "Site", "Date"].into_iter().filter_map(|tag| self.tag(tag));
        // Of a date only what is known.
        let mut words: Vec<&str> = tags.map(|value| value.trim_end_matches(".??")).collect();
        words.dedup();
        words.push(match self.result {
            GameResult::Unknown => "unfinished",
            result => result.as_str(),
        });
        words.join(", ")
    }

    /// The boards of the main line: the start, then the one after each move.
    pub fn positions(&self) -> impl Iterator<Item = Board> + '_ {
        let mut board = self.start.clone();
        let mut moves = self.moves.iter();
        std::iter::once(self.start.clone()).chain(std::iter::from_fn(move || {
            board.make_move(moves.next()?.mv, &mut ());
            Some(board.clone())
        }))
    }

    /// Why the main line was not read to its end, or not at all.
    pub fn cut(&self) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.cuts)
    }

    /// Can its moves not be read at all, because their first position is unknown?
    pub fn is_unreadable(&self) -> bool {
        self.moves.is_empty()
            && self.faults.iter().any(|f| matches!(f.reason, Reason::Fen(_) | Reason::Variant(_)))
    }
}

impl Played {
    /// A move of which nothing is said.
    pub fn new(mv: Move) -> Self {
        let (before, comment) = (String::new(), String::new());
        Self { mv, before, nags: Vec::new(), comment, variations: Vec::new() }
    }

    /// Moves of which nothing is said.
    pub fn line(moves: &[Move]) -> Vec<Self> {
        moves.iter().map(|&mv| Self::new(mv)).collect()
    }
}

impl GameResult {
    /// Reads one of the four marks at the end of a game, or the kinds in which they are written.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" | "1–0" | "1:0" => Some(Self::WhiteWins),
            "0-1" | "0–1" | "0:1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2–1/2" | "1/2" | "½-½" | "½–½" | "½" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }

    /// As PGN writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
