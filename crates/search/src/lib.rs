//! The search: finds the best move of a position within limits.
//!
//! Start at [`Engine`]: `go` returns at once, [`Event`]s come out as plain structs. What is not
//! here: text, UCI, networks, books, printing.

mod event;
mod limits;
mod position;

pub use event::{Bound, Event, Info};
pub use limits::{Clock, Limits, Settings};
pub use position::Position;
