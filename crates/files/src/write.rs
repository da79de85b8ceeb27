//! Writing: a new file takes the place of the old one when it is whole.
//!
//! The new file is written beside the old one, under a short name of its own, and renamed. A
//! link is followed, so what it points to is replaced and the link stays; the old file's
//! permissions are kept. A device or a pipe cannot be replaced without harm: it is written into.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes a whole file, or nothing of it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = Replacement::new(path)?;
    new.write_all(bytes)?;
    new.finish()
}

/// A file that is being written. It takes its name with [`Replacement::finish`]; dropped before
/// that, it vanishes.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// The unfinished file and the name it will take; none where the file is written in place.
    rename: Option<(PathBuf, PathBuf)>,
}

impl Replacement {
    /// Begins a file that will be at `path`.
    pub fn new(path: &Path) -> io::Result<Replacement> {
        let old = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        match &old {
            Some(old) if old.is_dir() => {
                Err(invalid("expected a file to write, got a folder".to_owned()))
            }
            Some(old) if !old.is_file() => {
                Ok(Replacement { file: OpenOptions::new().write(true).open(path)?, rename: None })
            }
            _ => {
                let target = follow_links(path)?;
                let (file, unfinished) = create_beside(&target)?;
                let new = Replacement { file, rename: Some((unfinished, target)) };
                if let Some(old) = old {
                    new.file.set_permissions(old.permissions())?;
                }
                Ok(new)
            }
        }
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some((unfinished, target)) = &self.rename else { return Ok(()) };
        // Without this a loss of power may leave the new name with nothing behind it.
        self.file.sync_all()?;
        fs::rename(unfinished, target)?;
        self.rename = None;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some((unfinished, _)) = &self.rename {
            // Nothing more can be done about a file that does not go away.
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// Says now, rather than after long work, if a file cannot be written. Changes nothing.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        // Opening a pipe would wait for its reader.
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => Ok(()),
        _ => Replacement::new(path).map(drop),
    }
}

/// How the names of unfinished files begin and end.
const PREFIX: &str = ".brier-";
const SUFFIX: &str = ".unfinished";

/// Is this the name of a file that was never finished? Programs that were killed leave such files.
pub fn is_unfinished(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

/// Whether two names stand for one file, through links too.
pub fn same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) {
            return (one.dev(), one.ino()) == (other.dev(), other.ino());
        }
    }
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The name at the end of a chain of links; a link may point to a file that is not there yet.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(invalid(format!("expected at most {MOST} links, got more")))
}

/// A new, empty file in the folder of another. Its name is short, whatever the other's length,
/// and nobody else's: other processes have other numbers, and a name that is taken is passed over.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id());
        let unfinished = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&unfinished) {
            Ok(file) => return Ok((file, unfinished)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A folder of one test.
    pub(crate) struct Folder(pub(crate) PathBuf);

    impl Folder {
        pub(crate) fn new() -> Folder {
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("brier-files-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let folder = Folder::new();
        let path = folder.0.join("chart.svg");
        replace(&path, b"old").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.names(), ["chart.svg"]);
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let folder = Folder::new();
        let path = folder.0.join("book.bin");
        fs::write(&path, "old").unwrap();
        let mut new = Replacement::new(&path).unwrap();
        new.write_all(b"half of it").unwrap();
        assert!(folder.names().iter().any(|name| is_unfinished(name.as_ref())));
        assert!(!is_unfinished("book.bin".as_ref()));
        drop(new);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(folder.names(), ["book.bin"]);
    }

    #[test]
    fn two_files_that_are_written_at_once_do_not_meet() {
        let folder = Folder::new();
        let path = folder.0.join("book.bin");
        let (mut one, mut two) =
            (Replacement::new(&path).unwrap(), Replacement::new(&path).unwrap());
        one.write_all(b"one").unwrap();
        two.write_all(b"second").unwrap();
        one.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        two.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
    }

    #[test]
    fn a_name_as_long_as_the_system_allows_can_be_written() {
        let folder = Folder::new();
        let path = folder.0.join("n".repeat(255));
        replace(&path, b"x").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"x");
    }

    #[test]
    fn folders_and_missing_folders_are_errors() {
        let folder = Folder::new();
        assert!(check_writable(&folder.0).unwrap_err().to_string().contains("folder"));
        assert!(check_writable(&folder.0.join("no/such")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new();
        let (path, link) = (folder.0.join("file"), folder.0.join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("file", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(same_file(&link, &path));
        assert!(!same_file(&link, &folder.0.join("other")));
        let dangling = folder.0.join("dangling");
        symlink("later", &dangling).unwrap();
        replace(&dangling, b"x").unwrap();
        assert_eq!(fs::read(folder.0.join("later")).unwrap(), b"x");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_into_and_stays_one() {
        let null = Path::new("/dev/null");
        check_writable(null).unwrap();
        replace(null, b"x").unwrap();
        assert!(!fs::metadata(null).unwrap().is_file());
    }
}
