//! How often each move was played and with which result.

use std::collections::HashMap;

/// Results of games, for the side that made the move.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Counts {
    /// Won.
    pub(super) wins: u32,
    /// Drawn.
    pub(super) draws: u32,
    /// Lost.
    pub(super) losses: u32,
}

impl Counts {
    /// All games.
    pub(super) fn games(self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// Two for a win, one for a draw.
    pub(super) fn points(self) -> u64 {
        2 * u64::from(self.wins) + u64::from(self.draws)
    }

    pub(super) fn add(&mut self, other: Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

/// The counts of one move of one position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Record {
    pub(super) key: u64,
    pub(super) mv: u16,
    pub(super) counts: Counts,
}

impl Record {
    /// What records are sorted and merged by.
    pub(super) fn order(&self) -> (u64, u16) {
        (self.key, self.mv)
    }
}

/// Bytes an entry takes, with room for the sorted copy that is made when the table is emptied.
const BYTES_PER_ENTRY: usize = 100;

/// Counts in memory, up to a limit.
pub(super) struct Table {
    counts: HashMap<(u64, u16), Counts>,
    limit: usize,
}

impl Table {
    /// A table that keeps within this many megabytes.
    pub(super) fn with_memory(megabytes: usize) -> Self {
        let limit = megabytes.saturating_mul(1_000_000) / BYTES_PER_ENTRY;
        Self { counts: HashMap::new(), limit: limit.max(1) }
    }

    pub(super) fn add(&mut self, key: u64, mv: u16, counts: Counts) {
        self.counts.entry((key, mv)).or_default().add(counts);
    }

    /// Should it be emptied before the next game?
    pub(super) fn is_full(&self) -> bool {
        self.counts.len() >= self.limit
    }

    /// Takes everything out, in order.
    pub(super) fn drain_sorted(&mut self) -> Vec<Record> {
        let drained = self.counts.drain();
        let mut records: Vec<Record> =
            drained.map(|((key, mv), counts)| Record { key, mv, counts }).collect();
        records.sort_unstable_by_key(Record::order);
        records
    }
}
