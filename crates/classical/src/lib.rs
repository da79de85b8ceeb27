//! The classical evaluator: material, squares, pawns, mobility, threats and kings, by hand-made
//! terms with tuned weights.
//!
//! Every term is a weight from [`weights`] times a count, for the middlegame and the endgame at
//! once ([`Tapered`]), added up by [`judge`]. Material and squares follow the game through the
//! move observer, pawns are remembered in a hash table, all else is worked out from attack maps
//! that are filled once. [`layout`] names the weights; a [`Trace`] sees which are used.
//!
//! What is not here: tuning (it listens through [`Trace`]), and everything that needs search.

mod endgame;
mod geometry;
mod king;
mod kpk;
pub mod layout;
mod maps;
mod passers;
mod pawns;
mod pieces;
mod psqt;
mod space;
mod tapered;
mod threats;
mod trace;
mod weights;

use std::fmt;

use chess::{Board, Color, MoveObserver, Piece, Square};

use eval::score::clamp_eval;
use eval::{Evaluator, Quantiles, Score};

use layout::{COMPLEXITY_BASE, COMPLEXITY_PAWN_ENDING, COMPLEXITY_PAWNS, COMPLEXITY_WINGS, TEMPO};
use maps::Maps;
use pawns::{PawnInfo, PawnTable};
use psqt::{FULL_PHASE, Running};
use trace::{Side, Sum};

pub use endgame::{FULL_SCALE, bare_king};
pub use king::{SAFETY_EG_DIVISOR, SAFETY_LIMIT, SAFETY_MG_DIVISOR};
pub use tapered::Tapered;
pub use trace::Trace;

/// The evaluator; one per thread.
#[derive(Clone)]
pub struct Classical {
    /// The sums after each move of the line being searched; the last is the current board's.
    line: Vec<Running>,
    pawns: PawnTable,
}

impl Classical {
    /// An evaluator at the start position.
    pub fn new() -> Self {
        let line = vec![Running::of(&Board::default())];
        Self { line, pawns: PawnTable::new() }
    }

    /// The sums of the current board.
    #[inline(always)]
    fn now(&mut self) -> &mut Running {
        self.line.last_mut().expect("the line holds at least the root")
    }
}

impl Default for Classical {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Classical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Classical").field("line", &self.line).finish_non_exhaustive()
    }
}

impl MoveObserver for Classical {
    #[inline(always)]
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        self.now().add(color, piece, square);
    }

    #[inline(always)]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        self.now().remove(color, piece, square);
    }

    #[inline(always)]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.now().shift(color, piece, from, to);
    }
}

impl Evaluator for Classical {
    fn reset(&mut self, board: &Board) {
        self.line.clear();
        self.line.push(Running::of(board));
    }

    #[inline(always)]
    fn push(&mut self) {
        let now = *self.now();
        self.line.push(now);
    }

    #[inline(always)]
    fn pop(&mut self) {
        debug_assert!(self.line.len() > 1, "more moves taken back than made");
        self.line.pop();
    }

    fn evaluate(&mut self, board: &Board) -> Quantiles {
        let running = *self.now();
        debug_assert_eq!(running, Running::of(board), "the observer missed a move");
        let judgement = match endgame_by_material(board, running.phase) {
            Some(score) => score,
            None => judge(board, running, self.pawns.get(board), &()).score,
        };
        let score = if board.side_to_move() == Color::White { judgement } else { -judgement };
        Quantiles::certain(clamp_eval(score))
    }
}

/// What an evaluation came to, from White's side.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Judgement {
    /// The score.
    pub score: Score,
    /// How much of the middlegame is left: 0 to 24.
    pub phase: i32,
    /// What the middlegame and the endgame half were scaled by, of [`FULL_SCALE`].
    pub scale: [i32; 2],
}

/// Evaluates a board from scratch and reports every weight used to the trace.
///
/// `None` if the material alone decides, so that no weight matters.
pub fn evaluate_traced(board: &Board, trace: &impl Trace) -> Option<Judgement> {
    let running = Running::of(board);
    if endgame_by_material(board, running.phase).is_some() {
        return None;
    }
    psqt::explain(board, trace);
    let pawns = PawnInfo::of(board, trace);
    Some(judge(board, running, &pawns, trace))
}

/// The weights, in the order of [`layout`].
pub fn weights() -> &'static [Tapered; layout::COUNT] {
    &weights::WEIGHTS
}

/// Only late endings are decided by material, so earlier ones need not ask.
#[inline(always)]
fn endgame_by_material(board: &Board, phase: i32) -> Option<Score> {
    if phase > FULL_PHASE / 2 { None } else { endgame::known(board) }
}

/// Adds up all terms, from White's side.
fn judge(board: &Board, running: Running, pawns: &PawnInfo, trace: &impl Trace) -> Judgement {
    let mut maps = Maps::new(board);
    let mut white = Side::new(board, Color::White, pawns, trace);
    let mut black = Side::new(board, Color::Black, pawns, trace);
    pieces::score(&mut white, &mut maps);
    pieces::score(&mut black, &mut maps);
    with_both_maps(&mut white, &maps);
    with_both_maps(&mut black, &maps);
    let mover = if board.side_to_move() == Color::White { &mut white } else { &mut black };
    mover.sum.add(TEMPO, 0);

    let total = running.score + pawns.score + white.sum.total - black.sum.total;
    let phase = running.phase.min(FULL_PHASE);
    let eg = total.eg() + complexity(board, total.eg(), trace);
    let ahead = (eg, total.mg()) > (0, 0);
    let strong = if ahead { Color::White } else { Color::Black };
    let scale = endgame::scale(board, strong, pawns.passed);
    let blend = (total.mg() * phase * scale[0] + eg * (FULL_PHASE - phase) * scale[1]) / FULL_SCALE;
    Judgement { score: blend / FULL_PHASE, phase, scale }
}

/// The terms that need both sides' attack maps.
#[inline(always)]
fn with_both_maps(side: &mut Side<'_, impl Trace>, maps: &Maps) {
    king::defenders(side, maps);
    threats::score(side, maps);
    passers::score(side, maps);
    space::score(side, maps);
    king::attack(side, maps);
}

/// How much easier (or harder) the pawns make it to turn an endgame advantage into a win.
/// It never changes who is better.
#[inline(always)]
fn complexity(board: &Board, eg: i32, trace: &impl Trace) -> i32 {
    const LEFT: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let pawns = board.kind(Piece::Pawn);
    let mut sum = Sum::new(Color::White, trace);
    sum.add_times(COMPLEXITY_PAWNS, 0, pawns.count());
    if pawns.0 & LEFT != 0 && pawns.0 & !LEFT != 0 {
        sum.add(COMPLEXITY_WINGS, 0);
    }
    if board.occupied() == pawns | board.kind(Piece::King) {
        sum.add(COMPLEXITY_PAWN_ENDING, 0);
    }
    sum.add(COMPLEXITY_BASE, 0);
    eg.signum() * sum.total.eg().max(-eg.abs())
}

#[cfg(test)]
mod tests;
