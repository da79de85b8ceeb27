//! Endgame tablebases: who wins with few men on the board, and how soon.
//!
//! The search sees [`Tablebase`] only; [`SyzygyTables`] is the one implementation, over a kept
//! library that reads the files. Nothing of that library shows in the signatures here.
//!
//! What is not here: scores (the search makes them from a [`Wdl`]), text, printing.

mod check;
mod checksum;
mod convert;
mod files;
mod inventory;
mod probe;
mod rank;
mod root;
mod syzygy;

pub use check::{CheckedFile, check};
pub use files::{Problem, TableKind};
pub use inventory::{Inventory, is_material_name, material_names};
pub use probe::{RootMove, RootProbe, Tablebase, Wdl};
pub use syzygy::{ProbeError, SyzygyTables};
