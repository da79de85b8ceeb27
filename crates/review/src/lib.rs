//! The review of a game: every position searched, every move judged, and what is said about it.
//!
//! A [`Searcher`](searcher::Searcher) asks the engine, [`Answers`](answers::Answers) are what it said
//! about a game, a [`Review`](review::Review) puts both together, and [`marks`] has the rule by which
//! moves are judged. What else is known about a move comes from [`theory`], [`clock`] and [`phase`]; a
//! [`Summary`](summary::Summary) counts one side of a game, an [`Overview`](overview::Overview) many
//! games. The rest writes: [`report`], [`position`] and [`terminal`] text, [`chart`], [`board`], [`page`] and
//! [`index`] pictures and HTML, [`annotate`] games, [`record`] and [`csv`] data for programs. Nothing
//! here reads or writes files. docs/analyze.md explains it to players.
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
//! let Ok(review) = Review::new(game, &mut searcher, |_| Ok::<_, Infallible>(()));
//! assert_eq!(review.steps[2].label(), "2. g4??");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod annotate;
pub mod answers;
pub mod board;
pub mod chart;
pub mod clock;
pub mod csv;
pub mod found;
pub mod index;
pub mod marks;
mod markup;
pub mod moments;
pub mod overview;
pub mod page;
pub mod phase;
mod plausible;
pub mod player;
pub mod position;
pub mod record;
pub mod replay;
pub mod report;
pub mod review;
pub mod sample;
pub mod searcher;
pub mod second_look;
mod section;
pub mod summary;
pub mod terminal;
pub mod theory;
pub mod verdict;
