//! One thread's search: its memory, and the steps every node takes.

use std::sync::Arc;

use chess::{Board, Move, repetition};
use eval::{Evaluator, Score};

use super::command::Sink;
use super::control::Control;
use super::engine::Factory;
use super::job::Job;
use super::vote::Summary;
use crate::event::Event;
use crate::history::{Histories, NO_MOVE, move_index};
use crate::node::Reductions;
use crate::picker::MoveStack;
use crate::pv::PvTable;
use crate::root::{Iterations, RootMoves, Shown, Timer};
use crate::stack::Stack;
use crate::table::Table;

/// Memory that must be free beside the histories when a thread starts, in bytes.
const HEADROOM: usize = 8 << 20;

/// How often a thread looks at the clock and reports its nodes.
const POLL_MASK: u64 = 511;

/// How often it looks whether it was stopped, which costs less.
const STOP_MASK: u64 = 15;

/// Whether this many bytes are free now.
pub(super) fn has_room(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_free = room.try_reserve_exact(bytes).is_ok();
    // Seen by nobody, the allocation might be optimised away.
    drop(std::hint::black_box(room));
    is_free
}

/// A thread's own state; everything shared is behind `job`.
pub(crate) struct Worker<E> {
    pub(crate) id: usize,
    pub(crate) evaluator: E,
    pub(crate) histories: Histories,
    pub(crate) moves: MoveStack,
    pub(crate) stack: Stack,
    pub(crate) pv: PvTable,
    pub(crate) reductions: Reductions,
    pub(crate) root: RootMoves,
    pub(crate) iterations: Iterations,
    /// What listeners have seen last of the best line.
    pub(crate) shown: Shown,
    /// Keys of the game and of the current line.
    pub(crate) keys: Vec<u64>,
    /// Where in `keys` the root is.
    pub(crate) root_key: usize,
    /// Where in `keys` the positions since the last null move begin: nobody can repeat across one.
    pub(crate) null_key: usize,
    pub(crate) nodes: u64,
    pub(crate) tb_hits: u64,
    pub(crate) seldepth: usize,
    pub(crate) root_depth: i32,
    /// No null moves before this ply while one is being verified.
    pub(crate) null_move_after: usize,
    pub(crate) aborted: bool,
    pub(crate) sink: Option<Sink>,
    /// The main line that was reported last.
    pub(crate) reported: Option<Vec<Move>>,
    pub(crate) job: Arc<Job>,
}

impl<E: Evaluator> Worker<E> {
    /// A worker without memory of any game; none if there is no room for one.
    pub(crate) fn try_new(id: usize, factory: &Factory<E>) -> Option<Self> {
        let histories = Histories::try_new()?;
        // What evaluators and searches allocate later cannot fail without ending the program, so
        // there must be room for it now.
        if !has_room(HEADROOM) {
            return None;
        }
        Some(Self {
            id,
            evaluator: factory(),
            histories,
            moves: MoveStack::default(),
            stack: Stack::new(),
            pv: PvTable::new(),
            reductions: Reductions::for_play(),
            root: RootMoves::default(),
            iterations: Iterations::default(),
            shown: Shown::default(),
            keys: Vec::with_capacity(1024),
            root_key: 0,
            null_key: 0,
            nodes: 0,
            tb_hits: 0,
            seldepth: 0,
            root_depth: 0,
            null_move_after: 0,
            aborted: false,
            sink: None,
            reported: None,
            job: Arc::new(Job::idle()),
        })
    }

    /// Begins again with this evaluator, as a new worker would.
    pub(crate) fn restart(&mut self, evaluator: E) {
        self.evaluator = evaluator;
        self.reductions = Reductions::for_play();
        self.new_game();
    }

    /// Forgets the game before.
    pub(crate) fn new_game(&mut self) {
        self.histories.clear();
    }

    /// Prepares for a search.
    pub(crate) fn begin(&mut self, job: Arc<Job>) {
        self.nodes = 0;
        // Those of the root are counted once, by the main thread.
        self.tb_hits = if self.id == 0 { job.tb_root_hits } else { 0 };
        self.seldepth = 0;
        self.null_move_after = 0;
        self.aborted = false;
        self.reported = None;
        self.stack.clear();
        self.keys.clear();
        self.keys.extend_from_slice(job.position.keys());
        self.root_key = self.keys.len();
        self.null_key = 0;
        self.root = job.root_moves.clone();
        self.iterations.clear();
        self.shown = Shown::default();
        self.reductions.prepare(job.settings.analysis);
        self.evaluator.reset(job.position.board());
        self.job = job;
    }

