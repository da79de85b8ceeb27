//! How likely a player of a given rating plays each move: a small network trained on people's games.
//!
//! [`features`] turns a position into active rows of the network's first table and each legal move
//! into a row of its second; [`Net`] reads the file and computes. The network has one hidden
//! layer, so that a position costs microseconds: levels, reviews and the tree search by playouts
//! all ask it often. `brier-lab people-train` makes the file; docs/people.md has the figures.
//!
//! Everything up to the last multiplication is integer arithmetic, so every machine gives the
//! same shares.

mod embedded;
pub mod features;
mod file;
mod finding;
mod net;

pub use embedded::embedded;
pub use features::{Last, Rating};
pub use file::NetError;
pub use finding::Finding;
pub use net::{Net, WIDTH, Weights};
