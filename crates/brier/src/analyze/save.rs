//! Files that appear whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

/// Says now, rather than after a long search, if a file cannot be written.
pub(super) fn check(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("{}: expected a file to write, got a folder", path.display()));
    }
    let trial = beside(path);
    fs::write(&trial, "")
        .and_then(|()| fs::remove_file(&trial))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Writes a text to a new file beside the old one and puts it in its place.
pub(super) fn save(path: &Path, text: &str) -> Result<(), String> {
    let unfinished = beside(path);
    fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, path)).map_err(|error| {
        // What is left of it is of no use; that it may not be there is no second fault.
        let _ = fs::remove_file(&unfinished);
        format!("cannot write {}: {error}", path.display())
    })
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.unfinished", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_file_and_leaves_nothing_beside_it() {
        let folder = std::env::temp_dir().join(format!("brier-save-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("chart.svg");
        fs::write(&path, "old").unwrap();
        check(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        save(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(check(&folder).unwrap_err().contains("folder"));
        assert!(check(&folder.join("no/such.svg")).unwrap_err().contains("no/such.svg"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
