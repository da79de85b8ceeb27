//! Putting more positions than fit into memory into random order.
//!
//! Each position gets a number by a keyed hash, and the order of those numbers is the order of the
//! file. So the result depends on the seed and on which positions there are, not on how the games
//! lie in the files; and equal positions meet, so that only the first of them needs to stay.
//!
//! The numbers' leading bits choose a bucket, a file on disk; then the buckets are sorted in
//! memory, one after the other.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::{DataError, Record, RecordWriter};

/// Two shuffles at once stay below the 1024 open files that many systems allow.
const MOST_BUCKETS: u64 = 256;

/// Collects records and writes them in random order.
#[derive(Debug)]
pub struct Shuffler {
    folder: PathBuf,
    buckets: Vec<BufWriter<File>>,
    seed: u64,
    count: u64,
}

/// How many records went in and out.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct ShuffleCounts {
    /// Records that were pushed.
    pub pushed: u64,
    /// Records that were written.
    pub written: u64,
}

impl Shuffler {
    /// Starts a shuffle that will get at most about `expected` records and may hold about
    /// `memory` bytes of them at once. Buckets live in `folder`, which is made and later removed.
    pub fn new(folder: &Path, seed: u64, expected: u64, memory: u64) -> Result<Self, DataError> {
        // A record is held once, with its number and its place beside it.
        let needed = expected.saturating_mul(Record::SIZE as u64 + 16);
        let count = needed.div_ceil(memory.max(1)).clamp(1, MOST_BUCKETS).next_power_of_two();
        fs::create_dir_all(folder)?;
        remove_old_buckets(folder)?;
        let buckets = (0..count)
            .map(|index| File::create(bucket_path(folder, index)).map(BufWriter::new))
            .collect::<Result<_, _>>()?;
        Ok(Self { folder: folder.to_path_buf(), buckets, seed, count: 0 })
    }

    /// Adds a record.
    pub fn push(&mut self, record: &Record) -> Result<(), DataError> {
        let number = record.position_hash(self.seed);
        // The upper bits, so that buckets are ranges of numbers.
        let bucket = (u128::from(number) * self.buckets.len() as u128) >> 64;
        self.buckets[bucket as usize].write_all(record.as_bytes())?;
        self.count += 1;
        Ok(())
    }

    /// How many records were pushed.
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Was none pushed?
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Writes all records in their new order and removes the buckets; `progress` gets how many
    /// records have been dealt with.
    pub fn finish(
        mut self,
        output: &Path,
        mut progress: impl FnMut(u64),
    ) -> Result<ShuffleCounts, DataError> {
        let mut writer = RecordWriter::create(output, self.seed)?;
        let buckets = std::mem::take(&mut self.buckets);
        let mut done = 0;
        for (index, bucket) in buckets.into_iter().enumerate() {
            bucket.into_inner().map_err(|error| error.into_error())?;
            let path = bucket_path(&self.folder, index as u64);
            let records = self.sorted_bucket(&path)?;
            fs::remove_file(&path)?;
            let mut last: Option<&Record> = None;
            for record in &records {
                let twin = last.is_some_and(|last| last.same_position(record));
                if !twin {
                    writer.write(record)?;
                    last = Some(record);
                }
            }
            done += records.len() as u64;
            progress(done);
        }
        // Somebody else's files in the folder are a reason to leave it, not to fail.
        let _ = fs::remove_dir(&self.folder);
        Ok(ShuffleCounts { pushed: self.count, written: writer.finish()? })
    }

    fn sorted_bucket(&self, path: &Path) -> Result<Vec<Record>, DataError> {
        let file = File::open(path)?;
        let count = file.metadata()?.len() as usize / Record::SIZE;
        let mut input = BufReader::new(file);
        let mut records = Vec::with_capacity(count);
        for _ in 0..count {
            let mut bytes = [0; Record::SIZE];
            input.read_exact(&mut bytes)?;
            records.push(Record::from_bytes(bytes));
        }
        // Stable: of equal positions the one that came first stays first.
        records.sort_by_cached_key(|record| record.position_hash(self.seed));
        Ok(records)
    }
}

/// A shuffle that was killed leaves its buckets behind.
fn remove_old_buckets(folder: &Path) -> Result<(), DataError> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.starts_with("bucket-")) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn bucket_path(folder: &Path, index: u64) -> PathBuf {
    folder.join(format!("bucket-{index}"))
}
