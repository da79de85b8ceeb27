//! One engine for all who want it, and whose turn it is.
//!
//! A person looks at one position at a time, so the newest question about a position is answered
//! and the others wait: a second window takes the engine over, and gives it back when it is closed.
//! Work that cannot be interrupted is done in the order in which it came.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Who comes first.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Order {
    NewestFirst,
    OldestFirst,
}

/// An engine, or whatever is shared, and the line in front of it.
pub(crate) struct Turns<T> {
    order: Order,
    shared: Mutex<T>,
    line: Mutex<Line>,
    changed: Condvar,
}

/// Who wants the engine, by number.
#[derive(Default)]
struct Line {
    waiting: BTreeSet<u64>,
    last: u64,
}

/// A place in the line, left when this is dropped.
pub(crate) struct Turn<'a, T> {
    turns: &'a Turns<T>,
    number: u64,
}

impl<T> Turns<T> {
    pub(crate) fn new(order: Order, shared: T) -> Self {
        Self { order, shared: Mutex::new(shared), line: Mutex::default(), changed: Condvar::new() }
    }

    /// Joins the line.
    pub(crate) fn join(&self) -> Turn<'_, T> {
        let mut line = self.line();
        line.last += 1;
        let number = line.last;
        line.waiting.insert(number);
        Turn { turns: self, number }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn first(&self, line: &Line) -> Option<u64> {
        match self.order {
            Order::NewestFirst => line.waiting.last().copied(),
            Order::OldestFirst => line.waiting.first().copied(),
        }
    }
}

impl<'a, T> Turn<'a, T> {
    pub(crate) fn is_mine(&self) -> bool {
        self.turns.first(&self.turns.line()) == Some(self.number)
    }

    /// Waits for the turn, at most this long.
    pub(crate) fn wait(&self, longest: Duration) -> bool {
        let line = self.turns.line();
        let others = |line: &mut Line| self.turns.first(line) != Some(self.number);
        let waited = self.turns.changed.wait_timeout_while(line, longest, others);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// What is shared. Whoever had it before is about to notice that the turn is over.
    pub(crate) fn take(&self) -> MutexGuard<'a, T> {
        // Whoever panicked has left the engine stopped or searching; the next search stops it.
        self.turns.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        self.turns.line().waiting.remove(&self.number);
        self.turns.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn the_newest_question_wins_and_gives_back() {
        let turns = Turns::new(Order::NewestFirst, ());
        let first = turns.join();
        assert!(first.is_mine());
        let second = turns.join();
        assert!(second.is_mine() && !first.is_mine());
        assert!(!first.wait(Duration::from_millis(1)));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| first.wait(HOUR));
            drop(second);
            assert!(waiting.join().unwrap());
        });
        drop(first.take());
    }

    #[test]
    fn work_is_done_in_order() {
        let turns = Turns::new(Order::OldestFirst, ());
        let (first, second) = (turns.join(), turns.join());
        assert!(first.is_mine() && !second.is_mine());
        drop(first);
        assert!(second.wait(HOUR));
    }
}
