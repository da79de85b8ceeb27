//! One PGN game becomes training games: the moves played, and the variations beside them.

use std::fmt;

use chess::{Board, Color, Move};
use data::{Game, Outcome, ScoredMove};
use pgn::{GameResult, Item, RawGame, Reason};

use super::comment::{Comment, Side};

/// Why a game was left out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Skipped {
    /// It has no result of its own.
    NoResult,
    /// There is no position to begin with.
    Start(Reason),
    /// It has a move that is not legal.
    IllegalMove,
    /// None of its moves has a score.
    NoScores,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoResult => f.write_str("expected the result 1-0, 0-1 or 1/2-1/2, got another"),
            Self::Start(reason) => write!(f, "{reason}"),
            Self::IllegalMove => f.write_str("expected legal moves, got one that is not"),
            Self::NoScores => f.write_str("expected comments with scores, got none"),
        }
    }
}

/// What became of a PGN game.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The moves played; more than one piece if some of them have no score.
    pub(crate) games: Vec<Game>,
    /// The variations.
    pub(crate) lines: Vec<Game>,
}

/// Builds training games from PGN games.
pub(crate) struct Builder {
    pv_plies: usize,
    min_depth: u32,
    score_side: Side,
}

/// A game while it is read.
struct Moves {
    outcome: Outcome,
    /// The position before the last move, and that move, until its score is known.
    pending: Option<(Board, Move)>,
    board: Board,
    /// Is the last of `games` still going on, or was there a move without a score?
    open: bool,
    games: Vec<Game>,
    lines: Vec<Game>,
}

impl Moves {
    fn play(&mut self, mv: Move) {
        // The move before this one got no score: what follows is a new piece of the game.
        self.open &= self.pending.is_none();
        let after = self.board.after(mv);
        self.pending = Some((std::mem::replace(&mut self.board, after), mv));
    }
}

impl Builder {
    pub(crate) fn new(pv_plies: usize, min_depth: u32, score_side: Side) -> Self {
        Self { pv_plies, min_depth, score_side }
    }

    /// Reads a game.
    pub(crate) fn import(&self, raw: &RawGame<'_>) -> Result<Imported, Skipped> {
        let outcome = match raw.result() {
            GameResult::WhiteWins => Outcome::WhiteWins,
            GameResult::BlackWins => Outcome::BlackWins,
            GameResult::Draw => Outcome::Draw,
            GameResult::Unknown => return Err(Skipped::NoResult),
        };
        let line = raw.main_line().map_err(|fault| Skipped::Start(fault.reason))?;
        let (games, lines) = (Vec::new(), Vec::new());
        let board = line.board().clone();
        let mut moves = Moves { outcome, pending: None, board, open: false, games, lines };
        for item in line {
            match item.map_err(|_| Skipped::IllegalMove)? {
                Item::Move(mv) => moves.play(mv),
                Item::Comment(text) => {
                    if let Some(comment) = Comment::parse(&text) {
                        self.take_score(&mut moves, &comment);
                    }
                }
                Item::Result(_) => {}
            }
        }
        let Moves { mut games, mut lines, .. } = moves;
        let Some(family) = games.first().map(Game::group) else {
            return Err(Skipped::NoScores);
        };
        for game in games.iter_mut().chain(&mut lines) {
            game.family = family;
        }
        Ok(Imported { games, lines })
    }

    fn take_score(&self, moves: &mut Moves, comment: &Comment<'_>) {
        if comment.depth.is_some_and(|depth| depth < self.min_depth) {
            return;
        }
        let Some((before, mv)) = moves.pending.take() else { return };
        let side = comment.side.unwrap_or(self.score_side);
        let score = match side {
            Side::Mover if before.side_to_move() == Color::Black => -comment.score,
            Side::Mover | Side::White => comment.score,
        };
        self.take_line(moves, &before, mv, score, comment.pv);
        if !moves.open {
            moves.games.push(Game::new(before, moves.outcome));
            moves.open = true;
        }
        if let Some(game) = moves.games.last_mut() {
            game.moves.push(ScoredMove { mv, score });
        }
    }

    /// Keeps the variation, if it starts with the move played; stops at a word it cannot read.
    fn take_line(&self, moves: &mut Moves, before: &Board, mv: Move, score: i16, pv: &str) {
        let mut words = pv.split_whitespace();
        if words.next().and_then(|word| word_to_move(before, word)) != Some(mv) {
            return;
        }
        let mut board = before.after(mv);
        let mut line = Game::new(board.clone(), moves.outcome);
        for word in words.take(self.pv_plies) {
            let Some(mv) = word_to_move(&board, word) else { break };
            line.moves.push(ScoredMove { mv, score });
            board.make_move(mv, &mut ());
        }
        if !line.moves.is_empty() {
            moves.lines.push(line);
        }
    }
}

/// A word of a variation: SAN, or UCI as some engines give it.
fn word_to_move(board: &Board, word: &str) -> Option<Move> {
    board.parse_san(word).ok().or_else(|| board.parse_uci(word).ok())
}
