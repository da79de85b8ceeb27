//! Scores: centipawns in 16 bits, with mates at the ends.

/// A score as the side to move sees it.
pub type Score = i16;

/// Above every score.
pub const INFINITE: Score = 32_000;
/// Mate now; `MATE - n` is mate in n plies.
pub const MATE: Score = 31_000;
/// Scores at or beyond this (or its negative) are mates.
pub const MATE_BOUND: Score = MATE - 256;
