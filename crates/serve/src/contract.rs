//! The contract with the page, as types: what a question may hold, and what an answer holds.
//!
//! Everything is JSON. Scores, bands and points are from White's point of view; scores are in
//! centipawns, points from 0 (Black wins) to 1 (White wins).

use chess::Board;
use engine::{Position, Settled};
use review::replay::{LineAnswer, StepAnswer, VerdictAnswer};
use serde::{Deserialize, Serialize};

use http::message::{Refusal, Status};

/// Most half-moves of a game: more than the longest game that the rules of seventy-five moves
/// and people's patience have ever produced, and little enough for any question to be cheap.
pub const PLIES: usize = 6_000;

/// Where a game starts and what was played.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// The normal start if it is not there.
    pub fen: Option<String>,
    /// In UCI's notation, with spaces between them.
    #[serde(default)]
    pub moves: String,
}

/// A question about one position, and nothing else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// The game that leads to it.
    pub game: GameText,
}

/// A position to search while somebody watches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchQuestion {
    /// The game that leads to it.
    pub game: GameText,
    /// How many of the best lines.
    pub lines: Option<u32>,
    /// Threads of the search.
    pub threads: Option<u32>,
    /// Megabytes of the engine's table.
    pub hash: Option<u32>,
    /// What positions are judged with: one of the networks of `/api/about`.
    pub network: Option<String>,
    /// From -100, which prefers safe moves, to 100, which prefers complications.
    pub risk: Option<i32>,
    /// May the search ask the tablebases, if there are any?
    pub tablebases: Option<bool>,
    /// Ends the search when the engine is this sure of its move, in percent; 0 for never.
    pub sure: Option<u32>,
}

/// A game to search from end to beginning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewQuestion {
    /// The game.
    pub game: GameText,
    /// Milliseconds for each position.
    pub ms: Option<u32>,
    /// The players' ratings, White's first, where they are known.
    pub ratings: Option<[Option<u32>; 2]>,
}

/// A position in which the engine is to move.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayQuestion {
    /// The game that leads to it.
    pub game: GameText,
    /// Full strength if it is not there.
    pub elo: Option<u32>,
    /// Milliseconds for the move.
    pub ms: Option<u32>,
    /// A number that is another one in every game: players that are not at full strength choose
    /// among moves by it.
    pub seed: Option<u32>,
}

/// A game as people have it in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameQuestion {
    /// Its text.
    pub pgn: String,
}

/// Reads a question.
pub fn parse<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, Refusal> {
    serde_json::from_str(body)
        .map_err(|error| Refusal::bad(format!("expected a question in JSON: {error}")))
}

/// The types here hold nothing that JSON cannot say.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A number of a question, within bounds; `usual` if it is not there.
pub(crate) fn number(
    name: &str,
    given: Option<u32>,
    usual: u32,
    bounds: std::ops::RangeInclusive<u32>,
) -> Result<u32, Refusal> {
    let number = given.unwrap_or(usual);
    if bounds.contains(&number) {
        return Ok(number);
    }
    let (low, high) = (bounds.start(), bounds.end());
    Err(Refusal::bad(format!("expected {name} from {low} to {high}, got {number}")))
}

impl GameText {
    /// The game on a board.
    pub fn resolve(&self) -> Result<Position, Refusal> {
        let count = self.moves.split_ascii_whitespace().count();
        if count > PLIES {
            let reason = format!("expected at most {PLIES} half-moves, got {count}");
            return Err(Refusal::new(Status::TooLarge, reason));
        }
        let board = match &self.fen {
            None => Board::default(),
            Some(fen) => fen.trim().parse().map_err(|error| Refusal::bad(format!("{error}")))?,
        };
        let mut position = Position::new(board);
        for (index, text) in self.moves.split_ascii_whitespace().enumerate() {
            let mv = position.board().parse_uci(text).map_err(|error| {
                let text: String = text.chars().take(20).collect();
                Refusal::bad(format!("move {}: {error}, got {text:?}", index + 1))
            })?;
            position.play(mv);
        }
        Ok(position)
    }
}

/// Why a question was not answered.
#[derive(Serialize)]
pub(crate) struct ErrorAnswer {
    pub(crate) error: String,
}

/// What the server is and allows.
#[derive(Debug, Serialize)]
pub(crate) struct AboutAnswer {
    pub(crate) version: &'static str,
    pub(crate) threads: u32,
    pub(crate) most_threads: u32,
    /// Megabytes.
    pub(crate) hash: u32,
    pub(crate) most_hash: u32,
    /// What positions can be judged with, the usual one first.
    pub(crate) networks: Vec<String>,
    /// Most men that the tablebases cover; 0 without any.
    pub(crate) tablebases: usize,
    /// How sure the engine must be to end a search early, in percent; 0 for never.
    pub(crate) sure: u32,
}

/// The name of a game's opening, and the moves of the opening book.
#[derive(Debug, Serialize)]
pub(crate) struct BookAnswer {
    /// As `C60 Ruy Lopez`.
    pub(crate) opening: Option<String>,
    pub(crate) moves: Vec<BookMoveAnswer>,
    /// What the tablebases know.
    pub(crate) tablebase: Option<TablebaseAnswer>,
}

/// The result of a position with best play, and what each move leads to, the best first.
#[derive(Debug, Serialize)]
pub(crate) struct TablebaseAnswer {
    /// As `White wins`.
    pub(crate) text: String,
    pub(crate) moves: Vec<TablebaseMoveAnswer>,
}

