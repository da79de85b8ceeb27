//! Moves one by one, the most promising first, generated no earlier than needed.
//!
//! The table's move, good captures, quiet moves, losing captures. Moves live on a stack shared by
//! all nodes of a thread, so that a picker costs nothing to make: each node owns what it pushed
//! above `start` and gives it back with [`Picker::finish`].

use chess::{Bitboard, Board, CheckSquares, Move, MoveSink, Piece, see_value};

use crate::history::Histories;
use crate::params::order;
use crate::root::RootMoves;

/// A move with its rank among its kind, in one number so that the best is simply the largest.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Scored(i64);

impl Scored {
    #[inline(always)]
    fn new(mv: Move, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(mv.bits()))
    }

    /// Only [`Scored::new`] makes one, so there always is a move.
    #[inline(always)]
    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}

/// The stack of generated moves.
#[derive(Default)]
pub(crate) struct MoveStack(Vec<Scored>);

impl MoveSink for MoveStack {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        self.0.push(Scored::new(mv, 0));
    }
}

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
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Wanted {
    /// Everything.
    All,
    /// Captures and promotions that win at least this much.
    Noisy(i32),
}

/// Hands out the moves of one node.
pub(crate) struct Picker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    threats: Bitboard,
    /// The moves one, two and four plies before, for their continuations.
    before: [u16; 3],
    start: usize,
    cursor: usize,
    /// Losing captures wait in `start..bad_end`.
    bad_end: usize,
    /// What a policy adds to moves of the root; empty elsewhere.
    priors: Vec<(Move, i32)>,
}

impl Picker {
    /// A picker for a node; the table's move must be legal.
    pub(crate) fn new(
        stack: &MoveStack,
        wanted: Wanted,
        table_move: Option<Move>,
        threats: Bitboard,
        before: [u16; 3],
    ) -> Self {
        let start = stack.0.len();
        let stage = if table_move.is_some() { Stage::TableMove } else { Stage::GenerateNoisy };
        Self {
            stage,
            wanted,
            table_move,
            threats,
            before,
            start,
            cursor: start,
            bad_end: start,
            priors: Vec::new(),
        }
    }

    /// At the root a policy's opinion is added to the score of each quiet move.
    pub(crate) fn set_priors(&mut self, root: &RootMoves, weight: i32) {
        if root.best().is_some_and(|first| first.prior != 0) {
            let bonus = |mv| (mv, root.prior(mv) * weight / 1000);
            self.priors = root.moves().into_iter().map(bonus).collect();
        }
    }

    /// Gives the node's room on the stack back.
    #[inline]
    pub(crate) fn finish(&self, stack: &mut MoveStack) {
        stack.0.truncate(self.start);
    }

