//! One engine for all who ask: the newest question is answered, the one before it ends.
//!
//! A person looks at one position at a time. So a page that asks about the next position need not
//! say that it has lost interest in the last one, and a second window takes the engine over.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::analyze::searcher::Searcher;

/// The engine and the line in front of it.
pub(super) struct Desk {
    searcher: Mutex<Searcher>,
    /// How many have asked so far.
    asked: AtomicU64,
}

/// The right to use the engine until somebody else asks.
pub(super) struct Turn<'a> {
    pub(super) searcher: MutexGuard<'a, Searcher>,
    ticket: Ticket<'a>,
}

/// One's place among all who have asked.
#[derive(Copy, Clone)]
pub(super) struct Ticket<'a> {
    number: u64,
    asked: &'a AtomicU64,
}

impl Desk {
    pub(super) fn new(searcher: Searcher) -> Self {
        Self { searcher: Mutex::new(searcher), asked: AtomicU64::new(0) }
    }

    /// Waits for the engine; none if another asked meanwhile.
    pub(super) fn ask(&self) -> Option<Turn<'_>> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let ticket = Ticket { number, asked: &self.asked };
        // Whoever panicked has left the engine stopped or searching; the next search stops it.
        let searcher = self.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        ticket.is_valid().then_some(Turn { searcher, ticket })
    }
}

impl<'a> Turn<'a> {
    pub(super) fn ticket(&self) -> Ticket<'a> {
        self.ticket
    }
}

impl Ticket<'_> {
    /// Has nobody asked since?
    pub(super) fn is_valid(self) -> bool {
        self.asked.load(Ordering::Relaxed) == self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_question_wins() {
        let desk = Desk::new(Searcher::test(1));
        std::thread::scope(|scope| {
            let first = desk.ask().expect("nobody else is there");
            assert!(first.ticket().is_valid());
            let second = scope.spawn(|| desk.ask().is_some());
            while first.ticket().is_valid() {
                std::thread::yield_now();
            }
            drop(first);
            assert!(second.join().unwrap());
        });
        assert!(desk.ask().is_some());
    }
}
