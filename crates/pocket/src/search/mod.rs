//! The search: iterative deepening over a principal-variation alpha-beta, written as a machine
//! that can stop after any node and go on later.
//!
//! There is no recursion. Each ply of the current line is a [`Frame`] in the caller's memory,
//! and [`Search::run`] moves between three states: entering a node, trying its next move, and
//! carrying a result back to the parent. So a search costs a few hundred bytes of stack however
//! deep it goes, a budget of nodes is kept exactly, and pondering is the same search run in
//! small portions.
//!
//! `node` has the rules of one node, `picker` the order of moves, `history` what was learned
//! about quiet moves. Clocks are the caller's: run a few nodes, look at the clock, run on.
//!
//! `msp430` is the 16-bit target on the way to C (`cargo xtask pocket-c`). There some
//! functions are never inlined: in one piece, the search is too much for the C compiler's
//! register allocator.

mod history;
mod node;
mod picker;

use crate::board::Undo;
use crate::eval::Evaluator;
use crate::game::{Game, MAX_PLY};
use crate::pool::Pool;
use crate::score::{INFINITE, MATE_BOUND, Score};
use crate::table::Bank;
use crate::types::Move;
use history::History;
use picker::Stage;

/// The deepest iteration.
pub const MAX_DEPTH: u8 = 60;

/// What a frame waits for while its child is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// The other side's answer to no move at all.
    Null,
    /// A look at reduced depth whether the move could be good.
    Reduced,
    /// A look at full depth whether it beats the best.
    Scout,
    /// Its exact score.
    Full,
}

/// One ply of the line being searched.
#[derive(Clone, Copy)]
struct Frame {
    undo: Undo,
    alpha: Score,
    beta: Score,
    best: Score,
    /// The static evaluation, or [`NO_EVAL`] in check.
    eval: Score,
    /// The move being searched.
    current: Move,
    best_move: Move,
    table_move: Move,
    /// Quiet moves that cut off at this ply; they outlive the node.
    killers: [Move; 2],
    /// Where this ply's moves begin in the pool: bad captures, put off, come first.
    base: u16,
    bad_end: u16,
    /// Where the quiet moves begin.
    quiets: u16,
    next: u16,
    depth: i8,
    /// The depth for a child that is not reduced.
    child_depth: i8,
    searched: u8,
    stage: Stage,
    waiting: Waiting,
    checked: bool,
    quiescence: bool,
    /// Whether the parent passed: two passes in a row say nothing.
    after_null: bool,
}

/// The evaluation of a position in check: none.
const NO_EVAL: Score = -INFINITE;

/// All zero, so that static memory needs no image in flash.
const EMPTY_FRAME: Frame = Frame {
    undo: Undo::NONE,
    alpha: 0,
    beta: 0,
    best: 0,
    eval: 0,
    current: Move::NONE,
    best_move: Move::NONE,
    table_move: Move::NONE,
    killers: [Move::NONE; 2],
    base: 0,
    bad_end: 0,
    quiets: 0,
    next: 0,
    depth: 0,
    child_depth: 0,
    searched: 0,
    stage: Stage::Table,
    waiting: Waiting::Null,
    checked: false,
    quiescence: false,
    after_null: false,
};

/// Where the machine is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing to do: no search was begun, or it is over.
    Idle,
    /// About to enter the node of the current ply.
    Enter,
    /// About to try the current ply's next move.
    Next,
    /// About to hand `value` to the parent.
    Return,
}

/// Why [`Search::run`] came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The budget is used up; call again to go on.
    Paused,
    /// The search is over: depth reached, mate found, or nothing to search.
    Finished,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The best move, or [`Move::NONE`] if there is no legal one.
    pub best: Move,
    /// Its score for the side to move at the root.
    pub score: Score,
    /// The last finished iteration.
    pub depth: u8,
    /// Nodes visited.
    pub nodes: u32,
}

