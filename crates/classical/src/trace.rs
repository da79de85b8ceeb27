//! Watching an evaluation being put together.
//!
//! The engine and the tuner run the same code: the engine with `()`, which watches nothing and
//! costs nothing, the tuner with a sink that notes which weight was used how often by whom.

use chess::{Board, Color};

use super::layout::Group;
use super::pawns::PawnInfo;
use super::tapered::Tapered;
use super::weights::WEIGHTS;

/// Observes every weight that goes into an evaluation.
pub trait Trace {
    /// `color` gets the weight at `index`, `count` times.
    fn used(&self, color: Color, index: usize, count: i32);
}

impl Trace for () {
    #[inline(always)]
    fn used(&self, _: Color, _: usize, _: i32) {}
}

/// Weights added up for one side.
pub(super) struct Sum<'a, T> {
    color: Color,
    pub(super) total: Tapered,
    trace: &'a T,
}

impl<'a, T: Trace> Sum<'a, T> {
    #[inline(always)]
    pub(super) fn new(color: Color, trace: &'a T) -> Self {
        Self { color, total: Tapered::ZERO, trace }
    }

    /// Adds one weight.
    #[inline(always)]
    pub(super) fn add(&mut self, group: Group, i: usize) {
        self.add_times(group, i, 1);
    }

    /// Adds one weight several times.
    #[inline(always)]
    pub(super) fn add_times(&mut self, group: Group, i: usize, count: u32) {
        self.total += WEIGHTS[group.at(i)] * count as i32;
        self.trace.used(self.color, group.at(i), count as i32);
    }
}

/// One side's evaluation in the making.
pub(super) struct Side<'a, T> {
    pub(super) board: &'a Board,
    pub(super) us: Color,
    pub(super) pawns: &'a PawnInfo,
    /// What counts directly.
    pub(super) sum: Sum<'a, T>,
    /// The signs of an attack on the enemy king, see [`king`](super::king).
    pub(super) attack: Sum<'a, T>,
}

impl<'a, T: Trace> Side<'a, T> {
    /// Begins with what the pawns say about the attack.
    #[inline(always)]
    pub(super) fn new(board: &'a Board, us: Color, pawns: &'a PawnInfo, trace: &'a T) -> Self {
        let sum = Sum::new(us, trace);
        let mut attack = Sum::new(us, trace);
        attack.total = pawns.safety[us.index()];
        Self { board, us, pawns, sum, attack }
    }
}
