//! Many games or positions reviewed at once, and everything that is read and written for it.
//!
//! [`input`] finds games in files and folders, `workers` has a thread for each searcher, [`journal`]
//! keeps what is done so that a run that was cut off can be resumed, and [`outputs`] writes every
//! [`Format`]. [`games::review`] and [`positions::review`] put them together. What is said about a game
//! is crate `review`; nothing here prints on its own: the caller gives a writer and a [`Progress`].

pub mod folder;
mod format;
pub mod games;
pub mod input;
pub mod journal;
pub mod outputs;
pub mod positions;
mod save;
mod workers;

use std::fmt;
use std::io;

pub use self::format::Format;

/// Why a run ended early.
#[derive(Debug)]
pub enum BatchError {
    /// Nobody reads what is printed.
    Output(io::Error),
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write: {error}"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for BatchError {}

/// Who is told how far a run is, from any of its threads.
pub trait Progress: Sync {
    /// This many games were finished by an earlier run.
    fn resumed(&self, games: usize);
    /// There are this many positions more to search than was known.
    fn expect(&self, positions: usize);
    /// This many positions more are done.
    fn advance(&self, positions: usize);
    /// This many games are finished; `write` writes what is said about the last of them.
    fn finished<R>(&self, games: usize, write: impl FnOnce() -> R) -> R;
    /// There is nothing left to search; what is said about all games comes next.
    fn ended(&self);
}
