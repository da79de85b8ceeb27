//! The transposition table: shared by all threads, without locks.
//!
//! A cluster is one cache line of four entries, an entry two words. The second word holds the data,
//! the first the key and some more data, both XORed with the second: if two threads write at once,
//! the words do not fit together and the entry reads as missing. Scores of mates are stored as
//! distances from the node, not from the root.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use chess::Move;
use eval::score::{self, DRAW, Score};

use crate::doubt::Doubt;
use crate::event::Bound;
use crate::params::table as param;
use crate::static_eval::StaticEval;

const WORDS_PER_CLUSTER: usize = 8;
const ENTRIES: usize = 4;
const AGE_BITS: u32 = 5;
const AGE_MASK: u8 = (1 << AGE_BITS) - 1;
const NO_EVAL: i16 = i16::MIN;
/// The greatest depth an entry can hold; a deeper one counts as this.
pub(crate) const MAX_DEPTH: i32 = i8::MAX as i32;
/// The depth of an entry without a search.
const UNSEARCHED: i32 = -2;

/// The table could not be made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TableError {
    /// What was asked for.
    pub megabytes: usize,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} MB of free memory for the hash table, got less", self.megabytes)
    }
}

impl std::error::Error for TableError {}

/// What the table knows of a position.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    pub(crate) score: Score,
    /// The static evaluation before any correction.
    pub(crate) eval: Option<Score>,
    pub(crate) doubt: Doubt,
    pub(crate) depth: i32,
    pub(crate) bound: Option<Bound>,
    /// The position is or was on a main line.
    pub(crate) pv: bool,
}

impl Entry {
    /// The result of a search of this depth; `eval` is the static evaluation, if there is one.
    #[inline]
    pub(crate) fn searched(
        depth: i32,
        score: Score,
        bound: Bound,
        mv: Option<Move>,
        eval: Option<StaticEval>,
        pv: bool,
    ) -> Self {
        let doubt = eval.map_or(Doubt::default(), |eval| eval.doubt);
        let eval = eval.map(|eval| eval.raw);
        Self { mv, score, eval, doubt, depth, bound: Some(bound), pv }
    }

    /// The static evaluation alone, for the next visit.
    #[inline]
    pub(crate) fn evaluated(eval: StaticEval, pv: bool) -> Self {
        let StaticEval { raw, doubt, .. } = eval;
        Self { mv: None, score: DRAW, eval: Some(raw), doubt, depth: UNSEARCHED, bound: None, pv }
    }

    /// The static evaluation, if the entry has one.
    #[inline]
    pub(crate) fn static_eval(&self) -> Option<(Score, Doubt)> {
        self.eval.map(|eval| (eval, self.doubt))
    }

    /// The score, if its bound says that it is nearer the truth than this evaluation.
    #[inline]
    pub(crate) fn better_than(&self, eval: Score) -> Option<Score> {
        let above = self.score > eval && self.proves(eval + 1);
        let below = self.score < eval && self.proves(eval);
        (above || below).then_some(self.score)
    }

    /// Does the stored bound already answer a question about this window edge?
    #[inline]
    pub(crate) fn proves(&self, beta: Score) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score < beta,
            None => false,
        }
    }
}

/// The hash table.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// Where the first cache line begins.
    base: usize,
    clusters: u64,
    age: AtomicU8,
}

