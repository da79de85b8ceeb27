//! The search: finds the best move of a position within limits.
//!
//! Start at [`Engine`]: `go` returns at once, [`Event`]s come out as plain structs. The tree itself
//! is in `node`, iterative deepening and the clock are in `root`, the threads in `pool`. What is
//! not here: text, UCI, networks, books, printing.
//!
//! [`Errand`] and [`Probe`], [`Running`] and [`consult`] are for another search with the same limits, such as crate
//! `mcts`.
#![forbid(unsafe_code)]

mod doubt;
mod event;
mod history;
mod hunt;
mod node;
mod params;
mod picker;
mod pool;
mod position;
mod pv;
mod root;
mod stack;
mod static_eval;
mod strength;
mod sync;
mod table;
mod threats;

pub use event::{Bound, Event, Info, Settled, Share};
pub use params::{PARAMS, Param};
pub use pool::{
    Control, Engine, EngineError, Errand, Factory, Found, Origin, Probe, Running, Stoppable,
    Stopper, ThreadError,
};
pub use position::Position;
pub use root::{Clock, Limits, Progress, RootKnowledge, Settings, Timer, consult};
pub use strength::ELO_RANGE;
pub use table::{Table, TableError};
