//! Walking through a game's positions.

use chess::{Board, Move};

use crate::{DataError, Game, Outcome, ScoredMove};

/// A position of a game, with what is known about it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// The move that was played.
    pub mv: Move,
    /// What the player thought it was worth, in centipawns from White's side.
    pub score: i16,
    /// How the game ended.
    pub outcome: Outcome,
    /// Moves of the game before this position.
    pub ply: usize,
}

impl Position {
    /// Does the move capture or promote?
    pub fn is_noisy(&self) -> bool {
        self.board.is_noisy(self.mv)
    }
}

/// The positions of a game in order; ends after an illegal move, which it reports.
#[derive(Debug)]
pub struct Replay<'a> {
    game: &'a Game,
    board: Option<Board>,
    ply: usize,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(game: &'a Game) -> Self {
        Self { game, board: Some(game.start.clone()), ply: 0 }
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Position, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let board = self.board.take()?;
        let ScoredMove { mv, score } = *self.game.moves.get(self.ply)?;
        let ply = self.ply;
        if !board.is_legal(mv) {
            return Some(Err(DataError::IllegalMove { mv, ply }));
        }
        let next = board.after(mv);
        self.board = Some(next);
        self.ply += 1;
        Some(Ok(Position { board, mv, score, outcome: self.game.outcome, ply }))
    }
}
