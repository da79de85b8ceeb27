//! Who chooses the moves.

use chess::Move;
use data::Game;
use engine::Position;

/// A move and what it is worth.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Choice {
    /// The move; legal, or the referee stops the run.
    pub(crate) mv: Move,
    /// For the side to move: centipawns, or ±(30000 - plies) for a mate.
    pub(crate) score: i16,
}

/// An engine that plays both sides.
pub(crate) trait Player {
    /// Forgets the game before.
    fn new_game(&mut self) -> anyhow::Result<()>;

    /// Chooses a move with about this many nodes. The position, which is the game's last, has at
    /// least one.
    fn choose(&mut self, game: &Game, position: &Position, nodes: u64) -> anyhow::Result<Choice>;
}
