//! The book inside the program.

use crate::Book;

/// The book that is part of the program; `docs/books.md` says which games it was made from.
#[cfg(feature = "embedded")]
pub fn embedded() -> Book {
    Book::from_static(include_bytes!("../data/default.bin"))
}

/// A book without moves: this build has none inside.
#[cfg(not(feature = "embedded"))]
pub fn embedded() -> Book {
    Book::from_static(&[])
}
