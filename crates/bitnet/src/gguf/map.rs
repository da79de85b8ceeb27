//! A file in memory, without reading it first.

use std::{fs::File, path::Path};

use memmap2::Mmap;

use super::{GgufError, Problem};

/// A memory map of a whole file. An empty file is an empty slice.
pub struct Mapped(Option<Mmap>);

impl Mapped {
    /// Maps the file at `path`.
    pub fn open(path: &Path) -> Result<Mapped, GgufError> {
        let error = |e: std::io::Error| {
            GgufError::new(format!("file `{}`", path.display()), Problem::Io(e.to_string()))
        };
        let file = File::open(path).map_err(error)?;
        let info = file.metadata().map_err(error)?;
        if !info.is_file() {
            return Err(error(std::io::Error::other("expected a file, got something else")));
        }
        if info.len() == 0 {
            return Ok(Mapped(None));
        }
        // SAFETY: the map is private and read-only. If another program truncates the file while it
        // is mapped the system ends this one; the map lives only while a model is loaded from it.
        let map = unsafe { Mmap::map(&file) }.map_err(error)?;
        Ok(Mapped(Some(map)))
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or(&[])
    }
}
