//! A search that has been started, as its engine sees it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

use super::stopper::Stoppable;

/// The search that an engine has started last, if there was one.
#[derive(Default)]
pub struct Running(Option<Started>);

struct Started {
    search: Arc<dyn Stoppable>,
    /// Says when the search has answered.
    finished: Receiver<()>,
}

impl Running {
    /// A search that sends something, or drops the sender, when it has answered.
    pub fn new<S: Stoppable + 'static>(search: Arc<S>, finished: Receiver<()>) -> Self {
        Self(Some(Started { search, finished }))
    }

    /// Asks the search to answer as soon as it can.
    pub fn stop(&self) {
        if let Some(started) = &self.0 {
            started.search.control().stop();
        }
    }

    /// The move that was pondered on has been played: the limits count from now on.
    pub fn ponder_hit(&self) {
        if let Some(started) = &self.0 {
            started.search.control().ponder_hit();
        }
    }

    /// Waits until the search has answered.
    pub fn wait(&mut self) {
        if let Some(started) = self.0.take() {
            // An error means that the thread is gone, and with it the search.
            let _ = started.finished.recv();
        }
    }

    /// Has the search not answered yet?
    pub fn is_searching(&mut self) -> bool {
        let empty = |started: &Started| started.finished.try_recv() == Err(TryRecvError::Empty);
        let searching = self.0.as_ref().is_some_and(empty);
        if !searching {
            self.0 = None;
        }
        searching
    }
}
