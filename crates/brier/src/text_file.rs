//! Text files of users, in whatever encoding they are.

use std::path::Path;

/// The lines of a regular file that has at most `most` bytes, with the file's name in every error.
pub(crate) fn read(path: &Path, most: u64) -> Result<String, String> {
    let at = |error| format!("{}: {error}", path.display());
    let bytes = files::read(path, most).map_err(at)?;
    let mut text = String::with_capacity(bytes.len());
    for line in pgn::Lines::new(&bytes[..]) {
        text.push_str(&line.map_err(at)?);
        text.push('\n');
    }
    Ok(text)
}
