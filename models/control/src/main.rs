//! The state by which a search is stopped and told of a ponder hit, under every order of events.
//!
//! `control` is the engine's own file. Here its mutex, condition variable and atomics are loom's,
//! which runs a case once for each order in which the threads' steps can follow each other (with at
//! most three interruptions), and for each value that a relaxed load may see. A thread that would sleep for ever is a failure.
//!
//! What is a model: the threads. A searching thread is a few iterations that look at the state as
//! the real one does (`root/iterate.rs`, `pool/command.rs`), without a search in them. The moment
//! of the ponder hit is kept in the standard library's `OnceLock`, which loom does not look into.

#[expect(dead_code, reason = "the search uses the rest")]
#[path = "../../../crates/search/src/pool/control.rs"]
mod control;
mod sync;

use std::time::Instant;

use control::Control;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use loom::thread;

/// As the main thread of a search behaves: some iterations, the last of which is `enough` for the
/// clock, then the wait for permission, then the answer.
fn search(control: &Control, iterations: usize, infinite: bool, answers: &AtomicUsize) {
    for iteration in 1..=iterations {
        control.publish(0, iteration as u64, 0);
        if control.stopped() {
            break;
        }
        let enough = iteration == iterations;
        if control.pondering() {
            control.set_ready(enough);
        } else if enough {
            break;
        }
    }
    control.wait_for_permission(infinite);
    control.stop();
    answers.fetch_add(1, SeqCst);
}

/// Runs a search beside `others`, and checks that it has answered once, and not before it might.
/// Says in how many orders.
fn explore(ponders: bool, infinite: bool, others: &'static [fn(&Control)]) -> usize {
    count(move || {
        let start = (!ponders).then(Instant::now);
        let control = Arc::new(Control::new(1, start));
        let answers = Arc::new(AtomicUsize::new(0));
        let searching = {
            let (control, answers) = (Arc::clone(&control), Arc::clone(&answers));
            thread::spawn(move || search(&control, 2, infinite, &answers))
        };
        let others: Vec<_> = others
            .iter()
            .map(|&other| {
                let (control, answers) = (Arc::clone(&control), Arc::clone(&answers));
                thread::spawn(move || {
                    // Who has answered has been stopped.
                    let answered = answers.load(SeqCst) > 0;
                    assert!(!answered || control.stopped());
                    other(&control);
                })
            })
            .collect();
        others.into_iter().for_each(|other| other.join().unwrap());
        searching.join().unwrap();
        assert_eq!(answers.load(SeqCst), 1);
    })
}

/// A helper searches until the main thread stops it.
fn helpers() -> usize {
    count(|| {
        let control = Arc::new(Control::new(2, Some(Instant::now())));
        let answers = Arc::new(AtomicUsize::new(0));
        let helper = {
            let control = Arc::clone(&control);
            thread::spawn(move || {
                while !control.stopped() {
                    control.publish(1, 1, 0);
                    thread::yield_now();
                }
            })
        };
        search(&control, 1, false, &answers);
        helper.join().unwrap();
    })
}

/// Runs `model` in every order in which no more than three steps interrupt another thread, and
/// counts the orders. Without that bound three threads have too many.
fn count(model: impl Fn() + Send + Sync + 'static) -> usize {
    let orders = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&orders);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(move || {
        counted.fetch_add(1, SeqCst);
        model();
    });
    orders.load(SeqCst)
}

/// A search, whether it ponders, whether it is endless, and what other threads do meanwhile.
type Case = (&'static str, bool, bool, &'static [fn(&Control)]);

#[rustfmt::skip]
const CASES: [Case; 7] = [
    ("a search with limits answers by itself", false, false, &[]),
    ("an endless search answers after stop", false, true, &[Control::stop]),
    ("a ponder search answers after the hit", true, false, &[Control::ponder_hit]),
    ("a ponder search answers after stop", true, false, &[Control::stop]),
    // The thread that reads stops the search while a `ponderhit` that waited is carried out.
    ("stop and ponder hit may meet", true, false, &[Control::stop, Control::ponder_hit]),
    ("an endless ponder search needs a stop as well", true, true, &[Control::ponder_hit, Control::stop]),
    // From the thread that reads, and again from the session that ends.
    ("two stops are one", false, true, &[Control::stop, Control::stop]),
];

fn main() {
    for (name, ponders, infinite, others) in CASES {
        println!("{name}: {} orders", explore(ponders, infinite, others));
    }
    println!("helpers end with the main thread: {} orders", helpers());
}
