//! Short searches on behalf of another search, such as that of crate `mcts`.
//!
//! The other search walks a tree of its own. Wherever it stands, it asks a [`Probe`] what alpha-beta thinks of the
//! position. All probes of one search share its limits, its nodes and a table ([`Errand`]).

use std::sync::Arc;

use chess::{Board, Move};
use eval::score::{DRAW, INFINITY};
use eval::{Evaluator, Score, Tablebase};

use super::control::Control;
use super::engine::{EXACT_NODES, Factory};
use super::job::Job;
use super::worker::Worker;
use crate::node::Pv;
use crate::position::Position;
use crate::root::{Limits, RootKnowledge, RootMoves, Settings, Timer};
use crate::strength::Likely;
use crate::table::Table;

/// One search of somebody else, as all its probes see it.
pub struct Errand(Arc<Job>);

impl Errand {
    /// A search of these moves of a position, within these limits. [`Settings::risk`] and
    /// [`Settings::analysis`] mean nothing here.
    pub fn new(
        position: &Position,
        limits: Limits,
        settings: Settings,
        threads: usize,
        table: Arc<Table>,
        tablebase: Option<Arc<dyn Tablebase>>,
        known: &RootKnowledge,
    ) -> Self {
        let board = position.board();
        let settings = Settings { risk: 0, analysis: false, ..settings };
        let timer = Timer::new(&limits, &settings, 2 * u32::from(board.fullmove_number()) - 1);
        let mut root_moves = RootMoves::new(board, &limits.search_moves);
        root_moves.keep_only(&known.best);
        table.next_age();
        let start = (!limits.ponder).then_some(timer.start());
        Self(Arc::new(Job {
            timer,
            root_moves,
            table,
            tablebase,
            forecaster: None,
            tb_men: known.men,
            tb_root: known.score,
            tb_root_hits: known.hits,
            control: Control::new(threads.max(1), start),
            counts_every_node: limits.nodes.is_some_and(|nodes| nodes < EXACT_NODES),
            position: position.clone(),
            limits,
            settings,
            likely: Likely::default(),
        }))
    }

    /// What stops it.
    pub fn control(&self) -> &Control {
        &self.0.control
    }

    /// Its clock.
    pub fn timer(&self) -> &Timer {
        &self.0.timer
    }

    /// Where it began.
    pub fn position(&self) -> &Position {
        &self.0.position
    }

    /// When it ends.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// How it is done.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The moves of the root that are searched.
    pub fn moves(&self) -> Vec<Move> {
        self.0.root_moves.moves()
    }

    /// The move that the short searches have found for a position, if the table has it.
    pub fn remembered(&self, board: &Board) -> Option<Move> {
        let entry = self.0.table.probe(board.key(), 0)?;
        entry.mv.filter(|&mv| board.is_legal(mv))
    }

    /// Most men of a position that is looked up in the tree.
    pub fn tb_men(&self) -> usize {
        self.0.tb_men
    }

    /// The root's result by the tablebase.
    pub fn tb_root(&self) -> Option<Score> {
        self.0.tb_root
    }
}

/// What a short search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// For the side to move, mates counted from the position that was searched.
    pub score: Score,
    /// The best line; empty if nothing was found in time.
    pub line: Vec<Move>,
}

/// One thread's means of short searches: an evaluator, histories, counters.
pub struct Probe<E>(Worker<E>);

impl<E: Evaluator> Probe<E> {
    /// None if there is no memory for it.
    pub fn try_new(factory: &Factory<E>) -> Option<Self> {
        Worker::try_new(0, factory).map(Self)
    }

    /// Forgets the game before.
    pub fn new_game(&mut self) {
        self.0.new_game();
    }

    /// Prepares for an errand, as its thread number `id`.
    pub fn begin(&mut self, errand: &Errand, id: usize) {
        self.0.id = id;
        self.0.begin(Arc::clone(&errand.0));
    }

    /// There is a move to play: from now on a search ends as soon as it is asked to.
    pub fn assume_result(&mut self) {
        self.0.root.assume_result();
    }

    /// Lets go of the errand.
    pub fn end(&mut self) {
        self.0.end();
    }

    /// The evaluator, which stands where the moves that were made have led to.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.0.evaluator
    }

    /// The keys of the positions before this one, and where among them the root is.
    pub fn keys(&self) -> (&[u64], usize) {
        (&self.0.keys, self.0.root_key)
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// One more node was looked at; now and then, whether the search must end.
    pub fn count_node(&mut self) {
        self.0.count_node();
    }

    /// One more lookup in the tablebase succeeded.
    pub fn count_tb_hit(&mut self) {
        self.0.tb_hits += 1;
    }

    /// Must the search end?
    pub fn aborted(&self) -> bool {
        self.0.aborted
    }

    /// Tells the other threads what was done. What is counted after the end was not searched.
    pub fn publish(&self) {
        if self.0.aborted {
            return;
        }
        self.0.control().publish(self.0.id, self.0.nodes, self.0.tb_hits);
    }

    /// Makes a move on a copy of the board and lets everybody follow.
    pub fn make(&mut self, board: &Board, mv: Move) -> Board {
        self.0.make(board, mv, 0)
    }

    /// Takes the last move back.
    pub fn unmake(&mut self) {
        self.0.unmake();
    }

    /// The score of the position behind the last move for its side to move, by a search of this
    /// depth within a window; depth 0 looks at captures and checks only. A mate behind it counts
    /// from the position before the move.
    pub fn behind(&mut self, board: &Board, depth: i32, alpha: Score, beta: Score) -> Score {
        self.0.root_depth = depth;
        self.0.search::<Pv>(board, 1, depth, alpha, beta, false)
    }

    /// Searches the position at hand, which is not the root.
    pub fn search(&mut self, board: &Board, depth: i32) -> Found {
        self.0.stack.clear();
        self.0.root_depth = depth;
        let score = self.0.search::<Pv>(board, 0, depth, -INFINITY, INFINITY, false);
        let line = if self.0.aborted { Vec::new() } else { self.0.pv.line(0).to_vec() };
        Found { score, line }
    }

    /// Searches the root, and of its moves only those that the errand names, this one first.
    pub fn search_root(&mut self, depth: i32, first: Option<Move>) -> Found {
        self.0.stack.clear();
        self.0.root_depth = depth;
        self.0.root.next_iteration();
        if let Some(first) = first {
            self.0.root.put_first(first);
        }
        self.0.search_window(depth);
        let best = self.0.root.best().filter(|best| best.score != -INFINITY);
        best.map_or_else(
            || Found { score: DRAW, line: Vec::new() },
            |best| Found { score: best.score, line: best.line.clone() },
        )
    }
}
