//! Reviews for programs: the types of the JSON output, which docs/analyze.md documents.
//!
//! Scores and points are White's, scores in centipawns, points from 0 (Black wins) to 1 (White
//! wins); the loss of a move is the mover's. Fields may be added without a new version; a field
//! that changes its meaning, or goes, makes a new one.

use std::collections::BTreeMap;
use std::time::Duration;

use chess::notation::uci::CastlingForm;
use chess::{Board, Color, File, Move};
use eval::score::MATE;
use pgn::Game;
use serde::Serialize;
use uci::ScoreText;

use crate::overview::{Group, Overview, Topic};
use crate::phase::Phase;
use crate::review::{Review, Step};
use crate::sample::Mean;
use crate::searcher::Line;
use crate::summary::Summary;
use crate::verdict::Verdict;

/// The version of all records.
pub const VERSION: u32 = 1;

/// A game.
#[derive(Debug, Serialize)]
pub struct GameRecord {
    version: u32,
    /// `game`, or `unread` if its moves could not be replayed at all.
    kind: &'static str,
    /// Its place among the games of this run, from 1.
    game: usize,
    /// The file it comes from.
    file: Option<String>,
    /// The tags of the file, the first of each name.
    tags: BTreeMap<String, String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// What of it could not be read.
    faults: Vec<String>,
    eco: Option<&'static str>,
    opening: Option<&'static str>,
    /// The first position, and what is thought of it.
    fen: String,
    start: Option<VerdictRecord>,
    /// Each side's moves in numbers; none for a game that could not be replayed.
    summary: Option<SidesRecord>,
    moves: Vec<MoveRecord>,
}

/// Both sides of a game in numbers.
#[derive(Debug, Serialize)]
pub struct SidesRecord {
    white: SummaryRecord,
    black: SummaryRecord,
}

/// One side's moves in numbers.
#[derive(Debug, Serialize)]
pub struct SummaryRecord {
    /// All moves.
    moves: usize,
    /// Moves of theory, which are not judged.
    book: usize,
    /// Moves that were the engine's choice.
    agreed: usize,
    unclear: usize,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    /// Expected points lost by a judged move: the mean, and half of its 95 % interval.
    loss: Option<Mean>,
    /// In percent.
    accuracy: Option<Mean>,
    /// Time of all moves, where it is known.
    seconds: Option<f64>,
    /// Points lost by a move in time trouble, and how many there are.
    time_trouble_loss: Option<Mean>,
    time_trouble_moves: usize,
}

/// The sum over all games of a run.
#[derive(Debug, Serialize)]
pub struct OverviewRecord {
    version: u32,
    kind: &'static str,
    /// Whose games are counted; both sides of all games if it is none.
    player: Option<String>,
    /// Games that are counted.
    games: usize,
    groups: Vec<GroupRecord>,
}

/// Games that have something in common.
#[derive(Debug, Serialize)]
pub struct GroupRecord {
    /// What they have in common: `all`, `colour`, `phase`, `time`, `opening`, `strength`, `opponent`.
    topic: &'static str,
    name: String,
    games: usize,
    /// Points per game, the player's or White's; none where games have no result of their own.
    score: Option<Mean>,
    /// Judged moves.
    moves: usize,
    /// Points lost by a judged move.
    loss: Option<Mean>,
}

/// A move of a game.
#[derive(Debug, Serialize)]
pub struct MoveRecord {
    /// Half-moves before it.
    pub ply: usize,
    /// The number of the move, as people count.
    pub number: u16,
    /// `white` or `black`.
    pub side: &'static str,
    /// The move.
    pub san: String,
    /// The move.
    pub uci: String,
    /// What the position after it is worth.
    #[serde(flatten)]
    pub verdict: VerdictRecord,
    /// `fine`, `unclear`, `inaccuracy`, `mistake`, `blunder`.
    pub mark: &'static str,
    /// The probability that the mark is right; for an unclear move, that it was an inaccuracy at
    /// least; 0 where nothing is marked.
    pub sure: f64,
    /// Expected points lost by the mover.
    pub loss: f64,
    /// Where the move is marked: how likely a player of `rating` finds the engine's, 0 to 1.
    pub found: Option<f64>,
    /// The mover's rating, or 1500 if it is not known; none where `found` is none.
    pub rating: Option<u32>,
    /// A move of theory, which is not judged.
    pub book: bool,
    /// `opening`, `middlegame` or `endgame`.
    pub phase: Phase,
    /// Seconds on the mover's clock after the move, and what the move took.
    pub clock: Option<f64>,
    /// Seconds that the move took.
    pub seconds: Option<f64>,
    /// Was it made in time trouble?
    pub time_trouble: bool,
    /// The engine's line in its place.
    pub best: LineRecord,
}