    /// Lets go of the finished search, above all of its table.
    pub(crate) fn end(&mut self) {
        self.job = Arc::new(Job::idle());
    }

    /// What the search found.
    pub(crate) fn summary(&self) -> Summary {
        self.root.best().map_or_else(Summary::nothing, Summary::new)
    }

    /// Sends an event to the listener, if this thread has one.
    pub(crate) fn send(&mut self, event: Event) {
        if let Some(sink) = &mut self.sink {
            sink(event);
        }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.job.table
    }

    pub(crate) fn control(&self) -> &Control {
        &self.job.control
    }

    pub(crate) fn timer(&self) -> &Timer {
        &self.job.timer
    }

    /// Counts a node and, now and then, looks whether the search must end.
    #[inline(always)]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes & STOP_MASK == 0 || self.job.counts_every_node {
            self.poll();
        }
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) {
        if self.aborted {
            // What is counted on the way back to the root was not searched.
            return;
        }
        if self.nodes & POLL_MASK == 0 || self.job.counts_every_node {
            self.check_limits();
        }
        // There must be a move to play.
        self.aborted = self.job.control.stopped() && self.root.has_result();
    }

    fn check_limits(&self) {
        let control = &self.job.control;
        control.publish(self.id, self.nodes, self.tb_hits);
        let limits = &self.job.limits;
        if let Some(origin) = control.origin() {
            let nodes = control.nodes();
            let too_many =
                limits.nodes.is_some_and(|limit| nodes.saturating_sub(origin.nodes) >= limit);
            let timer = &self.job.timer;
            if too_many || timer.is_timed() && timer.is_over(nodes, origin) {
                control.stop();
            }
        }
    }

    /// Asks for the table's entry after a move as soon as the move is known. Memory is slow: what is done between this
    /// and the look into the table, pruning above all, is time that need not be waited.
    #[inline]
    pub(crate) fn ask_table_early(&self, board: &Board, mv: Move) {
        self.job.table.prefetch(board.key_after(mv));
    }

    /// Makes a move on a copy of the board and lets everybody follow.
    #[inline]
    pub(crate) fn make(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        let frame = self.stack.at(ply);
        frame.mv = Some(mv);
        frame.quiet = !board.is_noisy(mv);
        frame.index = board
            .piece_at(mv.from())
            .map_or(NO_MOVE, |piece| move_index(board.side_to_move(), piece, mv.to()));
        self.keys.push(board.key());
        self.evaluator.push();
        let mut next = board.clone();
        next.make_move(mv, &mut self.evaluator);
        next
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.keys.pop();
        self.evaluator.pop();
    }

    /// Passes the turn on a copy of the board.
    pub(crate) fn make_null(&mut self, board: &Board, ply: usize) -> Board {
        self.job.table.prefetch(board.key_after_null_move());
        let frame = self.stack.at(ply);
        frame.mv = None;
        frame.quiet = false;
        frame.index = NO_MOVE;
        self.keys.push(board.key());
        self.null_key = self.keys.len();
        let mut next = board.clone();
        next.make_null_move();
        next
    }

    /// Takes a passed turn back; `null_key` is as it was before.
    pub(crate) fn unmake_null(&mut self, null_key: usize) {
        self.keys.pop();
        self.null_key = null_key;
    }

    /// Is the position drawn by rule?
    #[inline]
    pub(crate) fn is_draw(&self, board: &Board) -> bool {
        board.is_fifty_move_draw()
            || board.is_insufficient_material()
            || repetition::is_repetition(self.repeatable(), self.repeatable_root(), board)
    }

    /// Can the side to move force a repetition at once?
    #[inline]
    pub(crate) fn can_repeat(&self, board: &Board) -> bool {
        repetition::can_repeat(self.repeatable(), self.repeatable_root(), board)
    }

    /// The keys of the positions that may come back.
    #[inline]
    fn repeatable(&self) -> &[u64] {
        &self.keys[self.null_key..]
    }

    /// Where in them the root is, or was.
    #[inline]
    fn repeatable_root(&self) -> usize {
        self.root_key.saturating_sub(self.null_key)
    }

    /// A draw, worth a centipawn more or less so that the search does not go blind in a sea of zeros.
    #[inline]
    pub(crate) fn draw_score(&self) -> Score {
        (self.nodes & 2) as Score - 1
    }
}