impl Table {
    /// A table of this size, at least one cluster.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let bytes = megabytes.max(1).checked_mul(1 << 20);
        bytes.and_then(Self::of_bytes).ok_or(TableError { megabytes })
    }

    /// A table of about this many bytes; none if there is no memory for them.
    pub fn of_bytes(bytes: usize) -> Option<Self> {
        Self::of_clusters((bytes / (8 * WORDS_PER_CLUSTER)).max(1))
    }

    /// A table of this many clusters; none if there is no memory for them.
    fn of_clusters(clusters: usize) -> Option<Self> {
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>(
            (clusters + 1) * WORDS_PER_CLUSTER,
        )
        .ok()?;
        simd::prefer_huge_pages(&words);
        let base = words.as_ptr().align_offset(64).min(WORDS_PER_CLUSTER);
        Some(Self { words, base, clusters: clusters as u64, age: AtomicU8::new(0) })
    }

    /// A table without room, for a thread that does not search.
    pub(crate) fn empty() -> Self {
        Self { words: Box::default(), base: 0, clusters: 0, age: AtomicU8::new(0) }
    }

    /// Forgets everything, with as many threads as are given.
    pub fn clear(&self, threads: usize) {
        let chunk = self.words.len().div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for words in self.words.chunks(chunk) {
                let clear = move || words.iter().for_each(|word| word.store(0, Relaxed));
                // Without a thread for it, for want of memory, this one does the work.
                if std::thread::Builder::new().spawn_scoped(scope, clear).is_err() {
                    clear();
                }
            }
        });
        self.age.store(0, Relaxed);
    }

    /// A new search begins: older entries become easier to replace.
    pub(crate) fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) & AGE_MASK, Relaxed);
    }

    #[inline(always)]
    fn first_word(&self, key: u64) -> usize {
        let cluster = (u128::from(key) * u128::from(self.clusters)) >> 64;
        self.base + cluster as usize * WORDS_PER_CLUSTER
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &[AtomicU64] {
        let first = self.first_word(key);
        &self.words[first..first + WORDS_PER_CLUSTER]
    }

    /// Asks the processor to fetch the cluster of a key that is needed soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        simd::prefetch(&self.words[self.first_word(key)]);
    }

    /// Looks a position up; scores come back as seen from the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.cluster(key).chunks_exact(2).find_map(|words| {
            let data = words[1].load(Relaxed);
            let check = words[0].load(Relaxed) ^ data;
            (check >> 16 == key & KEY_MASK && data != 0).then(|| unpack(data, check, ply))
        })
    }

    /// Stores what is known of a position, in the place of the least useful entry.
    pub(crate) fn store(&self, key: u64, ply: usize, entry: &Entry) {
        let age = self.age.load(Relaxed);
        let cluster = self.cluster(key);
        let mut victim = 0;
        let mut victim_worth = i32::MAX;
        let mut old = None;
        for slot in 0..ENTRIES {
            let data = cluster[2 * slot + 1].load(Relaxed);
            let check = cluster[2 * slot].load(Relaxed) ^ data;
            if data == 0 || check >> 16 == key & KEY_MASK {
                victim = slot;
                old = (data != 0).then_some(data);
                break;
            }
            let searches_ago = i32::from(age.wrapping_sub(age_of(data)) & AGE_MASK);
            let worth = depth_of(data) - param::age() * searches_ago;
            if worth < victim_worth {
                (victim, victim_worth) = (slot, worth);
            }
        }
        let mut mv = entry.mv;
        if let Some(old) = old {
            mv = mv.or(Move::from_bits(old as u16));
            let deeper = depth_of(old)
                > entry.depth + param::keep() + param::keep_pv() * i32::from(entry.pv);
            if entry.bound != Some(Bound::Exact) && deeper && age_of(old) == age {
                return;
            }
        }
        let data = pack(entry, mv, age, ply);
        let check = (key & KEY_MASK) << 16 | u64::from(entry.doubt.to_bits());
        cluster[2 * victim].store(check ^ data, Relaxed);
        cluster[2 * victim + 1].store(data, Relaxed);
    }

    /// How full the table is with entries of the current search, in thousandths.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = 250.min(self.clusters as usize) * ENTRIES;
        let used = (0..sample)
            .map(|entry| self.words[self.base + 2 * entry + 1].load(Relaxed))
            .filter(|&data| data != 0 && age_of(data) == age)
            .count();
        (used * 1000 / sample) as u32
    }
}

const KEY_MASK: u64 = (1 << 48) - 1;

// Data: move 0-15, score 16-31, eval 32-47, depth 48-55, bound 56-57, pv 58, age 59-63.

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as i8)
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

fn pack(entry: &Entry, mv: Option<Move>, age: u8, ply: usize) -> u64 {
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16);
    let bound = match entry.bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    };
    u64::from(mv.map_or(0, Move::bits))
        | u64::from(to_table(entry.score, ply) as u16) << 16
        | u64::from(eval as u16) << 32
        | u64::from(entry.depth.min(MAX_DEPTH) as u8) << 48
        | bound << 56
        | u64::from(entry.pv) << 58
        | u64::from(age) << 59
}