/// All memory of a search except the table.
pub struct Search {
    /// The current ply. It always lies here: small processors reach a fixed place with less code
    /// than a place that must be computed, and copying a frame costs less than reaching its parts.
    now: Frame,
    /// The plies before it, and of the plies behind it the killers.
    frames: [Frame; MAX_PLY],
    /// The moves of the current line; free for other uses while no search runs.
    pub pool: Pool,
    history: History,
    evaluator: Evaluator,
    ply: u8,
    state: State,
    value: Score,
    nodes: u32,
    /// The number of this search, stamped on table entries.
    number: u8,
    max_depth: u8,
    /// The iteration being searched.
    iteration: u8,
    /// Half the width of the aspiration window.
    width: Score,
    outcome: Outcome,
    /// The best root move of the unfinished iteration, once one raised alpha.
    candidate: Move,
    candidate_score: Score,
}

impl Search {
    /// Memory for a search that was not begun.
    pub const EMPTY: Search = Search {
        now: EMPTY_FRAME,
        frames: [EMPTY_FRAME; MAX_PLY],
        pool: Pool::EMPTY,
        history: History::EMPTY,
        evaluator: Evaluator::EMPTY,
        ply: 0,
        state: State::Idle,
        value: 0,
        nodes: 0,
        number: 0,
        max_depth: 0,
        iteration: 0,
        width: 0,
        outcome: Outcome { best: Move::NONE, score: 0, depth: 0, nodes: 0 },
        candidate: Move::NONE,
        candidate_score: 0,
    };

    /// Forgets what earlier searches learned. The table is cleared by its owner.
    pub fn clear(&mut self) {
        self.history.clear();
        self.now.killers = [Move::NONE; 2];
        for frame in &mut self.frames {
            frame.killers = [Move::NONE; 2];
        }
        self.state = State::Idle;
        self.number = 0;
    }

    /// Begins a search of the game's position to a depth of 1 to [`MAX_DEPTH`] (0 means the
    /// deepest). Call [`Search::run`] to do it.
    pub fn begin(&mut self, game: &mut Game, max_depth: u8) {
        self.pool.clear();
        self.history.age();
        self.number = self.number.wrapping_add(1);
        self.nodes = 0;
        self.ply = 0;
        self.max_depth = if max_depth == 0 { MAX_DEPTH } else { max_depth.min(MAX_DEPTH) };
        // Until an iteration is finished, any legal move is better than none.
        game.legal_moves(None, &mut self.pool);
        let first = if self.pool.end() == 0 { Move::NONE } else { self.pool.get(0) };
        self.pool.clear();
        self.outcome = Outcome { best: first, score: 0, depth: 0, nodes: 0 };
        self.candidate = Move::NONE;
        self.state = if first == Move::NONE { State::Idle } else { State::Enter };
        self.iteration = 1;
        self.open_window(INFINITE);
    }

    /// Sets the root up for an iteration whose score is expected within `width` of the last.
    fn open_window(&mut self, width: Score) {
        self.width = width;
        let centre = self.outcome.score;
        let root = &mut self.now;
        root.depth = self.iteration as i8;
        root.after_null = false;
        (root.alpha, root.beta) = if width >= 400 || centre.abs() >= MATE_BOUND {
            (-INFINITE, INFINITE)
        } else {
            (centre - width, centre + width)
        };
        self.state = if self.state == State::Idle { State::Idle } else { State::Enter };
    }

    /// Searches at most `budget` nodes. The game is in the middle of a line while the search is
    /// [`Progress::Paused`]: finish it or [`Search::stop`] it before using the game.
    pub fn run<const N: usize>(
        &mut self,
        game: &mut Game,
        low: &mut Bank<N>,
        high: &mut Bank<N>,
        budget: u32,
    ) -> Progress {
        let end = self.nodes.saturating_add(budget);
        loop {
            match self.state {
                State::Idle => return Progress::Finished,
                State::Enter => {
                    if self.nodes >= end {
                        return Progress::Paused;
                    }
                    let bank = choose(game.board.key(), low, high);
                    self.enter(game, bank);
                }
                State::Next => {
                    let bank = choose(game.board.key(), low, high);
                    self.try_next(game, bank);
                }
                State::Return => {
                    if self.ply == 0 {
                        self.finish_root();
                    } else {
                        self.ascend();
                        self.resume(game);
                        if self.state == State::Return {
                            let bank = choose(game.board.key(), low, high);
                            self.store(game, bank);
                        }
                    }
                }
            }
        }
    }

