//! Work that a session does on a thread of its own, so that `stop`, `isready` and `quit` are obeyed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Work that is under way; dropping it stops it and waits for its end.
#[derive(Debug)]
pub(crate) struct Background {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Starts the work, which looks at the flag now and then; `done` gets its result.
    pub(crate) fn start(
        work: impl FnOnce(&AtomicBool) -> io::Result<()> + Send + 'static,
        done: impl FnOnce(io::Result<()>) + Send + 'static,
    ) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = thread::spawn(move || done(work(&flag)));
        Self { stop, thread: Some(thread) }
    }

    /// Asks for an end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported on standard error already.
            let _ = thread.join();
        }
    }
}
