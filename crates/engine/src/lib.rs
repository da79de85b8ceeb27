//! Brier as a library: the whole engine, as people get it.
//!
//! Start at [`Engine::builder`]. [`Engine::ask`] searches and waits, [`Engine::watch`] lets you look
//! on, [`Engine::go`] returns at once and reports events. Every option of the program is an option
//! here (see [`options::TABLE`]), with the same default: networks, books, tablebases and policy are
//! named the same way.
//!
//! ```
//! use engine::{Engine, Limits, Position};
//!
//! let mut engine = Engine::builder().threads(1).hash_mb(16).lines(3).build()?;
//! let mut position = Position::default();
//! for mv in ["e2e4", "e7e5"] {
//!     position.play(position.board().parse_uci(mv)?);
//! }
//! let answer = engine.ask(&position, &Limits { nodes: Some(2000), ..Limits::default() });
//! for line in &answer.lines {
//!     println!("{:+.2} {}", f64::from(line.score) / 100.0, position.board().san(line.pv[0]));
//! }
//! assert_eq!(answer.lines.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is not here: the protocol (crate `uci`), reading games (`pgn`), judging them (`review`),
//! and the tree search itself (`search`), which works with any [`Evaluator`](eval::Evaluator):
//! `examples/custom_evaluator.rs` gives it one.
#![forbid(unsafe_code)]

mod answer;
mod books;
mod builder;
mod engine;
mod evaluator;
pub mod options;
mod people;
#[cfg(feature = "syzygy")]
mod tablebases;

pub use answer::Answer;
pub use builder::{BuildError, Builder};
pub use engine::Engine;
pub use evaluator::{AnyEvaluator, Source, SourceError};
pub use options::{OptionError, Options};
pub use people::people;

pub use book::BookMove;
pub use eval::{Chances, Quantiles, Score, score};
pub use search::{
    Bound, Clock, Event, Info, Limits, PARAMS, Param, Position, Settings, Settled, Share, Stopper,
};
