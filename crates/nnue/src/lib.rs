//! A network that returns five quantiles instead of one number.
//!
//! - [`features`]: which inputs a position switches on, the same for the engine and the trainer.
//! - [`threats`]: the inputs that say which piece attacks or defends which.
//! - [`arch`]: the shape of the network and the scales of its integers.
//! - [`Network`]: the weights; [`mod@file`] reads and writes them.
//! - [`Nnue`]: the evaluator that follows a search, with its stack of accumulators.
//! - [`mod@bench`]: how many evaluations a second.
//!
//! Not here: vector code (`simd`) and training (`lab`).
#![forbid(unsafe_code)]

mod accumulator;
pub mod arch;
pub mod bench;
mod evaluator;
pub mod features;
pub mod file;
mod network;
mod placement;
pub mod threats;

pub use evaluator::Nnue;
pub use file::NetError;
pub use network::{HeadWeights, Network};
pub use placement::Placement;
