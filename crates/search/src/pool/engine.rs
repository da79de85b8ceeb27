//! The façade: set up, `go`, listen, `stop`.
//!
//! Threads live as long as the engine and keep their histories between searches. `go` returns at
//! once; the listener is called from the main search thread and gets `BestMove` exactly once.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::channel;

use chess::Board;
use eval::Tablebase;
use eval::{Evaluator, Forecaster, People, Policy, Quantiles};

use super::command::{Command, Role};
use super::control::Control;
use super::job::Job;
use super::running::Running;
use super::stopper::Stopper;
use super::thread::Thread;
use crate::event::Event;
use crate::position::Position;
use crate::root::{Limits, RootMoves, Settings, Timer};
use crate::strength::{self, Likely};
use crate::table::{Table, TableError};

/// Makes an evaluator for a thread.
pub type Factory<E> = Arc<dyn Fn() -> E + Send + Sync>;

/// A policy may take this part of a move's time: one fiftieth, 2 %.
const POLICY_SHARE: u32 = 50;

/// A node limit below this is kept exactly, above it within a few hundred nodes.
pub(super) const EXACT_NODES: u64 = 20_000;

/// The system did not start all threads.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct ThreadError {
    /// What was asked for.
    pub wanted: usize,
    /// How many it started before it refused.
    pub got: usize,
}

impl fmt::Display for ThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, got } = self;
        write!(f, "expected {wanted} threads from the system, got {got}")
    }
}

impl std::error::Error for ThreadError {}

/// Why there is no engine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EngineError {
    /// No memory for the table.
    Table(TableError),
    /// Not all threads started.
    Threads(ThreadError),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => error.fmt(f),
            Self::Threads(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EngineError {}

/// A chess engine without a protocol.
pub struct Engine<E> {
    factory: Factory<E>,
    table: Arc<Table>,
    tablebase: Option<Arc<dyn Tablebase>>,
    policy: Option<Box<dyn Policy>>,
    forecaster: Option<Arc<dyn Forecaster>>,
    people: Option<Arc<dyn People>>,
    threads: Vec<Thread<E>>,
    running: Running,
    stopper: Stopper,
}

impl<E: Evaluator + 'static> Engine<E> {
    /// An engine with a table of `hash_mb` megabytes and this many threads.
    pub fn new(
        factory: impl Fn() -> E + Send + Sync + 'static,
        hash_mb: usize,
        threads: usize,
    ) -> Result<Self, EngineError> {
        let table = Arc::new(Table::new(hash_mb).map_err(EngineError::Table)?);
        let mut engine = Self {
            factory: Arc::new(factory),
            table,
            tablebase: None,
            policy: None,
            forecaster: None,
            people: None,
            threads: Vec::new(),
            running: Running::default(),
            stopper: Stopper::default(),
        };
        engine.set_threads(threads).map_err(EngineError::Threads)?;
        Ok(engine)
    }

    /// Changes the size of the table; if there is no memory the old one stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.finish();
        self.table = Arc::new(Table::new(megabytes)?);
        for thread in &self.threads {
            thread.send(Command::ReleaseTable);
        }
        Ok(())
    }

    /// Changes the number of threads (at least one); all start without memory of the past. If the
    /// system refuses, everything is as before.
    pub fn set_threads(&mut self, count: usize) -> Result<(), ThreadError> {
        self.finish();
        let wanted = count.max(1);
        let kept = self.threads.len().min(wanted);
        for id in self.threads.len()..wanted {
            let Ok(thread) = Thread::start(id, &self.factory) else {
                self.threads.drain(kept..).for_each(Thread::end);
                return Err(ThreadError { wanted, got: id });
            };
            self.threads.push(thread);
        }
        self.threads.drain(wanted..).for_each(Thread::end);
        self.restart(kept);
        Ok(())
    }

    /// The first `count` threads drop their histories and make a new evaluator.
    fn restart(&self, count: usize) {
        for thread in &self.threads[..count] {
            thread.send(Command::Restart(Arc::clone(&self.factory)));
        }
    }

    /// Changes the evaluator of all threads.
    pub fn set_evaluator(&mut self, factory: impl Fn() -> E + Send + Sync + 'static) {
        self.finish();
        self.factory = Arc::new(factory);
        self.restart(self.threads.len());
        self.table.clear(self.threads.len());
    }

    /// Gives the search a tablebase, or takes it away.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Tablebase>>) {
        self.finish();
        self.tablebase = tablebase;
    }

    /// Gives the search an opinion on the moves of the root, or takes it away.
    pub fn set_policy(&mut self, policy: Option<Box<dyn Policy>>) {
        self.finish();
        self.policy = policy;
    }

    /// Gives the search somebody who foresees what a longer one would say, or takes it away.
    pub fn set_forecaster(&mut self, forecaster: Option<Arc<dyn Forecaster>>) {
        self.finish();
        self.forecaster = forecaster;
    }

    /// Gives the search somebody who knows how people play, for limited strength, or takes it
    /// away.
    pub fn set_people(&mut self, people: Option<Arc<dyn People>>) {
        self.finish();
        self.people = people;
    }

    /// Forgets everything about earlier games.
    pub fn new_game(&mut self) {
        self.finish();
        if let Some(policy) = &mut self.policy {
            policy.reset();
        }
        self.table.clear(self.threads.len());
        for thread in &self.threads {
            thread.send(Command::NewGame);
        }
    }

    /// Forgets the table only.
    pub fn clear_hash(&mut self) {
        self.finish();
        self.table.clear(self.threads.len());
    }

    /// Starts a search and returns at once. A search that still runs is stopped first.
    pub fn go(
        &mut self,
        position: &Position,
        limits: Limits,
        settings: Settings,
        sink: impl FnMut(Event) + Send + 'static,
    ) {
        self.finish();
        self.table.next_age();
        let board = position.board();
        let mut root_moves = RootMoves::new(board, &limits.search_moves);
        let people = self.people.as_deref();
        let likely = Likely::find(people, position, settings.elo, &root_moves.moves());
        root_moves.keep_only(&likely.moves());
        let (limits, settings) = strength::weaken(limits, settings, root_moves.len(), &likely);
        let ply = 2 * u32::from(board.fullmove_number()) - 1;
        let timer = Timer::new(&limits, &settings, ply);
        let known = crate::root::consult(self.tablebase.as_ref(), position, &settings);
        root_moves.keep_only(&known.best);
        if let Some(policy) = &mut self.policy {
            ask_policy(policy.as_mut(), position, &timer, &mut root_moves);
        }
        let start = (!limits.ponder).then_some(timer.start());
        let job = Arc::new(Job {
            timer,
            root_moves,
            tablebase: self.tablebase.clone(),
            forecaster: self.forecaster.clone(),
            tb_men: known.men,
            tb_root: known.score,
            tb_root_hits: known.hits,
            table: Arc::clone(&self.table),
            control: Control::new(self.threads.len(), start),
            counts_every_node: limits.nodes.is_some_and(|nodes| nodes < EXACT_NODES),
            position: position.clone(),
            limits,
            settings,
            likely,
        });
        self.stopper.concern(&job);
        let (result_sender, results) = channel();
        let (finished_sender, finished) = channel();
        let mut sink: Option<Box<dyn FnMut(Event) + Send>> = Some(Box::new(sink));
        let helpers = self.threads.len() - 1;
        let mut results = Some(results);
        for thread in &self.threads {
            let role = match (sink.take(), results.take()) {
                (Some(sink), Some(results)) => {
                    Role::Main { sink, results, helpers, finished: finished_sender.clone() }
                }
                _ => Role::Helper { results: result_sender.clone() },
            };
            thread.send(Command::Search(Arc::clone(&job), role));
        }
        self.running = Running::new(job, finished);
    }

    /// Asks the running search to answer as soon as it can.
    pub fn stop(&self) {
        self.running.stop();
    }

    /// What stops this engine's searches from another thread, without waiting for this one.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// The move that was pondered on has been played: the limits count from now on. The time spent
    /// pondering counts as thought.
    pub fn ponder_hit(&self) {
        self.running.ponder_hit();
    }

    /// Waits until the running search has answered.
    pub fn wait(&mut self) {
        self.running.wait();
    }

    /// Is a search running that has not answered yet?
    pub fn is_searching(&mut self) -> bool {
        self.running.is_searching()
    }

    /// The static evaluation of a position.
    pub fn evaluate(&self, board: &Board) -> Quantiles {
        let mut evaluator = (self.factory)();
        evaluator.reset(board);
        evaluator.evaluate(board)
    }

    fn finish(&mut self) {
        self.stop();
        self.wait();
    }
}

