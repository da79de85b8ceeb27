//! The engine as an opponent: a book move where there is one, else a search at the strength that
//! was asked for.

use std::time::Duration;

use chess::Move;
use engine::{Engine, Limits, OptionError, Position};

use review::verdict::Verdict;

/// Half-moves from the start that are played from the book.
const BOOK_PLIES: &str = "16";

/// An engine that plays games.
pub(crate) struct Player {
    engine: Engine,
}

/// What it plays.
pub(crate) struct Choice {
    pub(crate) mv: Move,
    pub(crate) is_book: bool,
    /// From White's point of view; none for a move of the book.
    pub(crate) verdict: Option<Verdict>,
    /// How sure the engine is of its first choice, 0 to 1.
    pub(crate) confidence: Option<f64>,
}

impl Player {
    pub(crate) fn new(mut engine: Engine) -> Result<Self, OptionError> {
        engine.set("OwnBook", Some("true"))?;
        engine.set("BookDepth", Some(BOOK_PLIES))?;
        Ok(Self { engine })
    }

    /// A move for a position that has legal ones, at about a rating or at full strength. The seed is
    /// the game's: in another game the same position may bring another move.
    pub(crate) fn choose(
        &mut self,
        position: &Position,
        elo: Option<u32>,
        seed: u64,
        time: Duration,
    ) -> Result<Option<Choice>, OptionError> {
        let limited = if elo.is_some() { "true" } else { "false" };
        self.engine.set("UCI_LimitStrength", Some(limited))?;
        if let Some(elo) = elo {
            self.engine.set("UCI_Elo", Some(&elo.to_string()))?;
        }
        self.engine.set_seed(seed);
        let limits = Limits { move_time: Some(time), ..Limits::default() };
        let answer = self.engine.ask(position, &limits);
        let side = position.board().side_to_move();
        let best = answer.lines.first();
        let verdict = best.map(|line| Verdict::new(line.score, line.quantiles).seen_by(side));
        let confidence = best.and_then(|line| line.confidence).map(|sure| f64::from(sure) / 1000.0);
        let is_book = answer.is_book;
        Ok(answer.best.map(|mv| Choice { mv, is_book, verdict, confidence }))
    }
}