    /// Are only losing captures left?
    #[inline]
    pub(crate) fn at_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move; `skip_quiets` leaves the quiet ones out from now on.
    #[inline]
    pub(crate) fn next(
        &mut self,
        stack: &mut MoveStack,
        board: &Board,
        histories: &Histories,
        skip_quiets: bool,
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
                        if self.wanted != Wanted::All {
                            return None;
                        }
                        self.stage = Stage::GenerateQuiets;
                        continue;
                    };
                    let Some(mv) = scored.mv().filter(|&mv| Some(mv) != self.table_move) else {
                        continue;
                    };
                    let threshold = match self.wanted {
                        Wanted::Noisy(threshold) => threshold,
                        Wanted::All => -scored.score() / 48,
                    };
                    if board.see_at_least(mv, threshold) {
                        return Some(mv);
                    }
                    stack.0[self.bad_end] = scored;
                    self.bad_end += 1;
                }
                Stage::GenerateQuiets => {
                    if !skip_quiets {
                        self.generate_quiets(stack, board, histories);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let next = if skip_quiets { None } else { self.best_left(stack) };
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
                    if self.cursor == self.bad_end {
                        return None;
                    }
                    self.cursor += 1;
                    return stack.0[self.cursor - 1].mv();
                }
            }
        }
    }

    // Generation stays out of `next`, which is called for every move and must be light to enter.
    #[inline(never)]
    fn generate_noisy(&mut self, stack: &mut MoveStack, board: &Board, histories: &Histories) {
        board.noisy_moves(stack);
        for scored in &mut stack.0[self.start..] {
            if let Some(mv) = scored.mv() {
                *scored = Scored::new(mv, noisy_score(board, histories, mv));
            }
        }
    }

    #[inline(never)]
    fn generate_quiets(&mut self, stack: &mut MoveStack, board: &Board, histories: &Histories) {
        let first = stack.0.len();
        self.cursor = first;
        board.quiet_moves(stack);
        let danger = Danger::new(board);
        let checks = CheckSquares::new(board);
        for scored in &mut stack.0[first..] {
            let Some(mv) = scored.mv() else { continue };
            let Some(piece) = board.piece_at(mv.from()) else { continue };
            let mut score = histories.quiet_score(board, self.threats, &self.before, piece, mv)
                + danger.change(piece, mv);
            // A check that is not a plain sacrifice forces matters: early.
            if checks.gives_direct_check(board, mv) && board.see_at_least(mv, -75) {
                score += order::check();
            }
            let prior = self.priors.iter().find(|(other, _)| *other == mv).map_or(0, |&(_, p)| p);
            *scored = Scored::new(mv, score + prior);
        }
    }

    /// Selects the best of what is left and steps past it.
    #[inline]
    fn best_left(&mut self, stack: &mut MoveStack) -> Option<Scored> {
        let left = &mut stack.0[self.cursor..];
        // Two plain passes, which the compiler turns into vector code.
        let found = left.iter().fold(i64::MIN, |most, scored| most.max(scored.0));
        let best = left.iter().position(|scored| scored.0 == found)?;
        let found = left[best];
        left.swap(0, best);
        self.cursor += 1;
        Some(found)
    }
}

/// Captures by what they take and how well such captures did.
#[inline]
fn noisy_score(board: &Board, histories: &Histories, mv: Move) -> i32 {
    let Some(piece) = board.piece_at(mv.from()) else { return 0 };
    let victim = captured(board, mv);
    let gain = victim.map_or(0, see_value) + mv.promoted().map_or(0, see_value);
    16 * gain + histories.capture.get(board.side_to_move(), piece, mv.to(), victim)
}

/// What a move captures.
#[inline]
pub(crate) fn captured(board: &Board, mv: Move) -> Option<Piece> {
    if mv.is_en_passant() {
        Some(Piece::Pawn)
    } else if mv.is_castling() {
        None
    } else {
        board.piece_at(mv.to())
    }
}

/// Is the move a capture or a promotion?
#[inline]
pub(crate) fn is_noisy(board: &Board, mv: Move) -> bool {
    mv.promoted().is_some() || captured(board, mv).is_some()
}

/// Squares attacked by something cheaper than the piece that stands there.
struct Danger {
    by_pawn: Bitboard,
    by_minor: Bitboard,
    by_rook: Bitboard,
}

impl Danger {
    fn new(board: &Board) -> Self {
        let them = !board.side_to_move();
        let occupied = board.occupied();
        let by_pawn = chess::attacks::pawn_attacks_from(them, board.pieces(them, Piece::Pawn));
        let mut by_minor = by_pawn;
        for piece in [Piece::Knight, Piece::Bishop] {
            for square in board.pieces(them, piece) {
                by_minor |= chess::attacks::piece_attacks(piece, square, occupied);
            }
        }
        let mut by_rook = by_minor;
        for square in board.pieces(them, Piece::Rook) {
            by_rook |= chess::attacks::rook_attacks(square, occupied);
        }
        Self { by_pawn, by_minor, by_rook }
    }

    /// Leaving danger is good, walking into it is bad.
    #[inline]
    fn change(&self, piece: Piece, mv: Move) -> i32 {
        let (zone, worth) = match piece {
            Piece::Knight | Piece::Bishop => (self.by_pawn, 7000),
            Piece::Rook => (self.by_minor, 10_000),
            Piece::Queen => (self.by_rook, 16_000),
            _ => return 0,
        };
        worth * (i32::from(zone.contains(mv.from())) - i32::from(zone.contains(mv.to())))
    }
}
