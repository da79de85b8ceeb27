//! Training data: games with a score for each move, and the shuffled positions made of them.
//!
//! What is not here: playing games, reading PGN, training. Those are commands of `brier-lab`.
#![forbid(unsafe_code)]
