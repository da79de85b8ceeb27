//! The review of a game: every position searched, every move judged, and what is said about it.
//!
//! A [`Searcher`](searcher::Searcher) asks the engine, a [`Review`](review::Review) puts a game and
//! the answers together, and [`marks`] has the rule by which moves are judged. The rest writes:
//! [`report`] and [`position`] text, [`chart`], [`board`] and [`page`] pictures and HTML,
//! [`annotate`] games. Nothing here reads or writes files. docs/analyze.md explains it to players.
//!
//! ```
//! use std::convert::Infallible;
//!
//! use engine::{Engine, Limits};
//! use review::review::Review;
//! use review::searcher::Searcher;
//!
//! let text = "1. f3 e5 2. g4 Qh4# 0-1";
//! let game = pgn::Reader::new(text.as_bytes()).games().next().unwrap()?;
//! let engine = Engine::builder().hash_mb(1).build()?;
//! let limits = Limits { nodes: Some(2000), ..Limits::default() };
//! let mut searcher = Searcher::new(engine, limits);
//! let Ok(review) = Review::new(game, &mut searcher, || Ok::<_, Infallible>(()));
//! assert_eq!(review.steps[2].label(), "2. g4??");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod annotate;
pub mod board;
pub mod chart;
pub mod marks;
mod markup;
pub mod page;
pub mod position;
pub mod report;
pub mod review;
pub mod searcher;
pub mod verdict;
