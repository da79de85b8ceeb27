//! A file of records: a header of 32 bytes, then records.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0-7   | `BRIERPOS` |
//! | 8-11  | version, 1 |
//! | 12-15 | size of a record, 32 |
//! | 16-23 | number of records |
//! | 24-31 | seed of the shuffle |

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use files::Replacement;

use crate::{DataError, Record};

const MAGIC: u64 = u64::from_le_bytes(*b"BRIERPOS");
const VERSION: u32 = 1;
const HEADER: usize = 32;

/// Writes a file of records.
#[derive(Debug)]
pub struct RecordWriter {
    file: BufWriter<Replacement>,
    count: u64,
}

impl RecordWriter {
    /// Begins a file. It takes the place of any that is there when it is finished, not before.
    pub fn create(path: &Path, seed: u64) -> Result<Self, DataError> {
        let mut file = BufWriter::with_capacity(1 << 18, Replacement::new(path)?);
        file.write_all(&MAGIC.to_le_bytes())?;
        file.write_all(&VERSION.to_le_bytes())?;
        file.write_all(&(Record::SIZE as u32).to_le_bytes())?;
        file.write_all(&0_u64.to_le_bytes())?;
        file.write_all(&seed.to_le_bytes())?;
        Ok(Self { file, count: 0 })
    }

    /// Adds a record.
    pub fn write(&mut self, record: &Record) -> Result<(), DataError> {
        self.file.write_all(record.as_bytes())?;
        self.count += 1;
        Ok(())
    }

    /// Writes the count and gives the file its name; without this it vanishes.
    pub fn finish(mut self) -> Result<u64, DataError> {
        self.file.seek(SeekFrom::Start(16))?;
        self.file.write_all(&self.count.to_le_bytes())?;
        self.file.into_inner().map_err(|error| error.into_error())?.finish()?;
        Ok(self.count)
    }
}

/// Reads a file of records, in order or from any record on.
#[derive(Debug)]
pub struct RecordReader {
    file: BufReader<File>,
    count: u64,
    next: u64,
}

impl RecordReader {
    /// Opens a file and checks its header and length.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len().saturating_sub(HEADER as u64);
        let mut file = BufReader::with_capacity(1 << 18, file);
        let mut header = [0; HEADER];
        match file.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(DataError::RecordHeader { expected: "a header of 32 bytes", got: 0 });
            }
            other => other?,
        }
        let word = |at: usize| {
            header[at..at + 8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        if word(0) != MAGIC {
            return Err(DataError::RecordHeader { expected: "the name BRIERPOS", got: word(0) });
        }
        if word(8) != u64::from(VERSION) | (Record::SIZE as u64) << 32 {
            return Err(DataError::RecordHeader {
                expected: "version 1 and 32 bytes a record (0x2000000001)",
                got: word(8),
            });
        }
        let count = word(16);
        if count.checked_mul(Record::SIZE as u64) != Some(bytes) {
            return Err(DataError::RecordCount { expected: count, bytes });
        }
        Ok(Self { file, count, next: 0 })
    }

    /// How many records the file holds.
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Does it hold none?
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of the record that will be read next.
    pub const fn position(&self) -> u64 {
        self.next
    }

    /// Goes to a record; beyond the last there is nothing to read.
    pub fn seek(&mut self, record: u64) -> Result<(), DataError> {
        self.next = record.min(self.count);
        self.file.seek(SeekFrom::Start(HEADER as u64 + self.next * Record::SIZE as u64))?;
        Ok(())
    }

    /// Puts up to `most` records into `records`, which is cleared first; fewer only at the end.
    pub fn read_batch(&mut self, records: &mut Vec<Record>, most: usize) -> Result<(), DataError> {
        records.clear();
        let count = (self.count - self.next).min(most as u64);
        for _ in 0..count {
            let mut bytes = [0; Record::SIZE];
            self.file.read_exact(&mut bytes)?;
            records.push(Record::from_bytes(bytes));
        }
        self.next += count;
        Ok(())
    }
}
