//! Evaluators, made once and lent to the threads of one search after the other.

use std::sync::{Arc, Mutex, PoisonError};

/// Those that no thread has at the moment, and how more are made.
pub(crate) struct Evaluators<E> {
    idle: Mutex<Vec<E>>,
    make: Arc<dyn Fn() -> E + Send + Sync>,
}

impl<E> Evaluators<E> {
    pub(crate) fn new(make: Arc<dyn Fn() -> E + Send + Sync>) -> Self {
        Self { idle: Mutex::new(Vec::new()), make }
    }

    /// One that stands wherever the last thread left it.
    pub(crate) fn take(&self) -> E {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| (self.make)())
    }

    /// Takes one back.
    pub(crate) fn give(&self, evaluator: E) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(evaluator);
    }
}