fn unpack(data: u64, check: u64, ply: usize) -> Entry {
    let eval = (data >> 32) as i16;
    Entry {
        mv: Move::from_bits(data as u16),
        score: from_table(Score::from((data >> 16) as i16), ply),
        eval: (eval != NO_EVAL).then_some(Score::from(eval)),
        doubt: Doubt::from_bits(check as u16),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        },
        pv: data >> 58 & 1 == 1,
    }
}

fn to_table(score: Score, ply: usize) -> i16 {
    let ply = ply as Score;
    let stored = if score::is_win(score) {
        score + ply
    } else if score::is_loss(score) {
        score - ply
    } else {
        score
    };
    stored as i16
}

fn from_table(stored: Score, ply: usize) -> Score {
    let ply = ply as Score;
    if score::is_win(stored) {
        stored - ply
    } else if score::is_loss(stored) {
        stored + ply
    } else {
        stored
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn entry(depth: i32, score: Score) -> Entry {
        Entry {
            mv: Some(Move::normal(Square::E1, Square::from_index(12))),
            score,
            eval: Some(-35),
            doubt: Doubt::new(40, 1000),
            depth,
            bound: Some(Bound::Lower),
            pv: true,
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let table = Table::new(1).unwrap();
        table.store(0x1234_5678_9abc_def0, 3, &entry(11, 77));
        let found = table.probe(0x1234_5678_9abc_def0, 3).unwrap();
        assert_eq!((found.depth, found.score, found.eval, found.pv), (11, 77, Some(-35), true));
        assert_eq!((found.doubt.below(), found.doubt.above()), (40, 1000));
        assert_eq!(found.bound, Some(Bound::Lower));
        assert_eq!(found.mv, entry(0, 0).mv);
        assert!(table.probe(0x1234_5678_9abc_def1, 3).is_none());
    }

    #[test]
    fn mates_are_measured_from_the_node() {
        let table = Table::new(1).unwrap();
        table.store(42, 5, &entry(1, score::mate_in(9)));
        assert_eq!(table.probe(42, 2).unwrap().score, score::mate_in(6));
        table.store(43, 5, &entry(1, score::mated_in(9)));
        assert_eq!(table.probe(43, 2).unwrap().score, score::mated_in(6));
    }

    #[test]
    fn a_torn_entry_is_missing() {
        let table = Table::new(1).unwrap();
        table.store(7, 0, &entry(4, 10));
        let cluster = table.cluster(7);
        cluster[1].store(cluster[1].load(Relaxed) ^ 0x10000, Relaxed);
        // Only the low sixteen bits of the check word are not key: the score's bit 16 is.
        assert!(table.probe(7, 0).is_none());
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_entry() {
        let table = Table::new(1).unwrap();
        for depth in 1..=5 {
            table.store(depth, 0, &entry(depth as i32, 0));
        }
        assert!(table.probe(1, 0).is_none());
        assert!((2..=5).all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory does")]
    fn an_impossible_size_is_an_error() {
        assert_eq!(Table::new(usize::MAX).err(), Some(TableError { megabytes: usize::MAX }));
        assert!(Table::new(1 << 40).is_err());
    }

    /// Depth, score and evaluation always belong to each other, whoever wrote last.
    #[test]
    fn threads_that_write_at_once_mix_no_entries() {
        let table = Table::new(1).unwrap();
        let count = if cfg!(miri) { 50 } else { 100_000 };
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    for number in 0..count {
                        let depth = 1 + (number + thread) % 100;
                        let stored = Entry { eval: Some(2 * depth), ..entry(depth, 3 * depth) };
                        // Keys of one cluster, some of them the same.
                        let key = u64::from(number as u32 % 6);
                        table.store(key, 0, &stored);
                        if let Some(found) = table.probe(key ^ 1, 0) {
                            let depth = found.depth;
                            assert_eq!((found.score, found.eval), (3 * depth, Some(2 * depth)));
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn clearing_forgets() {
        let table = Table::of_clusters(1000).unwrap();
        table.store(7, 0, &entry(4, 10));
        table.clear(3);
        assert!(table.probe(7, 0).is_none());
        assert_eq!(table.hashfull(), 0);
    }
}