/// Lets the policy order the root moves, unless that would cost more of the move's time than it
/// can be worth.
fn ask_policy(
    policy: &mut dyn Policy,
    position: &Position,
    timer: &Timer,
    root_moves: &mut RootMoves,
) {
    let (start, played) = (position.start(), position.played());
    if root_moves.len() < 2
        || timer.planned().is_some_and(|time| policy.cost(start, played) > time / POLICY_SHARE)
    {
        return;
    }
    let moves = root_moves.moves();
    let mut logits = vec![0.0; moves.len()];
    if policy.logits(start, played, &moves, &mut logits) {
        root_moves.set_priors(&logits);
    }
}

impl<E> Drop for Engine<E> {
    fn drop(&mut self) {
        self.running.stop();
        self.threads.drain(..).for_each(Thread::end);
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;
    use eval::{Material, score};

    use super::*;

    /// A fork wins the queen, but the position after it would come for the third time.
    #[test]
    fn a_repetition_is_a_draw_and_stays_out_of_the_table() {
        let board: Board = "6k1/3q4/8/3N4/8/8/6P1/6K1 w - - 0 1".parse().unwrap();
        let fork = board.parse_san("Nf6+").unwrap();
        let forked = board.after(fork);
        let mut position = Position::new(board);
        let mut engine = Engine::new(Material::default, 4, 1).unwrap();
        let mut search = |position: &Position| {
            engine.clear_hash();
            let (sender, events) = channel();
            let limits = Limits { depth: Some(8), ..Limits::default() };
            engine.go(position, limits, Settings::default(), move |event| {
                // The receiver outlives the search.
                let _ = sender.send(event);
            });
            engine.wait();
            let infos = events.iter().filter_map(|event| match event {
                Event::Info(info) => Some(info),
                _ => None,
            });
            let last = infos.last().unwrap();
            (last.score, last.pv[0], engine.table.probe(forked.key(), 1))
        };
        let (won, mv, known) = search(&position);
        assert!(mv == fork && won > 200 && known.is_some_and(|entry| entry.score < -200));

        for text in ["d5f6", "g8g7", "f6d5", "g7g8"].repeat(2) {
            position.play(position.board().parse_uci(text).unwrap());
        }
        let (drawn, mv, known) = search(&position);
        assert!(mv == fork && (drawn - score::DRAW).abs() <= 1, "{drawn}");
        assert!(known.is_none_or(|entry| entry.score.abs() > 1), "the draw depends on the game");
    }
}
