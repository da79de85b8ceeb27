//! What the scripts of pages get to know about a reviewed game, as JSON: the contract with `web/src`.
//!
//! Scores, bands and points are from White's point of view; scores are in centipawns, points from 0
//! (Black wins) to 1 (White wins).

use chess::{Board, Color};
use eval::score::MATE;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use uci::ScoreText;

use crate::moments;
use crate::record::rounded;
use crate::review::{Review, Step};
use crate::searcher::Line;
use crate::verdict::Verdict;

/// The script with the board, and its style, as they are built from `web/src/report.js`.
pub const SCRIPT: &str = include_str!("replay/report.js");
/// Its style.
pub const STYLE: &str = include_str!("replay/style.css");

/// A line of play, in UCI's notation.
#[derive(Debug, Serialize)]
pub struct LineAnswer {
    /// Castling is king takes rook.
    pub moves: Vec<String>,
    /// What it is worth.
    #[serde(flatten)]
    pub verdict: VerdictAnswer,
    /// How likely a longer search finds the first move the best or nearly so, where it can be said.
    pub confidence: Option<f64>,
}

/// What is thought of a position.
#[derive(Debug, Serialize)]
pub struct VerdictAnswer {
    /// Centipawns or a mate.
    pub score: ScoreAnswer,
    /// What a deeper search may find: the five quantiles as scores.
    pub quantiles: [i32; 5],
    /// The five quantiles as points.
    pub points: [f64; 5],
    /// The mean of the points.
    pub expected: f64,
}

/// One of the two.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreAnswer {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative if Black mates; 0 when it is on the board.
    Mate(i32),
}

/// How hard a move was to find.
#[derive(Debug, Serialize)]
pub struct FoundAnswer {
    /// By a player of this rating.
    pub rating: u32,
    /// From 0 to 1.
    pub chance: f64,
}

/// A move of the game.
#[derive(Debug, Serialize)]
pub struct StepAnswer {
    /// `fine`, `unclear`, `inaccuracy`, `mistake` or `blunder`.
    pub mark: &'static str,
    /// The mark as players write it.
    pub symbol: &'static str,
    /// Expected points lost.
    pub loss: f64,
    /// After the move.
    pub played: VerdictAnswer,
    /// The engine's line, where the move lost something against it.
    pub better: Option<LineAnswer>,
    /// How likely a player of the mover's rating finds the better move, where this one is marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundAnswer>,
    /// What a marked move did, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
}

/// A game of a page.
#[derive(Serialize)]
struct GameData {
    title: String,
    /// The game as it came.
    pgn: String,
    steps: Vec<StepAnswer>,
    /// Who sits below the board.
    side: &'static str,
    /// Whose moves are looked at, if somebody's.
    me: Option<&'static str>,
}

impl LineAnswer {
    /// A line from a board.
    pub fn new(board: &Board, line: &Line) -> Self {
        Self {
            moves: line.moves.iter().map(ToString::to_string).collect(),
            verdict: VerdictAnswer::new(board, &line.verdict),
            confidence: line.confidence,
        }
    }
}

impl VerdictAnswer {
    /// A verdict from White's point of view about a board.
    pub fn new(board: &Board, verdict: &Verdict) -> Self {
        let plies = MATE - verdict.score.abs();
        Self {
            score: match ScoreText::new(verdict.score) {
                ScoreText::Centipawns(value) => ScoreAnswer::Cp(value),
                // Counted here, because the protocol's count is for the side to move only.
                ScoreText::Mate(_) => ScoreAnswer::Mate((plies + 1) / 2 * verdict.score.signum()),
            },
            quantiles: verdict.band.to_array(),
            points: verdict.point_band(board).map(rounded),
            expected: rounded(verdict.points(board)),
        }
    }
}

impl StepAnswer {
    /// A move of a game.
    pub fn new(step: &Step) -> Self {
        Self {
            mark: step.mark.word(),
            symbol: step.mark.symbol(),
            loss: rounded(step.loss),
            played: VerdictAnswer::new(&step.after, &step.verdict),
            better: step.better().map(|_| LineAnswer::new(&step.before, &step.best)),
            found: step
                .found
                .map(|found| FoundAnswer { rating: found.rating, chance: rounded(found.chance) }),
            sentence: None,
        }
    }
}

/// The game for the script of a page, as an element that shows nothing.
pub(crate) fn data(review: &Review, me: Option<Color>) -> Markup {
    let name = |side| if side == Color::White { "white" } else { "black" };
    let step = |(ply, step): (usize, &Step)| StepAnswer {
        sentence: step.mark.is_fault().then(|| moments::sentence(review, ply)),
        ..StepAnswer::new(step)
    };
    let data = GameData {
        title: review.game.players(),
        pgn: review.game.to_string(),
        steps: review.steps.iter().enumerate().map(step).collect(),
        side: name(me.unwrap_or(Color::White)),
        me: me.map(name),
    };
    // Nothing in it can fail to be written, and what can end a script is written otherwise.
    let text = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
    html! {
        script type="application/json" id={ "data-" (review.game.number) } { (PreEscaped(text)) }
    }
}
