//! Training positions in random order from files of any size, in little memory.
//!
//! The files are cut into chunks. Each epoch visits all chunks in a new random order, a window of
//! them at a time; the window is shuffled as a whole, so that neighbours come from many places of
//! many files. The order depends on the seed alone, so a run that goes on after a break sees what
//! it would have seen without.

use std::path::PathBuf;

use chess::Rng;
use data::{Record, RecordReader};

/// Records of a chunk: 1 MB, so that reading it costs much more than finding it.
const CHUNK: u64 = 32_768;
/// Chunks shuffled together: 64 MB.
const WINDOW: usize = 64;

/// A part of a file.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    file: usize,
    start: u64,
    records: u64,
}

/// An endless stream of records.
pub(crate) struct Stream {
    files: Vec<(PathBuf, RecordReader)>,
    chunks: Vec<Chunk>,
    seed: u64,
    epoch: u64,
    /// First chunk of the next window, as an index into this epoch's order.
    next: usize,
    window: Vec<Record>,
    at: usize,
}

impl Stream {
    /// Opens the files, which hold nothing but records.
    pub(crate) fn open(paths: &[PathBuf], seed: u64) -> Result<Self, String> {
        let mut files = Vec::new();
        let mut chunks = Vec::new();
        for path in paths {
            let shown = path.display();
            let file = RecordReader::open(path).map_err(|e| format!("{shown}: {e}"))?;
            let records = file.len();
            for start in (0..records).step_by(CHUNK as usize) {
                let records = CHUNK.min(records - start);
                chunks.push(Chunk { file: files.len(), start, records });
            }
            files.push((path.clone(), file));
        }
        if chunks.is_empty() {
            return Err("expected training positions, got none: the files are empty".into());
        }
        Ok(Self { files, chunks, seed, epoch: 0, next: 0, window: Vec::new(), at: 0 })
    }

    /// Records of one epoch.
    pub(crate) fn len(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.records).sum()
    }

    /// Fills `batch` with the next `count` records.
    pub(crate) fn next_batch(
        &mut self,
        batch: &mut Vec<Record>,
        count: usize,
    ) -> Result<(), String> {
        batch.clear();
        while batch.len() < count {
            if self.at == self.window.len() {
                let plan = self.plan_window();
                self.load(&plan)?;
            }
            let take = (count - batch.len()).min(self.window.len() - self.at);
            batch.extend_from_slice(&self.window[self.at..self.at + take]);
            self.at += take;
        }
        Ok(())
    }

    /// Passes over records as if they had been read.
    pub(crate) fn skip(&mut self, mut count: u64) -> Result<(), String> {
        loop {
            let here = (self.window.len() - self.at) as u64;
            if count <= here {
                self.at += count as usize;
                return Ok(());
            }
            count -= here;
            let plan = self.plan_window();
            let records: u64 = plan.chunks.iter().map(|chunk| chunk.records).sum();
            if count >= records {
                count -= records;
                self.window.clear();
                self.at = 0;
            } else {
                self.load(&plan)?;
            }
        }
    }

    /// Chooses the next window's chunks and moves on.
    fn plan_window(&mut self) -> Plan {
        if self.next == self.chunks.len() {
            self.next = 0;
            self.epoch += 1;
        }
        let mut random = Rng::stream(self.seed, self.epoch);
        let mut order: Vec<usize> = (0..self.chunks.len()).collect();
        random.shuffle(&mut order);
        let end = (self.next + WINDOW).min(order.len());
        let chunks = order[self.next..end].iter().map(|&i| self.chunks[i]).collect();
        let shuffle = random.next_u64() ^ self.next as u64;
        self.next = end;
        Plan { chunks, shuffle }
    }

    fn load(&mut self, plan: &Plan) -> Result<(), String> {
        self.window.clear();
        self.at = 0;
        let mut part = Vec::new();
        for chunk in &plan.chunks {
            let (path, file) = &mut self.files[chunk.file];
            file.seek(chunk.start)
                .and_then(|()| file.read_batch(&mut part, chunk.records as usize))
                .map_err(|e| format!("{}: {e}", path.display()))?;
            self.window.append(&mut part);
        }
        Rng::new(plan.shuffle).shuffle(&mut self.window);
        Ok(())
    }
}

/// What the next window holds, and in which order.
struct Plan {
    chunks: Vec<Chunk>,
    shuffle: u64,
}

#[cfg(test)]
mod tests {
    use super::Stream;
    use data::{Record, RecordWriter};

    /// Records that carry their number.
    fn file(name: &str, count: u32) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("brier-{}-{name}", std::process::id()));
        let mut writer = RecordWriter::create(&path, 0).unwrap();
        for i in 0..count {
            let mut bytes = [0; Record::SIZE];
            bytes[..4].copy_from_slice(&i.to_le_bytes());
            writer.write(&Record::from_bytes(bytes)).unwrap();
        }
        writer.finish().unwrap();
        path
    }

    #[test]
    fn an_epoch_holds_every_record_once_in_a_new_order() {
        let path = file("epoch", 70_000);
        let mut stream = Stream::open(std::slice::from_ref(&path), 1).unwrap();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        stream.next_batch(&mut first, 70_000).unwrap();
        stream.next_batch(&mut second, 70_000).unwrap();
        assert_ne!(first, second);
        for mut epoch in [first, second] {
            epoch.sort_by_key(|r| r.occupied().0);
            assert!(epoch.iter().enumerate().all(|(i, r)| r.occupied().0 == i as u64));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn skipping_equals_reading() {
        let path = file("skip", 50_000);
        for skip in [0, 1, 49_999, 50_000, 50_001, 123_456] {
            let mut read = Stream::open(std::slice::from_ref(&path), 5).unwrap();
            let mut skipped = Stream::open(std::slice::from_ref(&path), 5).unwrap();
            let (mut a, mut b) = (Vec::new(), Vec::new());
            read.next_batch(&mut a, skip).unwrap();
            skipped.skip(skip as u64).unwrap();
            read.next_batch(&mut a, 1000).unwrap();
            skipped.next_batch(&mut b, 1000).unwrap();
            assert_eq!(a, b, "after {skip}");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn an_empty_file_is_refused() {
        let path = file("empty", 0);
        let message = Stream::open(std::slice::from_ref(&path), 0).err().unwrap();
        assert!(message.contains("got none"), "{message}");
        std::fs::remove_file(path).unwrap();
    }
}
