//! A game: where it began, how it ended, and each move with the score it was played for.

use chess::{Board, Color, Move};

use crate::hash;
use crate::replay::Replay;
use crate::viri;

/// How a game ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Outcome {
    /// Black won.
    BlackWins = 0,
    /// A draw.
    Draw = 1,
    /// White won.
    WhiteWins = 2,
}

impl Outcome {
    /// The victory of a side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// 0 for a loss of `color`, 1 for a draw, 2 for a win.
    pub const fn points(self, color: Color) -> u8 {
        match color {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }
}

impl From<chess::Outcome> for Outcome {
    fn from(outcome: chess::Outcome) -> Self {
        outcome.winner().map_or(Self::Draw, Self::win)
    }
}

/// A move and what its player thought the position before it was worth.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Centipawns from White's side; a mate in n plies is ±([`ScoredMove::MATE`] - n).
    pub score: i16,
}

impl ScoredMove {
    /// Mate on the board; a mate in n plies is `MATE - n`.
    pub const MATE: i16 = 30_000;
    /// The largest score that is no mate.
    pub const LIMIT: i16 = 29_000;

    /// Centipawns, kept out of the range of mates.
    pub fn centipawns(score: i32) -> i16 {
        score.clamp(-i32::from(Self::LIMIT), i32::from(Self::LIMIT)) as i16
    }

    /// Mate in this many plies for the winner; negative if Black gives it.
    pub fn mate(plies: i32) -> i16 {
        let distance = plies.unsigned_abs().min(900) as i16;
        if plies < 0 { distance - Self::MATE } else { Self::MATE - distance }
    }
}

/// A game from any position.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The first position.
    pub start: Board,
    /// How it ended.
    pub outcome: Outcome,
    /// The family of games it belongs to; 0 if it stands alone. A line from another game's analysis
    /// bears that game's [`Game::group`], so that both end up on the same side of a split.
    pub family: u8,
    /// The moves in order.
    pub moves: Vec<ScoredMove>,
}

impl Game {
    /// A game without moves.
    pub fn new(start: Board, outcome: Outcome) -> Self {
        Self { start, outcome, family: 0, moves: Vec::new() }
    }

    /// The family, 1 to 255: the one that is set, or else a hash of the game.
    pub fn group(&self) -> u8 {
        if self.family != 0 {
            return self.family;
        }
        let mut bytes = Vec::with_capacity(32 + 4 * self.moves.len());
        viri::encode(self, &mut bytes);
        (hash::bytes(0, &bytes) % 255) as u8 + 1
    }

    /// Every position of the game in which a move was played.
    pub fn replay(&self) -> Replay<'_> {
        Replay::new(self)
    }
}
