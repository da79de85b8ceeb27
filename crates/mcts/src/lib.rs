//! A second search: a tree that grows where the odds are best, in place of alpha-beta.
//!
//! Start at [`Engine`], which has the limits, settings and events of crate `search`. A *playout*
//! walks from the root to a move that nobody has looked at (`select`), judges the
//! position behind it by a short alpha-beta search (`expand`), and carries the result back to the root
//! (`playout`). Values are expected points (`points`); what is proved is never guessed again
//! (`proof`). The tree has a fixed size (`tree`) and is thinned when it is full.
//!
//! It is for looking at positions: visits show which moves are plausible, which alpha-beta cannot.
//! It plays worse than the main search; `docs/mcts.md` says by how much.
#![forbid(unsafe_code)]

mod engine;
mod expand;
mod job;
mod mate;
mod playout;
mod points;
mod probes;
mod proof;
mod report;
mod run;
mod select;
mod tree;

pub use engine::{Engine, Setup};
pub use tree::TreeError;
