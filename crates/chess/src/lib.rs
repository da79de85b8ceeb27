//! The rules of chess, standard and Chess960: typed, `no_std`, without dependencies or `unsafe`.
//!
//! ```
//! use chess::{Board, perft};
//!
//! let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse()?;
//! assert_eq!(board.legal_moves().len(), 26);
//! assert_eq!(perft(&board, 2), 568);
//! # Ok::<(), chess::notation::fen::FenError>(())
//! ```
//!
//! Text becomes a [`Setup`] (anything), a `Setup` becomes a [`Board`] (always legal), and a board
//! generates legal moves only. What is not here: search, evaluation, clocks, protocols.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
mod move_list;
mod moves;
pub mod notation;
mod observer;
pub mod outcome;
mod perft;
mod piece;
pub mod repetition;
pub mod rng;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use board::{Board, CheckSquares, Keys, MoveSink, Setup, SetupError, see_value};
pub use castling::{CastlingRights, Wing};
pub use color::Color;
pub use move_list::MoveList;
pub use moves::{Move, MoveKind};
pub use observer::MoveObserver;
pub use outcome::Outcome;
pub use perft::{MAX_PERFT_DEPTH, perft};
pub use piece::Piece;
pub use rng::Rng;
pub use square::{File, Rank, Square, SquareError};
