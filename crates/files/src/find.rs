//! Finding: what is in a folder that a user names instead of a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders inside folders that are looked into; links may lead in circles.
const DEEPEST: usize = 20;

/// The file of this name; if it is a folder, all files with this ending in it and in the folders
/// inside it, each folder in the order of its names.
pub fn find(path: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if fs::metadata(path)?.is_dir() {
        look_into(path, ending, 0, &mut found)?;
    } else {
        found.push(path.to_owned());
    }
    Ok(found)
}

fn look_into(
    folder: &Path,
    ending: &str,
    depth: usize,
    found: &mut Vec<PathBuf>,
) -> io::Result<()> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<PathBuf> = entries?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        let is_wanted = path.extension().is_some_and(|end| end.eq_ignore_ascii_case(ending));
        if path.is_dir() && depth < DEEPEST {
            look_into(&path, ending, depth + 1, found)?;
        } else if is_wanted && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::tests::Folder;

    #[test]
    fn folders_stand_for_their_files_and_files_for_themselves() {
        let folder = Folder::new();
        fs::create_dir(folder.0.join("inside")).unwrap();
        for name in ["b.pgn", "a.PGN", "notes.txt", "inside/c.pgn"] {
            fs::write(folder.0.join(name), "").unwrap();
        }
        let expected = ["a.PGN", "b.pgn", "inside/c.pgn"].map(|name| folder.0.join(name));
        assert_eq!(find(&folder.0, "pgn").unwrap(), expected);
        let notes = folder.0.join("notes.txt");
        assert_eq!(find(&notes, "pgn").unwrap(), [notes]);
        assert!(find(&folder.0.join("nothing"), "pgn").is_err());
    }
}
