//! The transformer, a few lanes at a time.
//!
//! The rows of all inputs are far larger than a core's cache, and a position touches dozens of them,
//! forwards and backwards. So the lanes are cut into tiles, and the sides of some hundred positions go
//! through one tile before the next, those with the same king bucket one after the other: the rows they
//! share stay in the cache.

use std::ops::Range;

use simd::{Aligned, Kernels};

use super::inputs::Inputs;
use super::model::Layout;

/// Lanes of a tile, in wide networks and in the narrow ones of tests.
const WIDE: usize = 128;
const NARROW: usize = 32;

/// Some lanes of the transformer: as many of the first half as of the second, which they are multiplied
/// with.
pub(crate) struct Tile {
    lanes: [Range<usize>; 2],
    weights: Aligned<f32>,
    biases: Aligned<f32>,
}

/// One thread's memory for a tile.
pub(crate) struct TileMemory {
    gradients: Aligned<f32>,
    bias_gradients: Aligned<f32>,
    /// The sums of each side: the side to move, then the opponent.
    sums: Aligned<f32>,
    /// Their pair products; after the dense layers the gradients of these.
    pub(crate) pairs: Aligned<f32>,
    /// Gradient of one side's sums.
    by_sums: Aligned<f32>,
}

/// The sides of some positions, and in which order to look at them.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) inputs: &'a [Inputs],
    pub(crate) order: &'a [u32],
}

impl Sides<'_> {
    /// Each side's number and its rows.
    fn iter(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let rows = |side: usize| self.inputs[side / 2].side(side % 2);
        self.order.iter().map(move |&side| (side as usize, rows(side as usize)))
    }
}

impl Tile {
    /// The tiles of a network.
    pub(crate) fn all(layout: Layout) -> Vec<Self> {
        let ft = layout.ft;
        let width = if ft.is_multiple_of(WIDE) { WIDE } else { NARROW };
        assert!(ft.is_multiple_of(width), "expected whole tiles of {width} lanes, got {ft}");
        let (rows, half) = (layout.rows().len() / ft, width / 2);
        let tile = |at: usize| Self {
            lanes: [at..at + half, ft / 2 + at..ft / 2 + at + half],
            weights: Aligned::new(rows * width),
            biases: Aligned::new(width),
        };
        (0..ft / 2).step_by(half).map(tile).collect()
    }

    /// Where the tile's products lie among those of a side.
    pub(crate) fn products(&self) -> Range<usize> {
        self.lanes[0].clone()
    }

    fn half(&self) -> usize {
        self.lanes[0].len()
    }

    /// A thread's memory for blocks of this many positions.
    pub(crate) fn memory(&self, positions: usize) -> TileMemory {
        let width = self.biases.len();
        TileMemory {
            gradients: Aligned::new(self.weights.len()),
            bias_gradients: Aligned::new(width),
            sums: Aligned::new(2 * positions * width),
            pairs: Aligned::new(2 * positions * self.half()),
            by_sums: Aligned::new(width),
        }
    }

    /// Takes the tile's lanes out of the parameters, the shared rows added to those of each bucket.
    pub(crate) fn load(&mut self, layout: Layout, parameters: &[f32]) {
        let (ft, half) = (layout.ft, self.half());
        let rows = &parameters[layout.rows()];
        let shared = &parameters[layout.shared_weights()];
        let in_buckets = layout.ft_weights().len();
        for (row, tile) in self.weights.chunks_exact_mut(2 * half).enumerate() {
            let at = row * ft;
            for (part, lanes) in tile.chunks_exact_mut(half).zip(&self.lanes) {
                part.copy_from_slice(&rows[at..at + ft][lanes.clone()]);
                if at < in_buckets {
                    let shared = &shared[at % shared.len()..][lanes.clone()];
                    part.iter_mut().zip(shared).for_each(|(weight, shared)| *weight += shared);
                }
            }
        }
        let biases = &parameters[layout.ft_biases()];
        for (part, lanes) in self.biases.chunks_exact_mut(half).zip(&self.lanes) {
            part.copy_from_slice(&biases[lanes.clone()]);
        }
    }

    /// Sums and pair products of all sides.
    pub(crate) fn forward(&self, kernels: &Kernels, sides: Sides<'_>, memory: &mut TileMemory) {
        let half = self.half();
        for (side, rows) in sides.iter() {
            let sums = &mut memory.sums[2 * side * half..][..2 * half];
            (kernels.train.sum_rows)(sums, &self.biases, &self.weights, rows);
            (kernels.train.pair)(sums, &mut memory.pairs[side * half..][..half]);
        }
    }

    /// Adds the tile's part of a row to the whole.
    fn add_to(&self, part: &[f32], row: &mut [f32]) {
        for (part, lanes) in part.chunks_exact(self.half()).zip(&self.lanes) {
            row[lanes.clone()].iter_mut().zip(part).for_each(|(sum, gradient)| *sum += gradient);
        }
    }
}

impl TileMemory {
    /// Forgets the gradients of the last batch.
    pub(crate) fn clear(&mut self) {
        self.gradients.fill(0.0);
        self.bias_gradients.fill(0.0);
    }

    /// Adds the gradients of the rows, from those of the pair products.
    pub(crate) fn backward(&mut self, kernels: &Kernels, sides: Sides<'_>) {
        let width = self.by_sums.len();
        for (side, rows) in sides.iter() {
            let sums = &self.sums[side * width..][..width];
            let by_pairs = &self.pairs[side * width / 2..][..width / 2];
            (kernels.train.pair_backward)(sums, by_pairs, &mut self.by_sums);
            (kernels.train.scatter_rows)(&mut self.gradients, rows, &self.by_sums);
            (kernels.train.scatter_rows)(&mut self.bias_gradients, &[0], &self.by_sums);
        }
    }

    /// Adds the gradients of some rows, from `first` on, to those of the whole transformer.
    pub(crate) fn add_rows_to(&self, tile: &Tile, ft: usize, first: usize, rows: &mut [f32]) {
        let parts = self.gradients.chunks_exact(self.by_sums.len()).skip(first);
        for (row, part) in rows.chunks_exact_mut(ft).zip(parts) {
            tile.add_to(part, row);
        }
    }

    /// The same for the biases.
    pub(crate) fn add_biases_to(&self, tile: &Tile, biases: &mut [f32]) {
        tile.add_to(&self.bias_gradients, biases);
    }
}
