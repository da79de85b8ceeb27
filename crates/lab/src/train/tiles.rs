//! The transformer, a few lanes at a time.
//!
//! The rows of all inputs are far larger than a core's cache, and a position touches dozens of them,
//! forwards and backwards. So the lanes are cut into tiles, and the sides of some hundred positions go
//! through one tile before the next, those with the same king bucket one after the other: the rows they
//! share stay in the cache.

use std::ops::Range;

use nnue::arch::{FT_ONE, threat_lanes};
use nnue::threats::THREATS;
use simd::{Aligned, Kernels};

use super::inputs::Inputs;
use super::model::Layout;
use super::readers::Readers;

/// Lanes of a tile, in wide networks and in the narrow ones of tests.
const WIDE: usize = 128;
const NARROW: usize = 64;

/// Some lanes of the transformer: as many of the first half as of the second, which they are multiplied
/// with.
pub(crate) struct Tile {
    lanes: [Range<usize>; 2],
    weights: Aligned<f32>,
    biases: Aligned<f32>,
    /// Rows of the threats, for the lanes of the first half; none if threats do not reach them. They are
    /// rounded as the engine's are: a quarter of the bytes, and the other layers learn to live with it.
    threats: Aligned<i8>,
}

/// One thread's memory for a tile.
pub(crate) struct TileMemory {
    gradients: Aligned<f32>,
    threat_gradients: Aligned<f32>,
    /// The sum of one side's threats.
    threat_sums: Aligned<i16>,
    bias_gradients: Aligned<f32>,
    /// The sums of each side, those with the same king bucket together; later their gradients.
    sums: Aligned<f32>,
}

/// The sides of some positions, and in which order to look at them.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) inputs: &'a [Inputs],
    pub(crate) order: &'a [u32],
}

impl Sides<'_> {
    /// The threats of the side that comes at this place, none behind the last.
    fn threats(&self, place: usize) -> &[u32] {
        let side = self.order.get(place).map(|&side| side as usize);
        side.map_or(&[], |side| &self.inputs[side / 2].threats[side % 2])
    }

    /// Each side's number, its piece-square inputs and its threats.
    fn iter(&self) -> impl Iterator<Item = (usize, &[u32], &[u32])> + Clone {
        self.order.iter().map(move |&side| {
            let (side, whose) = (side as usize, side as usize % 2);
            let inputs = &self.inputs[side / 2];
            (side, inputs.side(whose), &inputs.threats[whose][..])
        })
    }
}

/// How many sides ahead of their turn the rows of threats are asked for.
const AHEAD: usize = 1;

/// Asks for rows: there are too many of them for the nearer caches.
#[inline]
fn ask_for<T>(weights: &[T], width: usize, rows: &[u32]) {
    for &row in rows {
        for line in weights[row as usize * width..][..width].chunks(64 / size_of::<T>()) {
            simd::prefetch(&line[0]);
        }
    }
}

/// A threat's weight as the engine has it.
#[inline]
fn rounded(weight: f32) -> i8 {
    // Added to this number, a small one becomes whole and its bits the sum's last ones: many at a time,
    // which no conversion is.
    const WHOLE: f32 = 1.5 * (1 << 23) as f32;
    (weight * FT_ONE as f32 + WHOLE).to_bits() as i8
}

impl Readers {
    /// Finds which of the sides, by their places in the order, read each of this many rows.
    pub(crate) fn find_among(&mut self, rows: usize, sides: Sides<'_>) {
        self.find(rows, sides.iter().enumerate().map(|(place, (_, inputs, _))| (place, inputs)));
    }
}

impl Tile {
    /// The tiles of a network.
    pub(crate) fn all(layout: Layout) -> Vec<Self> {
        let ft = layout.ft;
        let width = if ft.is_multiple_of(WIDE) { WIDE } else { NARROW };
        assert!(ft.is_multiple_of(width), "expected whole tiles of {width} lanes, got {ft}");
        let (rows, half) = (layout.rows(), width / 2);
        assert!(threat_lanes(ft).is_multiple_of(half), "threats reach whole halves of tiles");
        let threats = |at| if layout.threats && at < threat_lanes(ft) { THREATS } else { 0 };
        let tile = |at: usize| Self {
            lanes: [at..at + half, ft / 2 + at..ft / 2 + at + half],
            weights: Aligned::new(rows * width),
            biases: Aligned::new(width),
            threats: Aligned::new(threats(at) * half),
        };
        (0..ft / 2).step_by(half).map(tile).collect()
    }

    fn half(&self) -> usize {
        self.lanes[0].len()
    }

    /// A thread's memory for blocks of this many positions.
    pub(crate) fn memory(&self, positions: usize) -> TileMemory {
        let width = self.biases.len();
        TileMemory {
            gradients: Aligned::new(self.weights.len()),
            threat_gradients: Aligned::new(self.threats.len()),
            threat_sums: Aligned::new(self.half()),
            bias_gradients: Aligned::new(width),
            sums: Aligned::new(2 * positions * width),
        }
    }

