//! A checksum inside the file, for models of this engine.
//!
//! The value of the key [`CHECKSUM`] is the 64-bit FNV-1a hash of the whole file with the value's
//! own eight bytes taken as zero. The format knows no checksum, and a changed byte of a tensor
//! is a number like any other: without it a damaged model would play, badly.

use eval::checksum::fnv1a;

use super::read::Layout;
use super::{Gguf, GgufError, Kind, Problem};

/// The key of the checksum, a 64-bit number.
pub const CHECKSUM: &str = "brier.checksum";

/// Bytes before the first key: magic, version and the two counts.
const HEADER: usize = 24;

/// Compares a file with its checksum; a file without one is refused.
pub fn verify(file: &[u8]) -> Result<(), GgufError> {
    let (_, layout) = Gguf::parse_with_layout(file)?;
    let at = layout.checksum.ok_or_else(|| GgufError::key(CHECKSUM, Problem::Missing))?;
    let mut written = [0; 8];
    written.copy_from_slice(&file[at..at + 8]);
    let (expected, got) = (u64::from_le_bytes(written), hash_without(file, at));
    match expected == got {
        true => Ok(()),
        false => Err(GgufError::key(CHECKSUM, Problem::Checksum { expected, got })),
    }
}

/// The same file with the right checksum in it, whether it had one or not.
pub fn seal(file: &[u8]) -> Result<Vec<u8>, GgufError> {
    let (gguf, layout) = Gguf::parse_with_layout(file)?;
    let (mut sealed, at) = match layout.checksum {
        Some(at) => (file.to_vec(), at),
        None => insert_key(file, &layout, gguf.alignment, gguf.metadata.len() as u64),
    };
    let hash = hash_without(&sealed, at);
    sealed[at..at + 8].copy_from_slice(&hash.to_le_bytes());
    Ok(sealed)
}

/// The file with the key before all others, and where its value lies.
fn insert_key(file: &[u8], layout: &Layout, alignment: usize, pairs: u64) -> (Vec<u8>, usize) {
    let mut new = file[..HEADER - 8].to_vec();
    new.extend((pairs + 1).to_le_bytes());
    new.extend((CHECKSUM.len() as u64).to_le_bytes());
    new.extend_from_slice(CHECKSUM.as_bytes());
    new.extend((Kind::U64 as u32).to_le_bytes());
    let at = new.len();
    new.extend([0; 8]);
    new.extend_from_slice(&file[HEADER..layout.headings_end]);
    new.resize(new.len().next_multiple_of(alignment), 0);
    new.extend_from_slice(&file[layout.data_start..]);
    (new, at)
}

/// FNV-1a with eight bytes from `at` on taken as zero.
fn hash_without(file: &[u8], at: usize) -> u64 {
    let parts = [&file[..at], &[0; 8], &file[at + 8..]];
    fnv1a(parts.into_iter().flatten())
}
