//! Several threads at the same work, for a while.

use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

/// Lets `threads` threads do the same work and waits for all; an error of any is the outcome.
pub(crate) fn work(
    threads: usize,
    work: impl Fn() -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(anyhow!("a working thread panicked")))
        })
    })
}

/// When a run of this many minutes that starts now is over.
pub(crate) fn deadline(minutes: Option<f64>) -> anyhow::Result<Option<Instant>> {
    let time = minutes.map(|minutes| Duration::try_from_secs_f64(60.0 * minutes)).transpose();
    let time = time.context("expected a number of minutes that is not negative")?;
    Ok(time.map(|time| Instant::now() + time))
}
