//! The games of a PGN file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use pgn::{Game, Reader};

/// All games of a file; an error if it cannot be read or has none.
pub(crate) fn read(path: &Path) -> Result<Vec<Game>, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let games = File::open(path).and_then(read_from).map_err(|error| at(&error))?;
    if games.is_empty() {
        return Err(at(&"expected games in PGN, found none"));
    }
    Ok(games)
}

/// All games of a text.
pub(crate) fn read_from(input: impl Read) -> io::Result<Vec<Game>> {
    Reader::new(input).games().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_hold_no_games() {
        assert!(read_from(&b"this is not a game\n"[..]).unwrap().is_empty());
        let missing = read(Path::new("no/such/file.pgn")).err().unwrap();
        assert!(missing.starts_with("no/such/file.pgn: "));
    }
}
