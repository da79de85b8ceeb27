//! Work on all threads.

/// Does the tasks on this many threads, each thread its share of them one after the other.
pub(crate) fn in_parallel<T: Send>(
    threads: usize,
    tasks: impl Iterator<Item = T>,
    work: impl Fn(T) + Sync,
) {
    let mut shares: Vec<Vec<T>> = (0..threads.max(1)).map(|_| Vec::new()).collect();
    for (index, task) in tasks.enumerate() {
        shares[index % threads.max(1)].push(task);
    }
    let work = &work;
    std::thread::scope(|scope| {
        let mut shares = shares.into_iter().filter(|share| !share.is_empty());
        let own = shares.next();
        for share in shares {
            scope.spawn(move || share.into_iter().for_each(work));
        }
        own.into_iter().flatten().for_each(work);
    });
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn every_task_is_done_once() {
        for threads in [0, 1, 2, 7] {
            let mut done = [0; 20];
            in_parallel(threads, done.iter_mut(), |count| *count += 1);
            assert_eq!(done, [1; 20]);
        }
    }
}
