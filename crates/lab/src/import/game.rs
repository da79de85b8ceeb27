//! One PGN game becomes training games: the moves played, and the variations beside them.

use std::fmt;
use std::ops::ControlFlow;

use chess::notation::fen::FenError;
use chess::{Board, Color, Move};
use data::{Game, Outcome, ScoredMove};
use pgn_reader::{RawComment, RawTag, SanPlus, Visitor};

use super::comment::{Comment, Side};

/// Why a game was left out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Skipped {
    /// It has no result of its own.
    NoResult,
    /// Its first position is not legal.
    Fen(FenError),
    /// It has a move that is not legal.
    IllegalMove,
    /// None of its moves has a score.
    NoScores,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoResult => f.write_str("expected the result 1-0, 0-1 or 1/2-1/2, got another"),
            Self::Fen(error) => write!(f, "{error}"),
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

/// Listens to the PGN reader and builds games.
pub(crate) struct Builder {
    pv_plies: usize,
    min_depth: u32,
    score_side: Side,
}

/// The tags that matter.
#[derive(Default)]
pub(crate) struct Tags {
    outcome: Option<Outcome>,
    start: Option<Board>,
}

/// A game while it is read.
pub(crate) struct Moves {
    outcome: Outcome,
    /// The position before the last move, and that move, until its score is known.
    pending: Option<(Board, Move)>,
    board: Board,
    /// Is the last of `games` still going on, or was there a move without a score?
    open: bool,
    games: Vec<Game>,
    lines: Vec<Game>,
}

impl Builder {
    pub(crate) fn new(pv_plies: usize, min_depth: u32, score_side: Side) -> Self {
        Self { pv_plies, min_depth, score_side }
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

impl Visitor for Builder {
    type Tags = Tags;
    type Movetext = Moves;
    type Output = Result<Imported, Skipped>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        match name {
            b"Result" => {
                tags.outcome = match value.as_bytes() {
                    b"1-0" => Some(Outcome::WhiteWins),
                    b"0-1" => Some(Outcome::BlackWins),
                    b"1/2-1/2" => Some(Outcome::Draw),
                    _ => None,
                };
            }
            b"FEN" => match value.decode_utf8_lossy().parse() {
                Ok(board) => tags.start = Some(board),
                Err(error) => return ControlFlow::Break(Err(Skipped::Fen(error))),
            },
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Moves> {
        let Some(outcome) = tags.outcome else {
            return ControlFlow::Break(Err(Skipped::NoResult));
        };
        ControlFlow::Continue(Moves {
            outcome,
            pending: None,
            board: tags.start.unwrap_or_default(),
            open: false,
            games: Vec::new(),
            lines: Vec::new(),
        })
    }

    fn san(&mut self, moves: &mut Moves, san: SanPlus) -> ControlFlow<Self::Output> {
        // The move before this one got no score: what follows is a new piece of the game.
        moves.open &= moves.pending.is_none();
        let Ok(mv) = moves.board.parse_san(&san.san.to_string()) else {
            return ControlFlow::Break(Err(Skipped::IllegalMove));
        };
        moves.pending = Some((moves.board.clone(), mv));
        moves.board.make_move(mv, &mut ());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, moves: &mut Moves, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        if let Some(comment) = Comment::parse(&text) {
            self.take_score(moves, &comment);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Moves) -> Self::Output {
        let Moves { mut games, mut lines, .. } = moves;
        let Some(family) = games.first().map(Game::group) else {
            return Err(Skipped::NoScores);
        };
        for game in games.iter_mut().chain(&mut lines) {
            game.family = family;
        }
        Ok(Imported { games, lines })
    }
}

/// A word of a variation: SAN, or UCI as some engines give it.
fn word_to_move(board: &Board, word: &str) -> Option<Move> {
    board.parse_san(word).ok().or_else(|| board.parse_uci(word).ok())
}
