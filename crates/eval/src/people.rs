//! The seam between the search and whoever knows how people play.

use chess::{Board, Move};

/// Foresees what a player of a given rating plays.
///
/// Asked once for each search of limited strength, before it starts.
pub trait People: Send + Sync {
    /// How likely a player of this rating plays each of `moves` in the position after the legal
    /// moves `played`, which led to `board`. The shares add up to 1, one for each move.
    fn shares(&self, board: &Board, played: &[Move], rating: u32, moves: &[Move]) -> Vec<f32>;
}
