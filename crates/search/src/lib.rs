//! The search: finds the best move of a position within limits.
//!
//! Start at [`Engine`]: `go` returns at once, [`Event`]s come out as plain structs. The tree itself
//! is in `node`; everything a thread owns is in `worker`. What is not here: text, UCI,
//! networks, books, printing.
#![forbid(unsafe_code)]

mod clock;
mod control;
mod course;
mod doubt;
mod engine;
mod event;
mod forecast;
mod history;
mod hunt;
mod iterate;
mod job;
mod limits;
mod node;
mod params;
mod picker;
mod position;
mod pv;
mod root;
mod root_tables;
mod stack;
mod static_eval;
mod strength;
mod table;
mod thread;
mod threats;
mod vote;
mod worker;

pub use engine::{Engine, EngineError, ThreadError};
pub use event::{Bound, Event, Info};
pub use limits::{Clock, Limits, Settings};
pub use params::{PARAMS, Param};
pub use position::Position;
pub use strength::ELO_RANGE;
pub use table::{Table, TableError};