#[derive(Debug, Serialize)]
pub(crate) struct TablebaseMoveAnswer {
    pub(crate) uci: String,
    /// As `wins, 12 to zero`: half-moves to the next capture or pawn move.
    pub(crate) result: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct BookMoveAnswer {
    pub(crate) uci: String,
    /// Of all the weight in the position, 0 to 1.
    pub(crate) share: f64,
}

/// The engine's move in a game.
#[derive(Debug, Serialize)]
pub(crate) struct PlayAnswer {
    pub(crate) uci: String,
    /// It is from the opening book, and nothing was searched.
    pub(crate) book: bool,
    pub(crate) verdict: Option<VerdictAnswer>,
    /// How sure the engine is of its first choice, 0 to 1.
    pub(crate) confidence: Option<f64>,
}

/// A game as everybody can read it, and what was wrong with the text.
#[derive(Debug, Serialize)]
pub(crate) struct GameAnswer {
    pub(crate) pgn: String,
    pub(crate) faults: Vec<String>,
}

/// One line of an answer that goes on. There are lines without anything, too: they only find out
/// whether somebody still listens.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", untagged)]
pub(crate) enum News {
    Found(Found),
    /// A review gets on.
    Progress {
        positions: usize,
        all: usize,
    },
    Reviewed(Box<ReviewAnswer>),
    /// Another window has the engine; there will be more when it is free.
    #[cfg_attr(
        not(feature = "server"),
        expect(dead_code, reason = "a page with its own engine shares it with nobody")
    )]
    Waiting {
        waiting: bool,
    },
    /// Nothing more will come.
    Done {
        done: bool,
        /// Why, if it was not the time.
        why: Option<Why>,
    },
}

/// Why a search ended before its time.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Why {
    /// The engine is sure of its move.
    Sure,
    /// More thought would not make it surer.
    Settled,
}

impl News {
    /// The end of a search.
    pub(crate) fn done(settled: Option<Settled>) -> Self {
        let why = settled.map(|settled| match settled {
            Settled::Sure(_) => Why::Sure,
            Settled::NoSurer(_) => Why::Settled,
        });
        Self::Done { done: true, why }
    }
}

/// What a search has found so far.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) ms: u64,
    pub(crate) lines: Vec<LineAnswer>,
}

/// A game that has been gone through. Nothing comes after it.
#[derive(Debug, Serialize)]
pub(crate) struct ReviewAnswer {
    /// Before the first move.
    pub(crate) start: VerdictAnswer,
    pub(crate) steps: Vec<StepAnswer>,
    pub(crate) summary: [SummaryAnswer; 2],
    pub(crate) done: bool,
}

/// One side's moves in numbers.
#[derive(Debug, Serialize)]
pub(crate) struct SummaryAnswer {
    pub(crate) side: String,
    pub(crate) moves: usize,
    pub(crate) loss: f64,
    pub(crate) unclear: usize,
    pub(crate) inaccuracies: usize,
    pub(crate) mistakes: usize,
    pub(crate) blunders: usize,
    pub(crate) agreed: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(body: &str) -> Refusal {
        let resolve = |question: PositionQuestion| question.game.resolve();
        parse(body).and_then(resolve).expect_err(body)
    }

    #[test]
    fn a_game_is_played_on_a_board() {
        let body = r#"{"game":{"fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1","moves":"e1g1 e8e7"}}"#;
        let question: PositionQuestion = parse(body).unwrap();
        assert_eq!(question.game.resolve().unwrap().played().len(), 2);
        let start: PositionQuestion = parse(r#"{"game":{}}"#).unwrap();
        assert_eq!(start.game.resolve().unwrap().board(), &Board::default());
    }

    #[test]
    fn what_is_no_game_is_refused_with_a_reason() {
        for (body, reason) in [
            (r#"{"game":{"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}}"#, "FEN"),
            (r#"{"game":{"moves":"e2e5"}}"#, "move 1: "),
            (r#"{"game":{"moves":3}}"#, "expected a question in JSON"),
            (r#"{"game":{},"extra":1}"#, "expected a question in JSON: unknown field"),
            ("", "expected a question in JSON"),
            (&"[".repeat(10_000), "expected a question in JSON"),
        ] {
            let Refusal { status, reason: got } = refused(body);
            assert!(status == Status::BadRequest && got.starts_with(reason), "{got}");
        }
    }

    #[test]
    fn a_game_without_end_is_too_large() {
        let game = |count: usize| {
            let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(count / 4);
            format!("{{\"game\":{{\"moves\":\"{moves}\"}}}}")
        };
        let Refusal { status, reason } = refused(&game(80_000));
        assert_eq!(status, Status::TooLarge);
        assert_eq!(reason, "expected at most 6000 half-moves, got 80000");
        let question: PositionQuestion = parse(&game(PLIES)).unwrap_or_else(|_| panic!("6000"));
        assert_eq!(question.game.resolve().unwrap().played().len(), PLIES);
    }

    #[test]
    fn numbers_have_bounds() {
        assert_eq!(number("lines", None, 3, 1..=5), Ok(3));
        assert_eq!(number("lines", Some(5), 3, 1..=5), Ok(5));
        let reason = number("lines", Some(9), 3, 1..=5).unwrap_err().reason;
        assert_eq!(reason, "expected lines from 1 to 5, got 9");
    }
}