/// A position and its best lines.
#[derive(Debug, Serialize)]
pub struct PositionRecord {
    version: u32,
    kind: &'static str,
    /// The line of the file, from 1.
    line: usize,
    fen: String,
    /// `checkmate` or `stalemate` if the game is over.
    over: Option<&'static str>,
    /// Best first.
    pub(crate) lines: Vec<LineRecord>,
    /// How the visits of a tree search divide among the moves, most visited first; left out
    /// without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    visits: Vec<ShareRecord>,
}

/// A move's part of the visits.
#[derive(Debug, Serialize)]
struct ShareRecord {
    /// In UCI's notation.
    uci: String,
    san: String,
    /// 0 to 1.
    part: f64,
}

/// A line of a file of positions that could not be read.
#[derive(Debug, Serialize)]
pub struct ErrorRecord {
    version: u32,
    kind: &'static str,
    line: usize,
    text: String,
    error: String,
}

/// A line of play.
#[derive(Debug, Serialize)]
pub struct LineRecord {
    /// In UCI's notation.
    pub uci: Vec<String>,
    /// In algebraic notation.
    pub san: Vec<String>,
    /// What it is worth.
    #[serde(flatten)]
    pub verdict: VerdictRecord,
    /// How likely a longer search finds the first move the best or nearly so, 0 to 1.
    pub confidence: Option<f64>,
    /// How deep the search went.
    pub depth: u32,
    /// Nodes of the search.
    pub nodes: u64,
}

/// What a position is worth to White.
#[derive(Debug, Serialize)]
pub struct VerdictRecord {
    /// Centipawns; none with a mate.
    pub cp: Option<i32>,
    /// Moves to mate, negative if Black mates, 0 on the board; none without.
    pub mate: Option<i32>,
    /// q10, q25, q50, q75 and q90 of what a longer search would say, in centipawns; none where
    /// nothing is in doubt or nothing is known of the doubt.
    pub quantiles: Option<[i32; 5]>,
    /// Expected points.
    pub points: f64,
    /// The expected points at each quantile.
    pub point_quantiles: [f64; 5],
}

impl GameRecord {
    /// A game that has been reviewed.
    pub fn new(review: &Review, file: Option<&str>) -> Self {
        let game = &review.game;
        let (eco, opening) = review.known.opening.map(|found| (found.eco, found.name)).unzip();
        Self {
            eco,
            opening,
            start: Some(VerdictRecord::new(&game.start, &review.start)),
            summary: Some(SidesRecord {
                white: SummaryRecord::new(&review.summary(Color::White)),
                black: SummaryRecord::new(&review.summary(Color::Black)),
            }),
            moves: review.steps.iter().enumerate().map(MoveRecord::new).collect(),
            ..Self::unread(game, file).with_kind("game")
        }
    }

    /// A game whose moves could not be replayed.
    pub fn unread(game: &Game, file: Option<&str>) -> Self {
        let mut tags = BTreeMap::new();
        for (name, value) in &game.tags {
            tags.entry(name.clone()).or_insert_with(|| value.clone());
        }
        Self {
            version: VERSION,
            kind: "unread",
            game: game.number,
            file: file.map(str::to_owned),
            tags,
            result: game.result.as_str(),
            faults: game.faults.iter().map(ToString::to_string).collect(),
            eco: None,
            opening: None,
            fen: game.start.to_string(),
            start: None,
            summary: None,
            moves: Vec::new(),
        }
    }

    fn with_kind(self, kind: &'static str) -> Self {
        Self { kind, ..self }
    }
}

impl SummaryRecord {
    fn new(sum: &Summary) -> Self {
        Self {
            moves: sum.moves,
            book: sum.book,
            agreed: sum.agreed,
            unclear: sum.unclear,
            inaccuracies: sum.inaccuracies,
            mistakes: sum.mistakes,
            blunders: sum.blunders,
            loss: sum.loss.mean(),
            accuracy: sum.accuracy.mean(),
            seconds: sum.time.map(|time| time.as_secs_f64()),
            time_trouble_loss: sum.trouble.mean(),
            time_trouble_moves: sum.trouble.count(),
        }
    }
}

