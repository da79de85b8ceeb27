//! Table files that may be damaged: opened once, dropped for good when something is wrong.
//!
//! The library opens a table when it is first needed and would try a broken one again and again.
//! Here every file has a flag; once the flag is up, reads fail at once and the file is reported a
//! single time.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

use crate::check::find_damage;
use crate::is_material_name;

/// What a table file's name says.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum TableKind {
    /// Win, draw or loss: `.rtbw`.
    Wdl,
    /// Distance to the next capture or pawn move: `.rtbz`.
    Dtz,
}

impl TableKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtz];

    /// How the names of such files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    /// How such files begin.
    pub(crate) const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Something wrong with a folder or a file, to be reported to the user.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problem {
    /// The folder or file.
    pub path: PathBuf,
    /// What was expected and what came.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; it is not used", self.path.display(), self.reason)
    }
}

/// The material and kind of a table file, by its name.
pub(crate) fn table_name(path: &Path) -> Option<(String, TableKind)> {
    let extension = path.extension()?;
    let kind = TableKind::ALL.into_iter().find(|kind| extension == kind.extension())?;
    let material = path.file_stem()?.to_str()?;
    is_material_name(material).then(|| (material.to_owned(), kind))
}

/// The regular files in a folder. Opening a pipe or a device could wait for ever.
pub(crate) fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

/// Files on disk, mapped into memory: a probe reads a few bytes here and there, for which system
/// calls would cost more than the decoding.
#[cfg(target_pointer_width = "64")]
fn disk() -> Box<dyn Filesystem> {
    // SAFETY: the map must not change under us. Table files are never rewritten once they are
    // downloaded; a user who does so while the engine runs may crash it, as with any engine.
    let files = unsafe { shakmaty_syzygy::filesystem::MmapFilesystem::new() };
    Box::new(files.with_advise_random(true))
}

/// Files on disk; with 32-bit pointers the tables would not fit into the address space.
#[cfg(not(target_pointer_width = "64"))]
fn disk() -> Box<dyn Filesystem> {
    Box::new(shakmaty_syzygy::filesystem::OsFilesystem::new())
}

/// Files up to this length are read whole when they are opened: a few milliseconds at most, once.
/// Longer ones would delay a move; damage in them shows when decoding fails, or in a check.
const VERIFIED_LENGTH: u64 = 1 << 20;

/// A known table file.
#[derive(Debug)]
struct Entry {
    path: PathBuf,
    broken: AtomicBool,
}

/// Files guarded by their flags, on disk or in memory.
pub(crate) struct TableFiles {
    source: Box<dyn Filesystem>,
    /// By file name, so that the library's errors, which know the material only, find them.
    entries: BTreeMap<String, Arc<Entry>>,
    /// Files up to this length have their checksum compared when they are opened.
    verified_length: u64,
    problems: Mutex<Vec<Problem>>,
}

impl TableFiles {
    /// Files on disk.
    pub(crate) fn on_disk() -> Self {
        Self::new(disk(), VERIFIED_LENGTH)
    }

    /// Files in memory, whose checksums nobody looks at: damage has to be found by decoding.
    pub(crate) fn in_memory(files: BTreeMap<PathBuf, Arc<[u8]>>) -> Self {
        Self::new(Box::new(MemoryFiles(files)), 0)
    }

    fn new(source: Box<dyn Filesystem>, verified_length: u64) -> Self {
        let problems = Mutex::new(Vec::new());
        Self { source, entries: BTreeMap::new(), verified_length, problems }
    }

    /// Takes note of a file; false if one of this name is known already.
    pub(crate) fn add(&mut self, name: &str, path: &Path) -> bool {
        if self.entries.contains_key(name) {
            return false;
        }
        let entry = Entry { path: path.to_owned(), broken: AtomicBool::new(false) };
        self.entries.insert(name.to_owned(), Arc::new(entry));
        true
    }

    /// Takes the file of this name out of use and notes why, once.
    pub(crate) fn give_up(&self, name: &str, reason: &str) {
        if let Some(entry) = self.entries.get(name)
            && !entry.broken.swap(true, Ordering::Relaxed)
        {
            self.note(&entry.path, reason);
        }
    }

    /// Notes a problem for the user.
    pub(crate) fn note(&self, path: &Path, reason: &str) {
        let problem = Problem { path: path.to_owned(), reason: reason.to_owned() };
        self.lock_problems().push(problem);
    }

    /// The problems since the last call.
    pub(crate) fn take_problems(&self) -> Vec<Problem> {
        std::mem::take(&mut *self.lock_problems())
    }

    /// Compares the checksum of a file that is opened for probing, unless it is long.
    fn verify(&self, path: &Path, file: &dyn RandomAccessFile) -> io::Result<()> {
        let length = self.source.regular_file_size(path)?;
        let Some((_, kind)) = table_name(path).filter(|_| length <= self.verified_length) else {
            return Ok(());
        };
        let mut bytes = vec![0; length as usize];
        file.read_exact_at(&mut bytes, 0, ReadHint::Data)?;
        match find_damage(&mut io::Cursor::new(bytes), kind)? {
            Some(damage) => Err(io::Error::new(io::ErrorKind::InvalidData, damage)),
            None => Ok(()),
        }
    }

    fn lock_problems(&self) -> std::sync::MutexGuard<'_, Vec<Problem>> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a read of a file out of use answers.
fn out_of_use() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file is damaged")
}

impl Filesystem for TableFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.source.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.source.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let entry = self.entries.get(name).ok_or(io::ErrorKind::NotFound)?;
        if entry.broken.load(Ordering::Relaxed) {
            return Err(out_of_use());
        }
        let file = self.source.open(path)?;
        self.verify(path, &*file)?;
        Ok(Box::new(GuardedFile { file, entry: Arc::clone(entry) }))
    }
}

/// An open file that stops answering when it has been given up.
struct GuardedFile {
    file: Box<dyn RandomAccessFile>,
    entry: Arc<Entry>,
}

impl RandomAccessFile for GuardedFile {
    fn read_at(&self, buf: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        if self.entry.broken.load(Ordering::Relaxed) {
            return Err(out_of_use());
        }
        self.file.read_at(buf, offset, hint)
    }
}

/// Files that are all in memory: for tests and fuzzers.
struct MemoryFiles(BTreeMap<PathBuf, Arc<[u8]>>);

impl Filesystem for MemoryFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(bytes.len() as u64)
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(self.0.keys().cloned().collect())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(MemoryFile(Arc::clone(bytes))))
    }
}

struct MemoryFile(Arc<[u8]>);

impl RandomAccessFile for MemoryFile {
    fn read_at(&self, buf: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.0.get(start..));
        let rest = rest.ok_or(io::ErrorKind::UnexpectedEof)?;
        let length = buf.len().min(rest.len());
        buf[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
