//! Training data: games with a score for each move, and the shuffled positions made of them.
//!
//! ```text
//! games (.vf)  ──Reader──▶ Game ──replay──▶ Position ──Filter──▶ Record ──Shuffler──▶ records (.pos)
//! ```
//!
//! Games are kept in [viriformat](viri), which other trainers read and write too: small, and
//! nothing is lost. Records are what a trainer streams: one position in 32 bytes, seen from the
//! side to move, in random order. A game is either for training or held out, never both: [`Split`].
//!
//! What is not here: playing games, reading PGN, training. Those are commands of `brier-lab`.
#![forbid(unsafe_code)]

mod error;
mod filter;
mod game;
mod hash;
mod openbench;
mod openings;
mod packed_board;
mod record;
mod record_file;
mod replay;
mod shuffle;
mod split;
pub mod viri;

pub use error::DataError;
pub use filter::{Filter, Reject};
pub use game::{Game, Outcome, ScoredMove};
pub use openbench::{GenfensError, GenfensRequest};
pub use openings::{Openings, chess960_start, read_book};
pub use record::{Record, RecordFlags};
pub use record_file::{RecordReader, RecordWriter};
pub use replay::{Position, Replay};
pub use shuffle::{ShuffleCounts, Shuffler};
pub use split::{Part, Split};
