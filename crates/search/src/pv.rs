//! The main line, kept as a triangle of lines, one for every ply.

use chess::Move;
use eval::score::MAX_PLY;

/// For each ply the best line found below it.
pub(crate) struct PvTable {
    lines: Vec<Vec<Move>>,
}

impl PvTable {
    pub(crate) fn new() -> Self {
        Self { lines: (0..MAX_PLY + 8).map(|_| Vec::with_capacity(MAX_PLY)).collect() }
    }

    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The line of this ply becomes the move followed by the line of the next ply.
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}