    /// Takes the moves of an unfinished line back, so that the game is where it was at
    /// [`Search::begin`]. What was found so far stays in [`Search::outcome`].
    pub fn stop(&mut self, game: &mut Game) {
        while self.ply > 0 {
            self.ascend();
            self.unmake(game);
        }
        self.state = State::Idle;
        self.pool.clear();
        if self.candidate != Move::NONE {
            self.outcome.best = self.candidate;
            self.outcome.score = self.candidate_score;
            self.candidate = Move::NONE;
        }
    }

    /// The best result so far: of the last finished iteration, or of the unfinished one if
    /// there a move was fully searched and found best.
    pub fn outcome(&self) -> Outcome {
        Outcome { nodes: self.nodes, ..self.outcome }
    }

    /// The root's result came back: widen the window, or go to the next iteration.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    fn finish_root(&mut self) {
        let root = &self.now;
        let value = self.value;
        let outside = root.best_move == Move::NONE || value >= root.beta;
        if outside && self.width < 400 {
            self.state = State::Enter;
            self.open_window(self.width << 2);
            return;
        }
        if self.candidate != Move::NONE {
            self.outcome.best = self.candidate;
        }
        self.outcome.score = value;
        self.outcome.depth = self.iteration;
        self.candidate = Move::NONE;
        // A mate that is nearer than the depth searched will not get nearer.
        let mate = value.abs() >= MATE_BOUND
            && (crate::score::MATE - value.abs()) <= self.iteration as Score;
        if self.iteration >= self.max_depth || mate {
            self.state = State::Idle;
            return;
        }
        self.iteration += 1;
        self.state = State::Enter;
        self.open_window(if self.iteration >= 4 { 25 } else { INFINITE });
    }

    #[inline(always)]
    fn frame(&mut self) -> &mut Frame {
        &mut self.now
    }

    /// Where the current ply is kept while another one is current.
    #[inline(always)]
    fn kept(&mut self) -> &mut Frame {
        &mut self.frames[self.ply as usize & (MAX_PLY - 1)]
    }

    /// Ends the current node with a score.
    #[inline(always)]
    fn give_back(&mut self, value: Score) {
        let base = self.frame().base;
        self.pool.truncate(base);
        self.value = value;
        self.state = State::Return;
    }

    /// Starts the child of the current node with a window and a depth.
    fn descend(&mut self, alpha: Score, beta: Score, depth: i8, after_null: bool) {
        *self.kept() = self.now;
        self.ply += 1;
        self.now.killers = self.kept().killers;
        let child = self.frame();
        child.alpha = alpha;
        child.beta = beta;
        child.depth = depth;
        child.after_null = after_null;
        self.state = State::Enter;
    }

    /// Goes back to the parent of the current node.
    fn ascend(&mut self) {
        self.kept().killers = self.now.killers;
        self.ply -= 1;
        self.now = *self.kept();
    }

    fn unmake(&mut self, game: &mut Game) {
        let frame = self.frame();
        if frame.waiting == Waiting::Null {
            game.unmake_null(&frame.undo);
        } else {
            game.unmake(frame.current, &frame.undo);
        }
    }
}

/// The bank that holds a key.
#[inline(always)]
fn choose<'a, const N: usize>(
    key: u32,
    low: &'a mut Bank<N>,
    high: &'a mut Bank<N>,
) -> &'a mut Bank<N> {
    if key & 0x8000_0000 == 0 { low } else { high }
}
