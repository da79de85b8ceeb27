//! Tests of the real binary, driven through pipes as a GUI would.
//!
//! `driver` holds the other end of the pipes; the rest are the tests, by subject.

/// What every engine is told before a test: nothing. `../uci_mcts` tells it something.
const OPTIONS: &[&str] = &[];

mod analyze;
mod batch;
mod books;
mod clients;
mod command_line;
#[cfg(unix)]
mod documentation;
mod driver;
mod endgames;
#[cfg(unix)]
mod files;
mod games;
mod limits;
mod mates;
mod reports;
mod serve;
mod session;
mod technique;
mod transcripts;
