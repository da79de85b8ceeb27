//! The façade: `go`, listen, `stop`. As that of crate `search`, but what it works with is fixed.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use chess::Move;
use eval::{Evaluator, Policy, Tablebase};
use search::{
    Errand, Event, Factory, Limits, Position, Running, Settings, Stopper, Table, Timer, consult,
};

use crate::job::Job;
use crate::probes::Probes;
use crate::run::{Sink, new_thread, run};
use crate::tree::{self, Tree, TreeError};

/// A policy may take this part of a move's time: one twentieth.
const POLICY_SHARE: u32 = 20;

/// What a tree search works with.
pub struct Setup<E> {
    /// Makes an evaluator for a thread.
    pub evaluator: Factory<E>,
    /// The size of the tree and of the table of its short searches, in megabytes; each has one half.
    pub hash_mb: usize,
    /// How many threads search.
    pub threads: usize,
    /// Perfect knowledge of positions with few men.
    pub tablebase: Option<Arc<dyn Tablebase>>,
    /// An opinion on the moves of the root.
    pub policy: Option<Box<dyn Policy>>,
    /// What stops its searches from any thread.
    pub stopper: Stopper,
}

/// What the tree was grown for.
struct Grown {
    position: Position,
    /// All legal moves were allowed.
    whole: bool,
}

/// An engine that searches by a growing tree.
pub struct Engine<E> {
    setup: Setup<E>,
    probes: Arc<Probes<E>>,
    tree: Arc<RwLock<Tree>>,
    table: Arc<Table>,
    grown: Option<Grown>,
    running: Running,
}

impl<E: Evaluator + Send + 'static> Engine<E> {
    /// An engine with an empty tree.
    pub fn new(setup: Setup<E>) -> Result<Self, TreeError> {
        let megabytes = setup.hash_mb;
        let short = TreeError::Memory { megabytes };
        let tree = Arc::new(RwLock::new(Tree::new(megabytes)?));
        let table = Arc::new(Table::of_bytes(tree::bytes(megabytes)).ok_or(short)?);
        let probes = Arc::new(Probes::try_new(Arc::clone(&setup.evaluator)).ok_or(short)?);
        Ok(Self { setup, probes, tree, table, grown: None, running: Running::default() })
    }

    /// Forgets everything about earlier searches.
    pub fn new_game(&mut self) {
        self.stop();
        self.wait();
        if let Some(policy) = &mut self.setup.policy {
            policy.reset();
        }
        self.grown = None;
        self.probes.new_game();
        self.table.clear(self.setup.threads);
    }

    /// Starts a search and returns at once. A search that still runs is stopped first. Where the
    /// system gives no thread, it returns when the search has answered.
    ///
    /// Of the settings those for limited strength, [`Settings::risk`] and [`Settings::analysis`]
    /// mean nothing here, and [`Limits::sure`] does not: a tree search does not know how sure it is.
    pub fn go(
        &mut self,
        position: &Position,
        limits: Limits,
        settings: Settings,
        sink: impl FnMut(Event) + Send + 'static,
    ) {
        self.stop();
        self.wait();
        let known = consult(self.setup.tablebase.as_ref(), position, &settings);
        let (threads, tablebase) = (self.setup.threads, self.setup.tablebase.clone());
        let table = Arc::clone(&self.table);
        let errand = Errand::new(position, limits, settings, threads, table, tablebase, &known);
        let root_moves = errand.moves();
        self.prepare_tree(position, root_moves.len() == position.board().legal_moves().len());
        let policy = self.ask_policy(position, errand.timer(), &root_moves);
        let job = Arc::new(Job {
            errand,
            root_moves,
            policy,
            tablebase: self.setup.tablebase.clone(),
            tree: Arc::clone(&self.tree),
            playouts: 0.into(),
            seldepth: 0.into(),
        });
        self.setup.stopper.concern(&job);
        self.running = start_search(&job, &self.probes, Box::new(sink));
    }

    /// Keeps the part of the tree that the game has come to, if there is one.
    fn prepare_tree(&mut self, position: &Position, whole: bool) {
        let mut tree = self.tree.write().unwrap_or_else(PoisonError::into_inner);
        let since = self.grown.take().filter(|grown| grown.whole && whole).and_then(|grown| {
            let begins_same = position.start() == grown.position.start();
            let played = position.played().strip_prefix(grown.position.played())?;
            (begins_same && !played.is_empty()).then(|| played.to_vec())
        });
        match since {
            Some(moves) => tree.advance(&moves),
            None => tree.clear(),
        }
        // A position that was not looked at from all sides will not do as a root.
        if tree.root().edges().len() != position.board().legal_moves().len() {
            tree.clear();
        }
        self.grown = Some(Grown { position: position.clone(), whole });
    }

    /// The policy's shares of the root moves, unless asking would take too much of the time.
    fn ask_policy(&mut self, position: &Position, timer: &Timer, moves: &[Move]) -> Vec<f32> {
        let (start, played) = (position.start(), position.played());
        let Some(policy) = self.setup.policy.as_mut().filter(|_| moves.len() > 1) else {
            return Vec::new();
        };
        if timer.planned().is_some_and(|time| policy.cost(start, played) > time / POLICY_SHARE) {
            return Vec::new();
        }
        let mut logits = vec![0.0; moves.len()];
        if !policy.logits(start, played, moves, &mut logits) {
            return Vec::new();
        }
        let highest = logits.iter().copied().fold(f32::MIN, f32::max);
        let shares: Vec<f32> = logits.iter().map(|logit| (logit - highest).exp()).collect();
        let all: f32 = shares.iter().sum();
        shares.iter().map(|share| share / all).collect()
    }

    /// Asks the running search to answer as soon as it can.
    pub fn stop(&self) {
        self.running.stop();
    }

    /// The move that was pondered on has been played: the limits count from now on.
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
}

impl<E> Drop for Engine<E> {
    fn drop(&mut self) {
        self.running.stop();
        self.running.wait();
    }
}

/// Searches on a thread of its own or, where the system gives none, at once.
fn start_search<E: Evaluator + Send + 'static>(
    job: &Arc<Job>,
    probes: &Arc<Probes<E>>,
    sink: Sink,
) -> Running {
    let (done, finished) = channel();
    // A thread that does not start does not give back what it was to have: both can reach it.
    let sink = Arc::new(Mutex::new(Some(sink)));
    let search = {
        let (job, probes) = (Arc::clone(job), Arc::clone(probes));
        move || {
            let sink = sink.lock().unwrap_or_else(PoisonError::into_inner).take();
            // The first probe was made with the engine, and comes back after each search.
            if let Some((sink, probe)) = sink.zip(probes.take()) {
                run(&job, &probes, probe, sink);
            }
            // Nobody may be waiting any more.
            let _ = done.send(());
        }
    };
    let on_thread = search.clone();
    if new_thread(0).spawn(on_thread).is_err() {
        search();
    }
    Running::new(Arc::clone(job), finished)
}
