//! Many searches at once: one thread for each searcher, and results in the order of the tasks.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use review::searcher::Searcher;

/// A thing to do: something to search, or something that is done already.
pub(crate) enum Task<T, D> {
    Search(T),
    Done(D),
}

/// Lets every searcher work on tasks until there are none left. `take` gets each result in the order
/// of the tasks, on this thread; its error, or one among the tasks, ends the work.
///
/// `work` looks at the flag now and then; once it is set, its result does not matter. Tasks are
/// asked for only a little ahead of the results that were taken, so that memory stays bounded.
pub(crate) fn run<T: Send, D: Send, E>(
    searchers: Vec<Searcher>,
    tasks: impl Iterator<Item = Result<Task<T, D>, E>>,
    work: impl Fn(&mut Searcher, T, &AtomicBool) -> Option<D> + Sync,
    mut finished: impl FnMut(&D) -> Result<(), E>,
    mut take: impl FnMut(D) -> Result<(), E>,
) -> Result<(), E> {
    let ahead = 32 + 8 * searchers.len();
    let stop = AtomicBool::new(false);
    let (sender, queue) = mpsc::channel::<(usize, T)>();
    let (reporter, results) = mpsc::channel::<Report<D>>();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        for mut searcher in searchers {
            let (queue, reporter, work, stop) = (&queue, reporter.clone(), &work, &stop);
            scope.spawn(move || {
                let _alarm = Alarm(&reporter);
                loop {
                    let next = queue.lock().map(|queue| queue.recv());
                    let Ok(Ok((number, task))) = next else { return };
                    let Some(done) = work(&mut searcher, task, stop) else { return };
                    if reporter.send(Some((number, done))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(reporter);
        let mut tasks = tasks.fuse();
        let (mut given, mut taken) = (0, 0);
        let mut waiting = BTreeMap::new();
        let mut step = || {
            while given - taken < ahead
                && let Some(task) = tasks.next()
            {
                match task? {
                    Task::Done(done) => drop(waiting.insert(given, done)),
                    // The queue is open as long as this thread has its end of it.
                    Task::Search(task) => drop(sender.send((given, task))),
                }
                given += 1;
            }
            if taken == given {
                return Ok(false);
            }
            while let Some(done) = waiting.remove(&taken) {
                taken += 1;
                take(done)?;
            }
            // Without a thread that could answer there is nothing to wait for.
            if taken < given {
                let Ok(Some((number, done))) = results.recv() else { return Ok(false) };
                finished(&done)?;
                waiting.insert(number, done);
            }
            Ok(true)
        };
        let end = loop {
            match step() {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        stop.store(end.is_err(), Ordering::Relaxed);
        drop(sender);
        end
    })
}

/// A result with the number of its task; none if a thread has panicked.
type Report<D> = Option<(usize, D)>;

/// Tells the others when its thread panics: nobody must wait for a result that will not come. The
/// panic itself is passed on when the threads are joined.
struct Alarm<'a, D>(&'a mpsc::Sender<Report<D>>);

impl<D> Drop for Alarm<'_, D> {
    fn drop(&mut self) {
        if thread::panicking() {
            // Who does not listen any more does not wait either.
            let _ = self.0.send(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searchers(count: usize) -> Vec<Searcher> {
        let limits = engine::Limits { nodes: Some(1), ..engine::Limits::default() };
        let engine = || engine::Engine::builder().hash_mb(1).build().unwrap();
        (0..count).map(|_| Searcher::new(engine(), limits.clone())).collect()
    }

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        let tasks = (0..500).map(|number| match number % 3 {
            0 => Ok::<_, String>(Task::Done(number)),
            _ => Ok(Task::Search(number)),
        });
        let work = |_: &mut Searcher, number: usize, _: &AtomicBool| {
            // Some take longer than others.
            thread::sleep(std::time::Duration::from_micros((number % 7) as u64 * 50));
            Some(number)
        };
        let (mut seen, mut searched) = (Vec::new(), 0);
        let finished = |_: &usize| {
            searched += 1;
            Ok(())
        };
        let take = |number| {
            seen.push(number);
            Ok(())
        };
        run(searchers(3), tasks, work, finished, take).unwrap();
        assert_eq!(seen, (0..500).collect::<Vec<_>>());
        assert_eq!(searched, 333);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn nobody_waits_for_a_thread_that_panicked() {
        let tasks = (0..100).map(|number| Ok::<_, String>(Task::Search(number)));
        let work = |_: &mut Searcher, number: usize, _: &AtomicBool| {
            assert_ne!(number, 7, "a fault in the search");
            Some(number)
        };
        let _ = run(searchers(2), tasks, work, |_| Ok(()), |_| Ok(()));
    }

    #[test]
    fn an_error_ends_the_work() {
        let tasks = (0..).map(|number| Ok::<_, String>(Task::Search(number)));
        let work = |_: &mut Searcher, number: usize, _: &AtomicBool| Some(number);
        let take = |number| if number < 50 { Ok(()) } else { Err("enough".to_owned()) };
        let end = run(searchers(2), tasks, work, |_| Ok(()), take);
        assert_eq!(end, Err("enough".to_owned()));
        let bad = [Ok(Task::Search(1)), Err("unreadable".to_owned())];
        let end = run(searchers(2), bad.into_iter(), work, |_| Ok(()), |_| Ok(()));
        assert_eq!(end, Err("unreadable".to_owned()));
    }
}
