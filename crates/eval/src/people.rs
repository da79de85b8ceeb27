//! The seam between the search and whoever knows how people play.

use chess::{Board, Move};

/// Foresees what a player of a given rating plays.
///
/// Searches of limited strength ask before they start, reviews after they have marked a move.
pub trait People: Send + Sync {
    /// How likely a player of this rating plays each of `moves` in the position after the legal
    /// moves `played`, which led to `board`. The shares add up to 1, one for each move.
    fn shares(&self, board: &Board, played: &[Move], rating: u32, moves: &[Move]) -> Vec<f32>;

    /// How likely a player of this rating finds `best` there, a legal move that is better than the
    /// others.
    fn finds(&self, board: &Board, played: &[Move], rating: u32, best: Move) -> f64;
}
