//! What a search thread is asked, and how it does it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use chess::{Board, Move};
use eval::Evaluator;

use super::engine::Factory;
use super::job::Job;
use super::vote::{Summary, choose};
use super::worker::Worker;
use crate::event::Event;
use crate::strength;

/// Where events go.
pub(crate) type Sink = Box<dyn FnMut(Event) + Send>;

/// What a thread can be asked.
pub(crate) enum Command<E> {
    Search(Arc<Job>, Role),
    NewGame,
    /// Start again with empty histories and this evaluator.
    Restart(Factory<E>),
    /// Let go of the table of the last search.
    ReleaseTable,
}

/// The main thread speaks with the outside, helpers only with the main thread.
pub(crate) enum Role {
    Main { sink: Sink, results: Receiver<Summary>, helpers: usize, finished: Sender<()> },
    Helper { results: Sender<Summary> },
}

/// What a worker does when it is asked.
pub(crate) fn obey<E: Evaluator>(worker: &mut Worker<E>, command: Command<E>) {
    match command {
        Command::Restart(factory) => worker.restart(factory()),
        Command::NewGame => worker.new_game(),
        Command::ReleaseTable => worker.end(),
        Command::Search(job, Role::Main { sink, results, helpers, finished }) => {
            let sink = search_as_main(worker, job, sink, &results, helpers);
            worker.end();
            drop(sink);
            // Nobody may be waiting any more.
            let _ = finished.send(());
        }
        Command::Search(job, Role::Helper { results }) => {
            worker.begin(job);
            if worker.root.len() > 0 {
                worker.iterate();
            }
            let summary = worker.summary();
            worker.end();
            let _ = results.send(summary);
        }
    }
}

fn search_as_main<E: Evaluator>(
    worker: &mut Worker<E>,
    job: Arc<Job>,
    sink: Sink,
    results: &Receiver<Summary>,
    helpers: usize,
) -> Option<Sink> {
    worker.begin(Arc::clone(&job));
    worker.sink = Some(sink);
    if worker.root.len() > 0 {
        worker.iterate();
    }
    job.control.publish(worker.id, worker.nodes, worker.tb_hits);
    job.control.wait_for_permission(job.limits.infinite);
    job.control.stop();
    let mut summaries = vec![worker.summary()];
    for _ in 0..helpers {
        summaries.extend(results.recv());
    }
    let chosen = choose(&summaries);
    // The last line that listeners saw should be the one that is played.
    if worker.reported.as_ref() != Some(&summaries[chosen].line)
        && !summaries[chosen].line.is_empty()
    {
        worker.report(&summaries[chosen], 0);
    }
    let mut line = summaries.swap_remove(chosen).line;
    if let Some(elo) = job.settings.elo
        && let seed = job.settings.seed ^ job.position.board().key()
        && let Some(weaker) = strength::choose(&worker.root, elo, &job.likely, seed)
    {
        line = weaker;
    }
    let best = line.first().copied();
    let ponder = best.and_then(|best| ponder_move(&job, &line, best));
    worker.send(Event::BestMove { best, ponder });
    worker.sink.take()
}

/// The reply to ponder on: from the main line, else from the table.
fn ponder_move(job: &Job, line: &[Move], best: Move) -> Option<Move> {
    let mut board: Board = job.position.board().clone();
    board.make_move(best, &mut ());
    let from_table = || job.table.probe(board.key(), 1).and_then(|entry| entry.mv);
    line.get(1).copied().or_else(from_table).filter(|&mv| board.is_legal(mv))
}
