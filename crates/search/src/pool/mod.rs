//! The pool: threads that live as long as the engine, and what they share during one search.
//!
//! [`Engine`] is the door, a `Job` is one search as all threads see it, a `Worker` is what one of
//! them owns.

mod command;
mod control;
mod engine;
mod job;
mod probe;
mod running;
mod stopper;
#[cfg(any(not(target_family = "wasm"), feature = "wasm-threads"))]
mod thread;
#[cfg(all(target_family = "wasm", not(feature = "wasm-threads")))]
#[path = "in_place.rs"]
mod thread;
mod vote;
mod worker;

pub use control::{Control, Origin};
pub use engine::{Engine, EngineError, Factory, ThreadError};
pub use probe::{Errand, Found, Probe};
pub use running::Running;
pub use stopper::{Stoppable, Stopper};
pub(crate) use vote::Summary;
pub(crate) use worker::Worker;
