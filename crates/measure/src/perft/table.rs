//! A table of subtrees already counted, shared by all threads without locks.
//!
//! An entry is two words that may come from two writers; the first is the position's key mixed
//! with the second, so a torn entry matches no key.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many leaves are below a position, by key and depth.
pub struct Table {
    entries: Vec<[AtomicU64; 2]>,
}

const DEPTH_BITS: u32 = 6;
const _: () = assert!(chess::MAX_PERFT_DEPTH < 1 << DEPTH_BITS, "every depth fits");

impl Table {
    /// The greatest depth an entry can hold.
    const MAX_DEPTH: u32 = (1 << DEPTH_BITS) - 1;

    /// A table of this size; none if the size is 0.
    pub fn with_megabytes(megabytes: usize) -> Result<Option<Self>, TryReserveError> {
        let count = megabytes.saturating_mul((1 << 20) / size_of::<[AtomicU64; 2]>());
        let mut entries = Vec::new();
        entries.try_reserve_exact(count)?;
        entries.resize_with(count, Default::default);
        Ok((count > 0).then_some(Self { entries }))
    }

    /// The count that was put for a key and a depth, if it is still there.
    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let [mixed, data] = self.entry(key);
        let data = data.load(Ordering::Relaxed);
        let fits = mixed.load(Ordering::Relaxed) ^ data == key
            && data & u64::from(Self::MAX_DEPTH) == u64::from(depth);
        fits.then_some(data >> DEPTH_BITS)
    }

    /// Remembers a count, unless it is too great for an entry.
    pub fn put(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> (u64::BITS - DEPTH_BITS) != 0 {
            return;
        }
        let data = nodes << DEPTH_BITS | u64::from(depth & Self::MAX_DEPTH);
        let [mixed, slot] = self.entry(key);
        mixed.store(key ^ data, Ordering::Relaxed);
        slot.store(data, Ordering::Relaxed);
    }

    /// The entry for a key: the product's high half spreads keys over any number of entries.
    fn entry(&self, key: u64) -> &[AtomicU64; 2] {
        let index = (u128::from(key) * self.entries.len() as u128) >> u64::BITS;
        &self.entries[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn what_is_put_can_be_got_with_its_depth_only() {
        let table = Table::with_megabytes(1).expect("one megabyte").expect("not empty");
        table.put(42, 3, 1000);
        assert_eq!(table.get(42, 3), Some(1000));
        assert_eq!(table.get(42, 4), None);
        assert_eq!(table.get(43, 3), None);
        table.put(43, 3, u64::MAX);
        assert_eq!(table.get(43, 3), None, "too great a count is not remembered");
    }

    #[test]
    fn no_size_is_no_table_and_absurd_sizes_are_errors() {
        assert!(Table::with_megabytes(0).expect("nothing to allocate").is_none());
        assert!(Table::with_megabytes(usize::MAX).is_err());
    }
}
