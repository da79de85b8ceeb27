//! Opening books in the Polyglot format (`.bin`): sixteen bytes for each move, sorted by key.
//!
//! [`Books`] is what an engine needs: several books in order of priority, and a move chosen from
//! the first that knows the position. [`Book`] is one file, [`build`] makes one from games,
//! [`merge`] one from several. The format itself is in [`key`] and [`Entry`]. [`opening`] has the names
//! of openings.
//!
//! What is not here: the decision when to ask a book (the protocol layer's), printing.

mod books;
pub mod build;
mod choose;
mod embedded;
mod entry;
mod key;
mod merge;
mod names;
mod random;
mod reader;
mod writer;

pub use books::Books;
pub use choose::{Variety, choose};
pub use embedded::embedded;
pub use entry::{BookMove, Entry, decode_move, encode_move};
pub use key::{key, key_after};
pub use merge::merge;
pub use names::{Opening, opening, opening_of};
pub use reader::{Book, BookError};
pub use writer::{WriteError, write_book};
