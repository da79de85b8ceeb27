//! The Universal Chess Interface, typed in both directions.
//!
//! A GUI's line becomes a [`Command`], what the engine says becomes a [`Reply`], and both can be
//! written and read: an engine parses commands and prints replies, a test or a tool that drives an
//! engine does the opposite. What is not here: the options themselves (crate `engine`), reading
//! standard input, printing, and the state of a session; see the binary.
#![forbid(unsafe_code)]

mod command;
mod go;
mod info;
mod position;
mod reply;
mod words;

pub use command::{Bench, Command, CommandError, SetOption};
pub use go::{ClockText, Go, GoFault};
pub use info::{InfoLine, ScoreText, Style};
pub use position::{PositionCommand, PositionError, Start};
pub use reply::Reply;
