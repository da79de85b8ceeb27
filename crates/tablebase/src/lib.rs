//! Endgame tablebases: who wins with few men on the board, and how soon.
//!
//! The search sees [`Tablebase`](eval::Tablebase) only; [`SyzygyTables`] implements it, over a kept
//! library that reads the files. Nothing of that library shows in the signatures here.
//!
//! What is not here: scores (the search makes them from a [`Wdl`](eval::tablebase::Wdl)), text,
//! printing.

mod check;
mod checksum;
mod convert;
mod files;
mod inventory;
mod rank;
mod root;
mod syzygy;

pub use check::{CheckedFile, check};
pub use files::{Problem, TableKind};
pub use inventory::{Inventory, is_material_name, material_names};
pub use syzygy::{ProbeError, SyzygyTables};
