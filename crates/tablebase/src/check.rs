//! Are table files whole? The long look that `brier tb info` takes, and no search.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::checksum;
use crate::files::{list, table_name};
use crate::{Problem, TableKind};

/// A table file and what is wrong with it, if anything.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CheckedFile {
    /// Where it is.
    pub path: PathBuf,
    /// The men, as in its name.
    pub material: String,
    /// What its name says.
    pub kind: TableKind,
    /// Its size.
    pub bytes: u64,
    /// What is wrong; none if its checksum is right.
    pub damage: Option<String>,
}

/// Reads every table file in the folders from end to end and compares its checksum.
///
/// Folders that cannot be read are returned beside the files.
pub fn check<P: AsRef<Path>>(folders: &[P]) -> (Vec<CheckedFile>, Vec<Problem>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for folder in folders.iter().map(AsRef::as_ref) {
        match list(folder) {
            Ok(paths) => files.extend(paths.iter().filter_map(|path| check_file(path))),
            Err(error) => problems.push(Problem {
                path: folder.to_owned(),
                reason: format!("cannot read the folder: {error}"),
            }),
        }
    }
    (files, problems)
}

fn check_file(path: &Path) -> Option<CheckedFile> {
    let (material, kind) = table_name(path)?;
    let bytes = path.metadata().map_or(0, |metadata| metadata.len());
    let damage = match File::open(path).and_then(|mut file| find_damage(&mut file, kind)) {
        Ok(damage) => damage,
        Err(error) => Some(format!("cannot read it: {error}")),
    };
    Some(CheckedFile { path: path.to_owned(), material, kind, bytes, damage })
}

/// What is wrong with a file.
pub(crate) fn find_damage(
    file: &mut (impl Read + Seek),
    kind: TableKind,
) -> io::Result<Option<String>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    if length % 64 != checksum::LENGTH as u64 {
        return Ok(Some(format!("expected blocks of 64 bytes and a checksum, got {length} bytes")));
    }
    let mut magic = [0; 4];
    file.read_exact(&mut magic)?;
    if magic != kind.magic() {
        return Ok(Some(format!(
            "expected the first bytes {:02x?}, got {magic:02x?}",
            kind.magic()
        )));
    }
    file.rewind()?;
    let found = checksum::checksum(file, length - checksum::LENGTH as u64)?;
    let mut written = [0; checksum::LENGTH];
    file.read_exact(&mut written)?;
    Ok((found != written).then(|| "its checksum does not fit its contents".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn folder() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syzygy")
    }

    #[test]
    fn real_tables_are_sound() {
        let (files, problems) = check(&[folder()]);
        assert_eq!(problems, []);
        assert_eq!(files.len(), 14);
        for file in files {
            assert_eq!(file.damage, None, "{}", file.path.display());
        }
    }

    #[test]
    fn every_kind_of_damage_is_found() {
        let sound = std::fs::read(folder().join("KPvK.rtbw")).expect("in testdata");
        let damage = |bytes: Vec<u8>| {
            find_damage(&mut Cursor::new(bytes), TableKind::Wdl).expect("in memory")
        };
        assert_eq!(damage(sound.clone()), None);
        for position in [0, 5, 2_000, sound.len() - 1] {
            let mut bytes = sound.clone();
            bytes[position] ^= 1;
            assert!(damage(bytes).is_some(), "byte {position}");
        }
        assert!(damage(sound[..sound.len() - 64].to_vec()).is_some());
        assert!(damage(sound[..100].to_vec()).is_some());
        assert!(damage(Vec::new()).is_some());
    }

    #[test]
    fn a_missing_folder_is_reported() {
        let (files, problems) = check(&[folder().join("nowhere")]);
        assert!(files.is_empty());
        assert!(problems[0].to_string().contains("cannot read the folder"), "{problems:?}");
    }
}
