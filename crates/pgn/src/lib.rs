//! Games in Portable Game Notation: one [`Game`], one tolerant reader, one writer.
//!
//! A [`Reader`] splits a stream into games without ever holding more than one of them
//! ([`RawGame`]). From there a caller takes what it needs: the tags, the moves of the main line one
//! after the other ([`RawGame::main_line`]), or the whole [`Game`] with comments, marks and
//! variations ([`RawGame::game`]).
//!
//! Files in the wild are broken in many ways, so nothing here gives up on a file: what cannot be
//! read is named with its line and its reason ([`Fault`]), the legal moves before it are kept, and
//! the text after it becomes a comment, so that it is still there when the game is written again.
//! Figurines, long algebraic notation, moves of engines (`g1f3`), letters of other languages
//! (`words`), and texts in Latin-1, Windows-1252 or UTF-16 (`decode`) are all read.
//!
//! ```
//! let text = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 {a gambit} (2. Nf3 Nc6) exf4 1-0\n";
//! let game = pgn::Reader::new(text.as_bytes()).games().next().unwrap()?;
//! assert_eq!(game.tag("White"), Some("Anderssen"));
//! assert_eq!((game.moves.len(), game.moves[2].comment.as_str()), (4, "a gambit"));
//! assert_eq!(game.moves[2].variations[0].len(), 2);
//! let last = game.positions().last().unwrap();
//! assert!(last.to_string().contains(" w KQkq - 0 3"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod command;
mod decode;
mod fault;
mod game;
mod lines;
mod main_line;
mod raw;
mod reader;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;
mod words;
mod writer;

pub use command::Eval;
pub use decode::{Decoder, text};
pub use fault::{Fault, Reason};
pub use game::{Game, GameResult, Played};
pub use lines::Lines;
pub use main_line::{Item, MainLine};
pub use raw::RawGame;
pub use reader::Reader;
pub use words::move_number;

/// Half-moves of a game that are read: ten times those of the longest tournament game, which had
/// 269 moves.
pub const MOST_PLIES: usize = 6_000;

/// Moves of a game with all its variations that are read.
pub const MOST_MOVES: usize = 60_000;

/// Variations inside variations that are read.
pub const MOST_NESTED: usize = 100;

/// Bytes of a game that are read.
pub const MOST_BYTES: usize = 8 << 20;

/// Bytes of a tag's value that are kept.
pub const MOST_TAG_BYTES: usize = 4_096;