impl OverviewRecord {
    /// The sum of a run.
    pub fn new(overview: &Overview) -> Self {
        let group = |(topic, name, group): (Topic, &str, &Group)| GroupRecord {
            topic: topic.word(),
            name: name.to_owned(),
            games: group.loss.games(),
            score: group.score.mean(),
            moves: group.loss.moves(),
            loss: group.loss.mean(),
        };
        Self {
            version: VERSION,
            kind: "overview",
            player: overview.player().map(|player| player.name().to_owned()),
            games: overview.games(),
            groups: overview.groups().map(group).collect(),
        }
    }
}

impl MoveRecord {
    /// A move with its place in the game.
    pub fn new((ply, step): (usize, &Step)) -> Self {
        Self {
            ply,
            number: step.before.fullmove_number(),
            side: if step.before.side_to_move() == Color::White { "white" } else { "black" },
            san: step.san.clone(),
            uci: uci_text(step.mv),
            verdict: VerdictRecord::new(&step.after, &step.verdict),
            mark: step.mark.word(),
            sure: rounded(step.sure),
            loss: rounded(step.loss),
            found: step.found.map(|found| rounded(found.chance)),
            rating: step.found.map(|found| found.rating),
            book: step.is_book,
            phase: Phase::of(&step.before),
            clock: step.time.left.map(seconds),
            seconds: step.time.spent.map(seconds),
            time_trouble: step.time.is_trouble,
            best: LineRecord::new(&step.before, &step.best),
        }
    }
}

impl PositionRecord {
    /// A position on a line of a file, with its best lines.
    pub fn new(line: usize, board: &Board, lines: &[Line]) -> Self {
        let over = match (board.has_legal_move(), board.in_check()) {
            (true, _) => None,
            (false, true) => Some("checkmate"),
            (false, false) => Some("stalemate"),
        };
        let shares = lines.first().map_or(&[][..], |best| &best.shares);
        let visited = shares.iter().filter(|share| share.part > 0.0);
        let visits = visited.map(|share| ShareRecord {
            uci: uci_text(share.mv),
            san: board.san(share.mv).to_string(),
            part: rounded(share.part.into()),
        });
        let (fen, visits) = (board.to_string(), visits.collect());
        let lines = lines.iter().map(|line| LineRecord::new(board, line)).collect();
        Self { version: VERSION, kind: "position", line, fen, over, lines, visits }
    }
}

impl ErrorRecord {
    /// A line of a file that is no position.
    pub fn new(line: usize, text: &str, error: String) -> Self {
        Self { version: VERSION, kind: "error", line, text: text.to_owned(), error }
    }
}

impl LineRecord {
    /// A line from a board.
    pub fn new(board: &Board, line: &Line) -> Self {
        let mut after = board.clone();
        let mut san = Vec::with_capacity(line.moves.len());
        for &mv in &line.moves {
            san.push(after.san(mv).to_string());
            after.make_move(mv, &mut ());
        }
        Self {
            uci: line.moves.iter().copied().map(uci_text).collect(),
            san,
            verdict: VerdictRecord::new(board, &line.verdict),
            confidence: line.confidence,
            depth: line.depth,
            nodes: line.nodes,
        }
    }
}

impl VerdictRecord {
    /// White's verdict about a board.
    pub fn new(board: &Board, verdict: &Verdict) -> Self {
        let plies = MATE - verdict.score.abs();
        let (cp, mate) = match ScoreText::new(verdict.score) {
            ScoreText::Centipawns(value) => (Some(value), None),
            // Counted here, because the protocol's count is for the side to move only.
            ScoreText::Mate(_) => (None, Some((plies + 1) / 2 * verdict.score.signum())),
        };
        let has_band = verdict.band.uncertainty() > 0;
        Self {
            cp,
            mate,
            quantiles: has_band.then(|| verdict.band.to_array()),
            points: rounded(verdict.points(board)),
            point_quantiles: verdict.point_band(board).map(rounded),
        }
    }
}

/// Castling by the king's squares, and as king takes rook where it starts elsewhere than in
/// standard chess.
pub fn uci_text(mv: Move) -> String {
    let is_usual = mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H);
    let form = if is_usual { CastlingForm::Standard } else { CastlingForm::Chess960 };
    mv.uci(form).to_string()
}

/// Four digits are more than anything here is worth.
pub(crate) fn rounded(value: f64) -> f64 {
    (1e4 * value).round() / 1e4
}

fn seconds(time: Duration) -> f64 {
    (10.0 * time.as_secs_f64()).round() / 10.0
}
