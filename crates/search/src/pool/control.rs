//! What all threads of one search share besides the table: when to stop, and how much was done.
//! `models/control` tries this file under every order of events.

use std::time::Instant;

use crate::sync::{AtomicBool, AtomicU64, Condvar, Mutex, OnceLock, PoisonError, Relaxed};

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Counters {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

/// Where the limits of a search begin to count: at its start, or at the ponder hit.
#[derive(Copy, Clone, Debug)]
pub struct Origin {
    /// Nodes that do not count.
    pub nodes: u64,
    /// When the time begins.
    pub time: Instant,
}

/// What stops one search, and what its threads have done.
pub struct Control {
    stop: AtomicBool,
    /// None while the search ponders.
    origin: OnceLock<Origin>,
    /// Has the search thought for long enough to answer as soon as the ponder move is played?
    ready: AtomicBool,
    /// Guards nothing but the sleep of a finished search that may not answer yet.
    sleep: Mutex<()>,
    wake: Condvar,
    counters: Vec<Counters>,
}

impl Control {
    /// For a search that began at `start`; without that it ponders until [`Control::ponder_hit`].
    pub fn new(threads: usize, start: Option<Instant>) -> Self {
        Self {
            stop: AtomicBool::new(false),
            origin: start.map_or_else(OnceLock::new, |time| Origin { nodes: 0, time }.into()),
            ready: AtomicBool::new(false),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
            counters: (0..threads).map(|_| Counters::default()).collect(),
        }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.counters.len()
    }

    /// Was the search asked to end?
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, Relaxed));
    }

    /// Does the search think on the opponent's time?
    #[inline(always)]
    pub fn pondering(&self) -> bool {
        self.origin.get().is_none()
    }

    /// From where the limits count; none while the search ponders.
    #[inline(always)]
    pub fn origin(&self) -> Option<Origin> {
        self.origin.get().copied()
    }

    /// The ponder move was played: ends the search if it has thought for long enough.
    pub fn ponder_hit(&self) {
        self.change(|| {
            // A second hit changes nothing.
            let _ = self.origin.set(Origin { nodes: self.nodes(), time: Instant::now() });
            if self.ready.load(Relaxed) {
                self.stop.store(true, Relaxed);
            }
        });
    }

    /// While pondering: would the search be over if it were its turn?
    pub fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Relaxed);
    }

    fn change(&self, change: impl FnOnce()) {
        let guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        drop(guard);
        self.wake.notify_all();
    }

    /// Sleeps until the search is stopped or, if it only waits for that, the ponder move is played.
    ///
    /// Without threads nobody could wake it: there it returns, and who asked has to wait.
    pub fn wait_for_permission(&self, infinite: bool) {
        if cfg!(all(target_family = "wasm", not(feature = "wasm-threads"))) {
            return;
        }
        let mut guard = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stopped() && (infinite || self.pondering()) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells the others what a thread has done so far.
    #[inline(always)]
    pub fn publish(&self, thread: usize, nodes: u64, tb_hits: u64) {
        self.counters[thread].nodes.store(nodes, Relaxed);
        self.counters[thread].tb_hits.store(tb_hits, Relaxed);
    }

    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|c| c.nodes.load(Relaxed)).sum()
    }

    /// Tablebase hits of all threads.
    pub fn tb_hits(&self) -> u64 {
        self.counters.iter().map(|c| c.tb_hits.load(Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Control;

    #[test]
    fn a_ponder_hit_ends_only_a_search_that_is_ready() {
        for ready in [false, true] {
            let control = Control::new(1, None);
            control.set_ready(ready);
            assert!(control.pondering() && !control.stopped());
            control.ponder_hit();
            assert!(!control.pondering());
            assert_eq!(control.stopped(), ready);
        }
    }
}
