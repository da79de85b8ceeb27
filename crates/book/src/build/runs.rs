//! Sorted runs of counts on disk, and their merging.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::BuildError;
use super::counts::{Counts, Record};

/// Bytes of a record on disk.
const SIZE: usize = 22;

/// Temporary files that vanish with this value.
pub(super) struct Runs {
    output: PathBuf,
    paths: Vec<PathBuf>,
}

impl Runs {
    /// Runs that will be kept beside a file.
    pub(super) fn beside(output: &Path) -> Self {
        Self { output: output.to_owned(), paths: Vec::new() }
    }

    /// Writes a run; the records must be sorted.
    pub(super) fn add(&mut self, records: Vec<Record>) -> Result<(), BuildError> {
        // Two builds of one book, or a long name, must not get into each other's way.
        let name = format!(".brier-{}-{}.run", std::process::id(), self.paths.len());
        let path = self.output.with_file_name(name);
        self.paths.push(path.clone());
        let write = || -> io::Result<()> {
            let mut file = BufWriter::new(File::create(&path)?);
            for record in &records {
                file.write_all(&to_bytes(record))?;
            }
            file.flush()
        };
        write().map_err(|error| BuildError::Run(path.clone(), error))
    }

    /// All records of the runs and of one more in memory, in order, equal moves added up.
    pub(super) fn merge(&self, last: Vec<Record>) -> Result<Merged, BuildError> {
        let mut sources = vec![Source::Memory(last.into_iter())];
        for path in &self.paths {
            let file = File::open(path).map_err(|error| BuildError::Run(path.clone(), error))?;
            sources.push(Source::Disk(path.clone(), BufReader::new(file)));
        }
        let mut merged = Merged { sources, heads: BinaryHeap::new(), next: Vec::new() };
        merged.next.resize(merged.sources.len(), None);
        for index in 0..merged.sources.len() {
            merged.advance(index)?;
        }
        Ok(merged)
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        for path in &self.paths {
            // A temporary file that cannot be removed is only untidy.
            let _ = fs::remove_file(path);
        }
    }
}

enum Source {
    Memory(std::vec::IntoIter<Record>),
    Disk(PathBuf, BufReader<File>),
}

impl Source {
    fn next(&mut self) -> Result<Option<Record>, BuildError> {
        match self {
            Self::Memory(records) => Ok(records.next()),
            Self::Disk(path, file) => {
                let mut bytes = [0; SIZE];
                match file.read_exact(&mut bytes) {
                    Ok(()) => Ok(Some(from_bytes(bytes))),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
                    Err(error) => Err(BuildError::Run(path.clone(), error)),
                }
            }
        }
    }
}

/// Merges sorted sources by always taking the smallest of their heads.
pub(super) struct Merged {
    sources: Vec<Source>,
    heads: BinaryHeap<Reverse<((u64, u16), usize)>>,
    /// The record at the head of each source.
    next: Vec<Option<Record>>,
}

impl Merged {
    fn advance(&mut self, index: usize) -> Result<(), BuildError> {
        self.next[index] = self.sources[index].next()?;
        if let Some(record) = &self.next[index] {
            self.heads.push(Reverse((record.order(), index)));
        }
        Ok(())
    }

    fn pop(&mut self) -> Option<Result<Record, BuildError>> {
        let Reverse((_, index)) = self.heads.pop()?;
        let record = self.next[index]?;
        Some(self.advance(index).map(|()| record))
    }
}

impl Iterator for Merged {
    type Item = Result<Record, BuildError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = match self.pop()? {
            Ok(record) => record,
            Err(error) => return Some(Err(error)),
        };
        while let Some(Reverse((order, _))) = self.heads.peek()
            && *order == record.order()
        {
            match self.pop()? {
                Ok(same) => record.counts.add(same.counts),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(record))
    }
}

fn to_bytes(record: &Record) -> [u8; SIZE] {
    let Counts { wins, draws, losses } = record.counts;
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&record.key.to_le_bytes());
    bytes[8..10].copy_from_slice(&record.mv.to_le_bytes());
    for (chunk, count) in bytes[10..].chunks_exact_mut(4).zip([wins, draws, losses]) {
        chunk.copy_from_slice(&count.to_le_bytes());
    }
    bytes
}

fn from_bytes(bytes: [u8; SIZE]) -> Record {
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
    };
    Record {
        key: number(0, 8),
        mv: number(8, 10) as u16,
        counts: Counts {
            wins: number(10, 14) as u32,
            draws: number(14, 18) as u32,
            losses: number(18, 22) as u32,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(key: u64, mv: u16, wins: u32) -> Record {
        Record { key, mv, counts: Counts { wins, draws: 1, losses: u32::MAX } }
    }

    #[test]
    fn runs_merge_in_order_and_add_up() {
        let stem = std::env::temp_dir().join(format!("brier-runs-{}", std::process::id()));
        let mut runs = Runs::beside(&stem);
        runs.add(vec![record(1, 1, 10), record(u64::MAX, 9, 1)]).expect("writable");
        runs.add(vec![record(1, 1, 20), record(1, 2, 5)]).expect("writable");
        let paths = runs.paths.clone();
        let merged: Vec<Record> = runs
            .merge(vec![record(0, 7, 3), record(1, 1, 70)])
            .expect("just written")
            .map(|record| record.expect("just written"))
            .collect();
        let summary: Vec<_> = merged.iter().map(|r| (r.key, r.mv, r.counts.wins)).collect();
        assert_eq!(summary, [(0, 7, 3), (1, 1, 100), (1, 2, 5), (u64::MAX, 9, 1)]);
        assert_eq!(merged[1].counts, Counts { wins: 100, draws: 3, losses: u32::MAX });
        drop(runs);
        assert!(paths.iter().all(|path| !path.exists()));
    }
}
