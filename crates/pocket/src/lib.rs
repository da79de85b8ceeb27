//! Chess for very small computers: rules, search and evaluation in 46 KB of RAM.
//!
//! No heap, no floating point, no 64-bit number, no division in hot paths, no recursion in the
//! search, no pointer kept in memory and no object above 32,767 bytes: a 16-bit processor runs
//! this code as it is. The caller owns all memory, as four plain values: a [`Game`], a
//! [`search::Search`] and two [`table::Bank`]s of the transposition table.
//!
//! | module | what |
//! |---|---|
//! | `types`, `geometry`, `zobrist` | squares, pieces, moves; what the board's shape gives; hash numbers |
//! | `board`, `attack`, `movegen`, `pool` | the position, check and legality, moves and where they are kept |
//! | `setup`, `fen`, `game` | positions from outside, the game's past and its end |
//! | `weights`, `terms`, `eval`, `pawns`, `endings` | the evaluation |
//! | `kpk`, `book` | solved endings and openings, behind features of the same names |
//! | `search`, `table`, `score` | the search and what it remembers |
//! | `engine`, `level` | all of it as one thing for a host; weaker play for people |
//! | `proof` | a run that must come out the same everywhere |
//!
//! The C interface is the crate `pocket-ffi`; clocks and callbacks live there.

#![no_std]
#![forbid(unsafe_code)]

pub mod attack;
pub mod board;
pub mod book;
mod endings;
pub mod engine;
pub mod eval;
pub mod fen;
pub mod game;
pub mod geometry;
pub mod kpk;

pub mod level;
pub mod movegen;
mod pawns;
pub mod pool;
pub mod proof;
pub mod score;
pub mod search;
pub mod setup;
pub mod table;
pub mod terms;
pub mod types;
pub mod weights;
mod zobrist;

pub use board::Board;
pub use game::{Game, Status};
pub use pool::Pool;
pub use setup::{Setup, SetupError};
pub use types::Move;