    /// Takes the tile's lanes out of the parameters, the shared rows added to those of each bucket; of the
    /// threats only if they have changed.
    pub(crate) fn load(&mut self, layout: Layout, parameters: &[f32], with_threats: bool) {
        let (ft, half) = (layout.ft, self.half());
        let rows = &parameters[layout.ft_weights()];
        let shared = &parameters[layout.shared_weights()];
        for (row, tile) in self.weights.chunks_exact_mut(2 * half).enumerate() {
            let at = row * ft;
            for (part, lanes) in tile.chunks_exact_mut(half).zip(&self.lanes) {
                let own = &rows[at..at + ft][lanes.clone()];
                let shared = &shared[at % shared.len()..][lanes.clone()];
                let sums = own.iter().zip(shared).map(|(own, shared)| own + shared);
                part.iter_mut().zip(sums).for_each(|(weight, sum)| *weight = sum);
            }
        }
        if with_threats {
            let threats = parameters[layout.threat_weights()].chunks_exact(threat_lanes(ft));
            for (part, row) in self.threats.chunks_exact_mut(half).zip(threats) {
                for (part, weight) in part.iter_mut().zip(&row[self.lanes[0].clone()]) {
                    *part = rounded(*weight);
                }
            }
        }
        let biases = &parameters[layout.ft_biases()];
        for (part, lanes) in self.biases.chunks_exact_mut(half).zip(&self.lanes) {
            part.copy_from_slice(&biases[lanes.clone()]);
        }
    }

    /// Where the tile's products of a side lie among those of all sides.
    fn products(&self, layout: Layout, side: usize) -> Range<usize> {
        let at = side * layout.ft / 2 + self.lanes[0].start;
        at..at + self.half()
    }

    /// Sums of all sides, and the tile's part of their pair products.
    pub(crate) fn forward(
        &self,
        kernels: &Kernels,
        layout: Layout,
        sides: Sides<'_>,
        memory: &mut TileMemory,
        pairs: &mut [f32],
    ) {
        let half = self.half();
        let TileMemory { threat_sums, sums, .. } = memory;
        for (place, (side, rows, threats)) in sides.iter().enumerate() {
            let sums = &mut sums[2 * place * half..][..2 * half];
            sums.copy_from_slice(&self.biases);
            if !self.threats.is_empty() {
                ask_for(&self.threats, half, sides.threats(place + AHEAD));
                threat_sums.fill(0);
                (kernels.nnue.update_bytes)(threat_sums, &self.threats, threats, &[]);
                for (sum, threats) in sums.iter_mut().zip(&**threat_sums) {
                    *sum += f32::from(*threats) / FT_ONE as f32;
                }
            }
            (kernels.train.add_rows)(sums, &self.weights, rows);
            (kernels.train.pair)(sums, &mut pairs[self.products(layout, side)]);
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
    /// Forgets the gradients of the last batch, but for those of threats that are kept.
    pub(crate) fn clear(&mut self, keep_threats: bool) {
        self.gradients.fill(0.0);
        if !keep_threats {
            self.threat_gradients.fill(0.0);
        }
        self.bias_gradients.fill(0.0);
    }

    /// Adds the gradients of the rows, from those of the pair products of all sides.
    pub(crate) fn backward(
        &mut self,
        kernels: &Kernels,
        (layout, tile): (Layout, &Tile),
        sides: Sides<'_>,
        readers: &Readers,
        by_pairs: &[f32],
    ) {
        let width = self.bias_gradients.len();
        for (place, (side, _, threats)) in sides.iter().enumerate() {
            if !self.threat_gradients.is_empty() {
                ask_for(&self.threat_gradients, width / 2, sides.threats(place + AHEAD));
            }
            let sums = &mut self.sums[place * width..][..width];
            let by_pairs = &by_pairs[tile.products(layout, side)];
            (kernels.train.pair_backward)(sums, by_pairs);
            if !self.threat_gradients.is_empty() {
                let first = &sums[..width / 2];
                (kernels.train.scatter_rows)(&mut self.threat_gradients, threats, first);
            }
            (kernels.train.scatter_rows)(&mut self.bias_gradients, &[0], sums);
        }
        for (row, readers) in readers.iter() {
            let gradient = &mut self.gradients[row * width..][..width];
            (kernels.train.add_rows)(gradient, &self.sums, readers);
        }
    }

    /// Adds the gradients of some rows, from `first` on, to those of the whole transformer.
    pub(crate) fn add_rows_to(&self, tile: &Tile, ft: usize, first: usize, rows: &mut [f32]) {
        let parts = self.gradients.chunks_exact(self.bias_gradients.len()).skip(first);
        for (row, part) in rows.chunks_exact_mut(ft).zip(parts) {
            tile.add_to(part, row);
        }
    }

    /// The same for some rows of the threats, of `lanes` each.
    pub(crate) fn add_threats_to(&self, tile: &Tile, lanes: usize, first: usize, rows: &mut [f32]) {
        let parts = self.threat_gradients.chunks_exact(tile.half()).skip(first);
        for (row, part) in rows.chunks_exact_mut(lanes).zip(parts) {
            let row = row[tile.lanes[0].clone()].iter_mut();
            row.zip(part).for_each(|(sum, gradient)| *sum += gradient);
        }
    }

    /// The same for the biases.
    pub(crate) fn add_biases_to(&self, tile: &Tile, biases: &mut [f32]) {
        tile.add_to(&self.bias_gradients, biases);
    }
}
