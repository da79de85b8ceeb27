//! Moves one by one, the most promising first, generated no earlier than needed.
//!
//! The table's move, good captures, quiet moves, losing captures. Moves live on a stack shared by
//! all nodes of a thread, so that a picker costs nothing to make: each node owns what it pushed
//! above `start` and gives it back with [`Picker::finish`].

mod scoring;
mod stack;

use chess::{Bitboard, Board, CheckSquares, Move};

use crate::history::Histories;
use crate::params::order;
use crate::root::RootMoves;
use crate::threats::Threats;

use scoring::{CheckFinder, NoisyScorer, QuietScorer};
pub(crate) use stack::MoveStack;
use stack::Scored;

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiets,
    Quiets,
    BadNoisy,
}

/// What kind of moves a node wants.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Wanted {
    /// Everything; quiet moves in an order that knows what the opponent attacks and the moves one,
    /// two and four plies before.
    All { threats: Threats, before: [u16; 3] },
    /// Captures and promotions that win at least this much.
    Noisy(i32),
    /// The same, and then quiet checks that lose nothing and have not failed too often; with the
    /// moves one, two and four plies before.
    NoisyAndChecks(i32, [u16; 3]),
}

/// Hands out the moves of one node.
pub(crate) struct Picker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    start: usize,
    cursor: usize,
    /// Losing captures wait in `start..bad_end`.
    bad_end: usize,
    /// Made when first asked for.
    checks: Option<CheckSquares>,
    /// What a policy adds to moves of the root; empty elsewhere.
    priors: Vec<(Move, i32)>,
    skips_quiets: bool,
}

impl Picker {
    /// A picker for a node; the table's move must be legal.
    #[inline]
    pub(crate) fn new(stack: &MoveStack, wanted: Wanted, table_move: Option<Move>) -> Self {
        let start = stack.len();
        let stage = if table_move.is_some() { Stage::TableMove } else { Stage::GenerateNoisy };
        Self {
            stage,
            wanted,
            table_move,
            start,
            cursor: start,
            bad_end: start,
            checks: None,
            priors: Vec::new(),
            skips_quiets: false,
        }
    }

    /// At the root a policy's opinion is added to the score of each quiet move. Captures are few
    /// and come before them anyway.
    pub(crate) fn set_priors(&mut self, root: &RootMoves, weight: i32) {
        if root.has_priors() {
            let bonus = |mv| (mv, root.prior(mv) * weight / 1000);
            self.priors = root.moves().into_iter().map(bonus).collect();
        }
    }

    /// Gives the node's room on the stack back.
    #[inline]
    pub(crate) fn finish(&self, stack: &mut MoveStack) {
        stack.truncate(self.start);
    }

    /// Does this legal move give check?
    #[inline]
    pub(crate) fn gives_check(&mut self, board: &Board, mv: Move) -> bool {
        self.checks.get_or_insert_with(|| CheckSquares::new(board)).gives_check(board, mv)
    }

    /// Are only losing captures left?
    #[inline]
    pub(crate) fn at_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Leaves quiet moves out from now on.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// Are quiet moves left out?
    #[inline]
    pub(crate) fn skips_quiets(&self) -> bool {
        self.skips_quiets
    }

    /// The next move.
    #[inline]
    pub(crate) fn next(
        &mut self,
        stack: &mut MoveStack,
        board: &Board,
        histories: &Histories,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    return self.table_move;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(stack, board, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some(scored) = self.best_left(stack) else {
                        if matches!(self.wanted, Wanted::Noisy(_)) {
                            return None;
                        }
                        self.stage = Stage::GenerateQuiets;
                        continue;
                    };
                    let Some(mv) = scored.mv().filter(|&mv| Some(mv) != self.table_move) else {
                        continue;
                    };
                    let threshold = match self.wanted {
                        Wanted::Noisy(threshold) | Wanted::NoisyAndChecks(threshold, _) => {
                            threshold
                        }
                        Wanted::All { .. } => -scored.score() / order::see_divisor(),
                    };
                    if board.see_at_least(mv, threshold) {
                        return Some(mv);
                    }
                    stack.set(self.bad_end, scored);
                    self.bad_end += 1;
                }
                Stage::GenerateQuiets => {
                    if !self.skips_quiets {
                        self.generate_quiets(stack, board, histories);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let next = if self.skips_quiets { None } else { self.best_left(stack) };
                    match next {
                        Some(scored) if scored.mv() == self.table_move => {}
                        Some(scored) => return scored.mv(),
                        None => {
                            self.stage = Stage::BadNoisy;
                            self.cursor = self.start;
                        }
                    }
                }
                Stage::BadNoisy => {
                    if self.cursor == self.bad_end || !matches!(self.wanted, Wanted::All { .. }) {
                        return None;
                    }
                    self.cursor += 1;
                    return stack.get(self.cursor - 1).mv();
                }
            }
        }
    }

    // Generation stays out of `next`, which is called for every move and must be light to enter.
    #[inline(never)]
    fn generate_noisy(&self, stack: &mut MoveStack, board: &Board, histories: &Histories) {
        let mut scorer = NoisyScorer { room: stack.room(), board, history: &histories.capture };
        board.noisy_moves(&mut scorer);
        scorer.room.keep();
    }

    #[inline(never)]
    fn generate_quiets(&mut self, stack: &mut MoveStack, board: &Board, histories: &Histories) {
        self.cursor = stack.len();
        let checks = self.checks.get_or_insert_with(|| CheckSquares::new(board));
        let room = stack.room();
        match &self.wanted {
            Wanted::Noisy(_) => {}
            Wanted::NoisyAndChecks(_, before) => {
                let histories = histories.quiets(board, Bitboard::EMPTY, before);
                let mut finder = CheckFinder { room, board, histories, checks };
                finder.find();
                finder.room.keep();
            }
            Wanted::All { threats, before } => {
                let histories = histories.quiets(board, threats.all, before);
                let mut scorer = QuietScorer { room, board, histories, threats, checks };
                board.quiet_moves(&mut scorer);
                scorer.room.keep();
            }
        }
        for &(mv, prior) in &self.priors {
            if let Some(scored) = stack.from(self.cursor).iter_mut().find(|s| s.mv() == Some(mv)) {
                *scored = scored.raised(prior);
            }
        }
    }

    /// Selects the best of what is left and steps past it.
    #[inline]
    fn best_left(&mut self, stack: &mut MoveStack) -> Option<Scored> {
        let found = stack.select(self.cursor)?;
        self.cursor += 1;
        Some(found)
    }
}
