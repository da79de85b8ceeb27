//! Writing a book: sorted, so that others can search it.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use files::Replacement;

use crate::Entry;

/// A book could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

/// Writes entries that come sorted by key; returns how many there were.
///
/// The file takes its name only when it is whole, so that a failure leaves an old book as it was.
pub fn write_book<E: From<WriteError>>(
    path: &Path,
    entries: impl IntoIterator<Item = Result<Entry, E>>,
) -> Result<u64, E> {
    let failed = |error| WriteError { path: path.to_owned(), error };
    let mut file = BufWriter::new(Replacement::new(path).map_err(failed)?);
    let mut count = 0;
    for entry in entries {
        file.write_all(&entry?.to_bytes()).map_err(failed)?;
        count += 1;
    }
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.finish().map_err(failed)?;
    Ok(count)
}
