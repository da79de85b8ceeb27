//! How a search is stopped from any thread.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::control::Control;
use super::job::Job;

/// A search that can be asked to end.
pub trait Stoppable: Send + Sync {
    /// What stops it.
    fn control(&self) -> &Control;
}

/// Stops the search of an engine from any thread.
#[derive(Clone)]
pub struct Stopper {
    /// The newest search; gone when it has answered.
    search: Arc<Mutex<Weak<dyn Stoppable>>>,
}

impl Default for Stopper {
    fn default() -> Self {
        let none: Weak<Job> = Weak::new();
        Self { search: Arc::new(Mutex::new(none)) }
    }
}

impl Stopper {
    /// Asks the search that runs now, if any does, to answer as soon as it can.
    pub fn stop(&self) {
        let search = self.search.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(search) = search {
            search.control().stop();
        }
    }

    /// From now on stops this search.
    pub fn concern<S: Stoppable + 'static>(&self, search: &Arc<S>) {
        let search: Weak<S> = Arc::downgrade(search);
        *self.search.lock().unwrap_or_else(PoisonError::into_inner) = search;
    }
}
