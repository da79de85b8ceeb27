//! A whole search: threads that make playouts, iterations that are reported, and when it is enough.

use std::thread;
use std::time::{Duration, Instant};

use chess::Move;
use eval::Evaluator;
use eval::score::{self, MAX_PLY, Score};
use search::{Event, Info, Probe, Progress};

use crate::job::Job;
use crate::playout::{Stop, Worker};
use crate::probes::Probes;
use crate::proof::is_exhausted;
use crate::report;

/// Where events go.
pub(crate) type Sink = Box<dyn FnMut(Event) + Send>;

/// Each iteration ends with this many times the playouts of the one before.
const GROWTH: f64 = 1.5;

/// Between iterations a report is made after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// The stack of a thread, in bytes: as much as those of the main search have.
const STACK: usize = 16 << 20;

/// Searches, reports, and says the move.
pub(crate) fn run<E: Evaluator + Send>(job: &Job, probes: &Probes<E>, probe: Probe<E>, sink: Sink) {
    let control = job.errand.control();
    let mut search = Search::new(Worker::new(0, job, probe), sink);
    if !job.root_moves.is_empty() {
        search.worker.expand_root();
        if let Some(moves) = job.limits().mate {
            search.mate = search.worker.prove_mate(moves);
        }
        thread::scope(|scope| {
            for id in 1..control.threads() {
                let help = move || {
                    if let Some(probe) = probes.take() {
                        probes.give(help(Worker::new(id, job, probe)));
                    }
                };
                // With fewer threads the search goes on.
                let _ = new_thread(id).spawn_scoped(scope, help);
            }
            search.iterate();
            control.wait_for_permission(job.limits().infinite);
            control.stop();
        });
        search.report();
    } else {
        control.wait_for_permission(job.limits().infinite);
    }
    probes.give(search.answer());
}

/// A thread of a search, with room for the recursion of its short searches.
pub(crate) fn new_thread(id: usize) -> thread::Builder {
    thread::Builder::new().name(format!("tree {id}")).stack_size(STACK)
}

/// What threads but the first do: playouts until the search is over. The probe comes back.
fn help<E: Evaluator>(mut worker: Worker<'_, E>) -> Probe<E> {
    worker.probe.assume_result();
    while !worker.job.errand.control().stopped() {
        match worker.playout() {
            Ok(()) | Err(Stop::Over) => {}
            Err(Stop::Full) => worker.job.make_room(),
            Err(Stop::Nowhere) => {
                if worker.job.tree().root().proof().is_some() {
                    break;
                }
                thread::yield_now();
            }
        }
    }
    worker.probe
}

/// The first thread's search, which speaks with the outside.
struct Search<'a, E> {
    job: &'a Job,
    worker: Worker<'a, E>,
    sink: Sink,
    /// The iteration that was completed last.
    depth: u32,
    reported: Instant,
    /// What was reported last, best line first.
    lines: Vec<Info>,
    /// The line of a mate that was proved by trying everything; empty without one.
    mate: Vec<Move>,
    /// Iterations in a row with the same best move.
    stability: u32,
    /// How often it changed, older changes counting less.
    changes: f64,
    /// The best line's score after the iteration before the last.
    earlier: Option<Score>,
}

impl<'a, E: Evaluator> Search<'a, E> {
    fn new(worker: Worker<'a, E>, sink: Sink) -> Self {
        Self {
            job: worker.job,
            worker,
            sink,
            depth: 0,
            reported: Instant::now(),
            lines: Vec::new(),
            mate: Vec::new(),
            stability: 0,
            changes: 0.0,
            earlier: None,
        }
    }

