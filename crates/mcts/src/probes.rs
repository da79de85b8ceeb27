//! Probes, made once and lent to the threads of one search after the other.

use std::sync::{Mutex, PoisonError};

use eval::Evaluator;
use search::{Factory, Probe};

/// Those that no thread has at the moment, and how more are made.
pub(crate) struct Probes<E> {
    idle: Mutex<Vec<Probe<E>>>,
    evaluator: Factory<E>,
}

impl<E: Evaluator> Probes<E> {
    /// With the first of them; none if there is no memory for it.
    pub(crate) fn try_new(evaluator: Factory<E>) -> Option<Self> {
        let first = Probe::try_new(&evaluator)?;
        Some(Self { idle: Mutex::new(vec![first]), evaluator })
    }

    /// One that is idle or new; none if there is no memory for a new one.
    pub(crate) fn take(&self) -> Option<Probe<E>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.or_else(|| Probe::try_new(&self.evaluator))
    }

    /// Takes one back.
    pub(crate) fn give(&self, mut probe: Probe<E>) {
        probe.end();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(probe);
    }

    /// All forget the game before.
    pub(crate) fn new_game(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.iter_mut().for_each(Probe::new_game);
    }
}
