//! The pool where the system has no threads, as in a browser's page without special headers: one
//! worker that does everything at once, on its caller's stack.
//!
//! `go` returns when the search has answered. A listener may stop it meanwhile (see
//! [`Stopper`](super::Stopper)); a search without limits ends by that alone.

use std::cell::RefCell;
use std::io;

use eval::Evaluator;

use super::command::{Command, obey};
use super::engine::Factory;
use super::worker::Worker;

/// The only worker, in place of a thread.
pub(crate) struct Thread<E>(RefCell<Worker<E>>);

impl<E: Evaluator> Thread<E> {
    /// The first one; there is no second.
    pub(crate) fn start(id: usize, factory: &Factory<E>) -> io::Result<Self> {
        match id {
            0 => Worker::try_new(id, factory).map(RefCell::new).map(Self),
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        .ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    /// Does it, and returns.
    pub(crate) fn send(&self, command: Command<E>) {
        obey(&mut self.0.borrow_mut(), command);
    }
}

impl<E> Thread<E> {
    /// Nothing runs that could be waited for.
    pub(crate) fn end(self) {}
}
