//! The root: which moves it has, how deep and how long they are searched, and what is reported.

mod clock;
mod forecast;
mod iterate;
mod iterations;
mod limits;
mod moves;
mod tablebase;

pub use clock::{Progress, Timer};
pub(crate) use iterations::{Iterations, Shown};
pub use limits::{Clock, Limits, Settings};
pub(crate) use moves::{RootMove, RootMoves};
pub use tablebase::{RootKnowledge, consult};
