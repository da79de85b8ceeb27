//! Files that appear whole or not at all, with the file's name in every error.

use std::path::Path;

use files::Replacement;

/// Says now, rather than after a long search, if a file cannot be written.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    files::check_writable(path).map_err(|error| at(path, &error))
}

/// Begins a file that takes its place when it is finished.
pub(crate) fn begin(path: &Path) -> Result<Replacement, String> {
    Replacement::new(path).map_err(|error| at(path, &error))
}

/// Writes a text to a new file beside the old one and puts it in its place.
pub(crate) fn save(path: &Path, text: &str) -> Result<(), String> {
    files::replace(path, text.as_bytes()).map_err(|error| at(path, &error))
}

pub(crate) fn at(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
