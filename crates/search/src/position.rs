//! A position with the game that led to it, for the rules that look back.

use chess::{Board, Move};

/// A board, how it came about, and the keys of every position before it.
#[derive(Clone, Debug, Default)]
pub struct Position {
    start: Board,
    played: Vec<Move>,
    board: Board,
    keys: Vec<u64>,
}

impl Position {
    /// A position without a past.
    pub fn new(board: Board) -> Self {
        Self { start: board.clone(), played: Vec::new(), board, keys: Vec::new() }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board the game, or what is known of it, began with.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The moves played since.
    pub fn played(&self) -> &[Move] {
        &self.played
    }

    /// Keys of the positions before this one, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(self.board.key());
        self.played.push(mv);
        self.board.make_move(mv, &mut ());
    }
}