    /// Makes playouts until a limit, the clock or somebody else says stop.
    fn iterate(&mut self) {
        let deepest = self.job.limits().depth.map_or(MAX_PLY as u32 - 1, |depth| depth.max(1));
        let mut target = 1.0;
        self.complete_iteration();
        while self.depth < deepest && !self.job.errand.control().stopped() && !self.is_settled() {
            match self.worker.playout() {
                Ok(()) => {}
                Err(Stop::Over) => break,
                Err(Stop::Full) => self.job.make_room(),
                Err(Stop::Nowhere) => thread::yield_now(),
            }
            let playouts = self.job.count();
            if playouts as f64 >= target {
                target = (target * GROWTH).max(target + 1.0);
                self.complete_iteration();
            } else if self.reported.elapsed() >= PATIENCE {
                self.report();
            }
            if self.is_enough() {
                break;
            }
        }
        // What is proved holds for every depth that was asked for.
        while self.job.limits().depth.is_some() && self.depth < deepest && self.is_settled() {
            self.complete_iteration();
        }
    }

    fn complete_iteration(&mut self) {
        self.depth += 1;
        let before = self.lines.first().map(|line| (line.pv[0], line.score));
        self.report();
        let now = self.lines.first().map(|line| line.pv[0]);
        let stays = before.map(|(mv, _)| mv) == now;
        self.stability = if stays { self.stability + 1 } else { 0 };
        self.changes = self.changes / 2.0 + if stays { 0.0 } else { 1.0 };
        self.earlier = before.map(|(_, score)| score);
    }

    /// Is there nothing left to find, or the mate that was asked for?
    fn is_settled(&self) -> bool {
        let tree = self.job.tree();
        let Some(proof) = tree.root().proof() else { return false };
        // A longer mate than what was asked for is not the last word.
        let found = score::mate_distance(proof).map(i32::unsigned_abs);
        let asked = self.job.limits().mate.zip(found).filter(|_| score::is_win(proof));
        asked.is_none_or(|(most, found)| found <= most) || is_exhausted(&tree, tree.root())
    }

    /// Is the result good enough for the clock?
    fn is_enough(&mut self) -> bool {
        let (limits, control) = (self.job.limits(), self.job.errand.control());
        let nodes = control.nodes();
        if limits.soft_nodes.is_some_and(|soft| nodes >= soft) {
            return true;
        }
        if limits.infinite || limits.clock.is_none() {
            return false;
        }
        let tree = self.job.tree();
        let candidates = report::candidates(&tree, tree.root());
        let all: u32 = candidates.iter().map(|one| one.visits).sum();
        let best = candidates.first().map_or(0, |one| one.visits);
        let score = self.lines.first().map_or(score::DRAW, |line| line.score);
        let progress = Progress {
            stability: self.stability,
            changes: self.changes,
            drop: self.earlier.map_or(0, |earlier| earlier - score),
            best_share: f64::from(best) / f64::from(all.max(1)),
            width: 1.0,
        };
        let forced = candidates.len() == 1;
        let enough = forced || self.job.errand.timer().is_enough(nodes, &progress);
        if control.pondering() {
            control.set_ready(enough);
            return false;
        }
        enough
    }

    /// Reports the best lines as they are now, unless nothing is new.
    fn report(&mut self) {
        self.reported = Instant::now();
        let (infos, shares) = {
            let tree = self.job.tree();
            (report::infos(self.job, &tree, self.depth, &self.mate), report::shares(&tree))
        };
        let same = |(old, new): (&Info, &Info)| {
            (old.depth, old.nodes, &old.pv) == (new.depth, new.nodes, &new.pv)
        };
        if self.lines.len() == infos.len() && self.lines.iter().zip(&infos).all(same) {
            return;
        }
        self.lines = infos;
        for info in &self.lines {
            (self.sink)(Event::Info(info.clone()));
        }
        // At first nothing was visited.
        if !shares.is_empty() {
            (self.sink)(Event::Shares(shares));
        }
    }

    /// Says the move; the probe comes back.
    fn answer(mut self) -> Probe<E> {
        let line = self.lines.first().map_or(&[][..], |line| &line.pv);
        let (best, ponder): (Option<Move>, _) = (line.first().copied(), line.get(1).copied());
        (self.sink)(Event::BestMove { best, ponder });
        self.worker.probe
    }
}
