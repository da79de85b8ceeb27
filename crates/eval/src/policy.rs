//! The seam between the search and whoever has an opinion on the moves of the root.

use std::time::Duration;

use chess::{Board, Move};

/// Scores the moves of one position, so that the search can look at the likely ones first.
///
/// Asked once for each search, before it starts; the search works without one.
pub trait Policy: Send {
    /// Writes to `out` a score for each of `moves`, the moves to be searched in the position after
    /// the legal moves `played` from `start`. A higher score is a likelier move; `exp` of the
    /// scores are proportional to the shares the policy gives them. Returns false, and leaves
    /// `out` alone, if it has no opinion on this position.
    ///
    /// `moves` and `out` have the same length.
    fn logits(&mut self, start: &Board, played: &[Move], moves: &[Move], out: &mut [f32]) -> bool;

    /// How long [`logits`](Self::logits) is expected to take for this position.
    fn cost(&mut self, start: &Board, played: &[Move]) -> Duration;

    /// Forgets what it keeps of the game: another one begins.
    fn reset(&mut self);
}
