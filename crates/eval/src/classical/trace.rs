//! Watching an evaluation being put together.
//!
//! The engine and the tuner run the same code: the engine with `()`, which watches nothing and
//! costs nothing, the tuner with a sink that notes which weight was used how often by whom.

use chess::Color;

use super::layout::Group;
use super::tapered::Tapered;
use super::weights::WEIGHTS;

/// Is told of every weight that goes into an evaluation.
pub trait Trace {
    /// Does it listen at all? If so the evaluation keeps away from its caches.
    const ACTIVE: bool;

    /// `color` gets the weight at `index`, `count` times.
    fn used(&mut self, color: Color, index: usize, count: i32);
}

impl Trace for () {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn used(&mut self, _: Color, _: usize, _: i32) {}
}

/// What one side has collected so far.
pub(super) struct Sum {
    pub(super) color: Color,
    pub(super) total: Tapered,
}

impl Sum {
    #[inline(always)]
    pub(super) fn new(color: Color) -> Self {
        Self { color, total: Tapered::ZERO }
    }

    /// Adds one weight.
    #[inline(always)]
    pub(super) fn add(&mut self, trace: &mut impl Trace, group: Group, i: usize) {
        self.add_times(trace, group, i, 1);
    }

    /// Adds one weight several times.
    #[inline(always)]
    pub(super) fn add_times(&mut self, trace: &mut impl Trace, group: Group, i: usize, count: u32) {
        let count = count as i32;
        self.total += WEIGHTS[group.at(i)] * count;
        trace.used(self.color, group.at(i), count);
    }
}
