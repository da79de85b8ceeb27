//! What all threads of one search share besides the table: when to stop, and how much was done.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Counters {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

/// What stops one search, and what its threads have done.
pub(crate) struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Has the search thought for long enough to answer as soon as the ponder move is played?
    ready: AtomicBool,
    /// Guards nothing but the sleep of a finished search that may not answer yet.
    sleep: Mutex<()>,
    wake: Condvar,
    counters: Vec<Counters>,
}

impl Control {
    pub(crate) fn new(threads: usize, pondering: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            ready: AtomicBool::new(false),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
            counters: (0..threads).map(|_| Counters::default()).collect(),
        }
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> usize {
        self.counters.len()
    }

    #[inline(always)]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.change(|| self.stop.store(true, Relaxed));
    }

    #[inline(always)]
    pub(crate) fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// The ponder move was played: ends the search if it has thought for long enough.
    pub(crate) fn ponder_hit(&self) {
        self.change(|| {
            self.pondering.store(false, Relaxed);
            if self.ready.load(Relaxed) {
                self.stop.store(true, Relaxed);
            }
        });
    }

    /// While pondering: would the search be over if it were its turn?
    pub(crate) fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Relaxed);
    }

    fn change(&self, change: impl FnOnce()) {
        let guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        drop(guard);
        self.wake.notify_all();
    }

    /// Sleeps until the search is stopped or, if it only waits for that, the ponder move is played.
    pub(crate) fn wait_for_permission(&self, infinite: bool) {
        let mut guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stopped() && (infinite || self.pondering()) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    #[inline(always)]
    pub(crate) fn publish(&self, thread: usize, nodes: u64, tb_hits: u64) {
        self.counters[thread].nodes.store(nodes, Relaxed);
        self.counters[thread].tb_hits.store(tb_hits, Relaxed);
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|c| c.nodes.load(Relaxed)).sum()
    }

    pub(crate) fn tb_hits(&self) -> u64 {
        self.counters.iter().map(|c| c.tb_hits.load(Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Control;

    #[test]
    fn a_ponder_hit_ends_only_a_search_that_is_ready() {
        for ready in [false, true] {
            let control = Control::new(1, true);
            control.set_ready(ready);
            assert!(control.pondering() && !control.stopped());
            control.ponder_hit();
            assert!(!control.pondering());
            assert_eq!(control.stopped(), ready);
        }
    }
}
