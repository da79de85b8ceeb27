//! Which games are held out.
//!
//! Positions of one game resemble each other, so the line runs between games, and a game falls on
//! the same side whatever file it is in and whatever lies beside it.

use crate::Game;

/// What a game is for.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Part {
    /// To learn from.
    Training,
    /// To measure with, never to learn from.
    HeldOut,
}

/// How games are divided.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Split {
    /// How many of the 255 groups of games are held out.
    held_out_groups: u8,
}

impl Default for Split {
    /// Two in a hundred are held out.
    fn default() -> Self {
        Self::new(0.02)
    }
}

impl Split {
    /// Holds out about this share of the games (0 to 1, in steps of 1/255).
    pub fn new(held_out: f64) -> Self {
        Self { held_out_groups: (held_out.clamp(0.0, 1.0) * 255.0).round() as u8 }
    }

    /// What this game is for.
    pub fn part(&self, game: &Game) -> Part {
        if game.group() <= self.held_out_groups { Part::HeldOut } else { Part::Training }
    }
}
