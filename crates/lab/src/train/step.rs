//! Forward and backward through the float network, a batch at a time.
//!
//! A thread takes a block of positions through the tiles of the transformer ([`Tile`]), then one by one
//! through the dense layers, and back: everything a loop touches again and again stays in the cache.

use std::ops::Range;

use data::Record;
use nnue::arch::{L1, L2, L2_IN, OUT, OUTPUT_BUCKETS, threat_lanes};
use simd::{Aligned, Kernels};

use super::inputs::Inputs;
use super::loss::{Loss, Target, loss};
use super::model::{Head, HeadMut, Layout};
use super::parallel::in_parallel;
use super::readers::Readers;
use super::tiles::{Sides, Tile, TileMemory};

/// Positions that go through a tile before the next: the more, the longer rows stay in use, but their
/// sums must stay in the cache too.
const BLOCK: usize = 512;

/// Working memory of a trainer.
pub(crate) struct Step {
    kernels: &'static Kernels,
    layout: Layout,
    tiles: Vec<Tile>,
    workers: Vec<Worker>,
    gradients: Aligned<f32>,
    /// Are there gradients of threats that were not handed out?
    kept: bool,
}

/// One thread's working memory.
struct Worker {
    tiles: Vec<TileMemory>,
    inputs: Vec<Inputs>,
    /// All sides of a block, those of one king bucket together.
    order: Vec<u32>,
    /// Which of them read each row of the transformer.
    readers: Readers,
    /// Gradients of the dense layers.
    heads: Aligned<f32>,
    /// Pair products of a block's positions, the side to move's, then the opponent's: the first dense
    /// layer's inputs. After the dense layers their gradients.
    pairs: Aligned<f32>,
    /// The gradients of one position's products.
    by_pairs: Aligned<f32>,
    loss: Loss,
}

/// Values of the dense layers, kept from forward for backward.
struct Dense {
    l1: [f32; L1],
    l1_active: [f32; L2_IN],
    l2: [f32; L2],
    l2_active: [f32; L2],
    outputs: [f32; OUT],
}

/// What all threads read.
#[derive(Clone, Copy)]
struct Weights<'a> {
    kernels: &'static Kernels,
    layout: Layout,
    parameters: &'a [f32],
    tiles: &'a [Tile],
}

impl<'a> Weights<'a> {
    /// The dense layers of an output bucket.
    fn head(&self, bucket: usize) -> Head<'a> {
        Head::new(self.layout.ft, &self.parameters[self.layout.head(bucket)])
    }
}

impl Step {
    /// Memory for networks of this shape.
    pub(crate) fn new(kernels: &'static Kernels, layout: Layout, threads: usize) -> Self {
        let tiles = Tile::all(layout);
        let worker = || Worker {
            tiles: tiles.iter().map(|tile| tile.memory(BLOCK)).collect(),
            inputs: vec![Inputs::default(); BLOCK],
            order: Vec::new(),
            readers: Readers::default(),
            heads: Aligned::new(layout.heads().len()),
            pairs: Aligned::new(BLOCK * layout.ft),
            by_pairs: Aligned::new(layout.ft),
            loss: Loss::default(),
        };
        let workers = (0..threads.max(1)).map(|_| worker()).collect();
        Self { kernels, layout, tiles, workers, gradients: Aligned::new(layout.len()), kept: false }
    }

    /// The sum of the gradients of the batch that was learnt last; for threats, of all batches whose
    /// gradients were kept, too.
    pub(crate) fn gradients(&self) -> &[f32] {
        &self.gradients
    }

    /// The five raw outputs for each position.
    pub(crate) fn outputs(&mut self, parameters: &[f32], records: &[Record]) -> Vec<[f32; OUT]> {
        let mut outputs = vec![[0.0; OUT]; records.len()];
        let part = self.part(records.len());
        let parts = outputs.chunks_mut(part).zip(records.chunks(part));
        self.share(parameters, parts, |worker, weights, (outputs, records)| {
            let blocks = outputs.chunks_mut(BLOCK).zip(records.chunks(BLOCK));
            for (outputs, records) in blocks {
                worker.transform(weights, records);
                for (position, outputs) in outputs.iter_mut().enumerate() {
                    let head = weights.head(worker.inputs[position].bucket);
                    let pairs = &worker.pairs[position * weights.layout.ft..][..weights.layout.ft];
                    *outputs = dense_forward(weights.kernels, &head, pairs).outputs;
                }
            }
        });
        outputs
    }

    /// Sums the gradients of a batch ([`Step::gradients`]) and returns the sum of its losses.
    ///
    /// Each thread has a part of the batch and the parts' gradients are added in order, so the result
    /// depends on the number of threads but not on their timing.
    ///
    /// Threats have many rows, most of which a batch does not touch. Unless they are `due`, their gradients
    /// are kept for the next batch, and until then their parameters must not change.
    pub(crate) fn learn(
        &mut self,
        parameters: &[f32],
        target: &Target,
        records: &[Record],
        due: bool,
    ) -> Loss {
        for worker in &mut self.workers {
            worker.clear(self.kept);
        }
        let parts = records.chunks(self.part(records.len()));
        self.share(parameters, parts, |worker, weights, records| {
            for block in records.chunks(BLOCK) {
                worker.learn(weights, target, block);
            }
        });
        self.sum_gradients(due);
        self.kept = !due;
        self.workers.iter().fold(Loss::default(), |sum, worker| Loss {
            pinball: sum.pinball + worker.loss.pinball,
            squared: sum.squared + worker.loss.squared,
        })
    }

    /// Positions of each thread.
    fn part(&self, positions: usize) -> usize {
        positions.div_ceil(self.workers.len()).max(1)
    }

    /// Gives each thread one of the parts.
    fn share<T: Send>(
        &mut self,
        parameters: &[f32],
        parts: impl Iterator<Item = T>,
        work: impl Fn(&mut Worker, Weights<'_>, T) + Sync,
    ) {
        let Self { kernels, layout, tiles, workers, kept, .. } = self;
        let (kernels, layout, threads) = (*kernels, *layout, workers.len());
        in_parallel(threads, tiles.iter_mut(), |tile| tile.load(layout, parameters, !*kept));
        let weights = Weights { kernels, layout, parameters, tiles };
        in_parallel(threads, workers.iter_mut().zip(parts), |(worker, part)| {
            work(worker, weights, part);
        });
    }

    /// Puts together what the threads have learnt.
    fn sum_gradients(&mut self, with_threats: bool) {
        let Self { layout, tiles, workers, gradients, .. } = self;
        let (layout, workers, threads) = (*layout, &*workers, workers.len());
        let memories = || workers.iter().flat_map(|worker| tiles.iter().zip(&worker.tiles));
        let (rows, rest) = gradients.split_at_mut(layout.ft_weights().end);
        let (threats, rest) = rest.split_at_mut(layout.threat_weights().len());
        let group = layout.shared_weights().len();
        in_parallel(threads, rows.chunks_mut(group).enumerate(), |(index, rows)| {
            rows.fill(0.0);
            for (tile, memory) in memories() {
                memory.add_rows_to(tile, layout.ft, index * group / layout.ft, rows);
            }
        });
        if with_threats {
            let lanes = threat_lanes(layout.ft);
            let part = (threats.len() / lanes).div_ceil(threads).max(1);
            in_parallel(threads, threats.chunks_mut(part * lanes).enumerate(), |(index, rows)| {
                rows.fill(0.0);
                for (tile, memory) in memories() {
                    memory.add_threats_to(tile, lanes, index * part, rows);
                }
            });
        }
        // What is shared by all king buckets gets the sum of their gradients.
        let (shared, rest) = rest.split_at_mut(group);
        let part = group.div_ceil(threads);
        in_parallel(threads, shared.chunks_mut(part).enumerate(), |(index, shared)| {
            shared.fill(0.0);
            for bucket in rows[layout.ft_weights()].chunks_exact(group) {
                add(shared, &bucket[index * part..][..shared.len()]);
            }
        });
        let (biases, heads) = rest.split_at_mut(layout.ft);
        biases.fill(0.0);
        memories().for_each(|(tile, memory)| memory.add_biases_to(tile, biases));
        heads.fill(0.0);
        workers.iter().for_each(|worker| add(heads, &worker.heads));
    }
}

impl Worker {
    /// Forgets the gradients of the last batch, but for those of threats that are kept.
    fn clear(&mut self, keep_threats: bool) {
        self.tiles.iter_mut().for_each(|tile| tile.clear(keep_threats));
        self.heads.fill(0.0);
        self.loss = Loss::default();
    }

    /// Finds the inputs of a block and sends them through the transformer.
    fn transform(&mut self, weights: Weights<'_>, block: &[Record]) {
        for (inputs, record) in self.inputs.iter_mut().zip(block) {
            inputs.set(record, weights.layout.threats);
        }
        let inputs = &self.inputs;
        self.order.clear();
        self.order.extend(0..2 * block.len() as u32);
        self.order.sort_by_key(|&side| inputs[side as usize / 2].king_buckets[side as usize % 2]);
        let sides = Sides { inputs, order: &self.order };
        for (tile, memory) in weights.tiles.iter().zip(&mut self.tiles) {
            tile.forward(weights.kernels, weights.layout, sides, memory, &mut self.pairs);
        }
    }

    /// A block forwards and backwards.
    fn learn(&mut self, weights: Weights<'_>, target: &Target, block: &[Record]) {
        self.transform(weights, block);
        for (position, record) in block.iter().enumerate() {
            let bucket = self.inputs[position].bucket;
            let head = weights.head(bucket);
            let pairs = position * weights.layout.ft..(position + 1) * weights.layout.ft;
            let dense = dense_forward(weights.kernels, &head, &self.pairs[pairs.clone()]);
            let (loss, by_outputs) = loss(&dense.outputs, record, target);
            self.loss.pinball += loss.pinball;
            self.loss.squared += loss.squared;
            self.dense_backward(weights, (bucket, &head), &dense, &by_outputs, pairs);
        }
        let sides = Sides { inputs: &self.inputs, order: &self.order };
        self.readers.find_among(weights.layout.rows(), sides);
        for (tile, memory) in weights.tiles.iter().zip(&mut self.tiles) {
            let tile = (weights.layout, tile);
            memory.backward(weights.kernels, tile, sides, &self.readers, &self.pairs);
        }
    }

    /// The dense layers' gradients; leaves the gradient of the pair products in their place.
    fn dense_backward(
        &mut self,
        weights: Weights<'_>,
        (bucket, head): (usize, &Head<'_>),
        dense: &Dense,
        by_outputs: &[f32; OUT],
        pairs: Range<usize>,
    ) {
        let (layout, train) = (weights.layout, &weights.kernels.train);
        let size = layout.heads().len() / OUTPUT_BUCKETS;
        let into = HeadMut::new(layout.ft, &mut self.heads[bucket * size..][..size]);
        add(into.out_biases, by_outputs);
        let mut by_l2 = [0.0; L2];
        let (w, x) = (head.out_weights, &dense.l2_active);
        (train.matvec_backward)(&mut by_l2, into.out_weights, w, x, by_outputs);
        for (slope, &sum) in by_l2.iter_mut().zip(&dense.l2) {
            *slope = if sum > 0.0 && sum < 1.0 { *slope } else { 0.0 };
        }
        add(into.l2_biases, &by_l2);
        let mut by_active = [0.0; L2_IN];
        let (w, x) = (head.l2_weights, &dense.l1_active);
        (train.matvec_backward)(&mut by_active, into.l2_weights, w, x, &by_l2);
        let mut by_l1 = [0.0; L1];
        for (i, &sum) in dense.l1.iter().enumerate() {
            if sum > 0.0 && sum < 1.0 {
                by_l1[i] = by_active[i] + 2.0 * sum * by_active[L1 + i];
            }
        }
        add(into.l1_biases, &by_l1);
        let (w, x) = (head.l1_weights, &mut self.pairs[pairs]);
        (train.matvec_backward)(&mut self.by_pairs, into.l1_weights, w, x, &by_l1);
        x.copy_from_slice(&self.by_pairs);
    }
}

fn dense_forward(kernels: &Kernels, head: &Head<'_>, pairs: &[f32]) -> Dense {
    let train = &kernels.train;
    let mut l1 = [0.0; L1];
    (train.matvec)(&mut l1, head.l1_biases, head.l1_weights, pairs);
    let mut l1_active = [0.0; L2_IN];
    for (i, &sum) in l1.iter().enumerate() {
        let clipped = sum.clamp(0.0, 1.0);
        l1_active[i] = clipped;
        l1_active[L1 + i] = clipped * clipped;
    }
    let mut l2 = [0.0; L2];
    (train.matvec)(&mut l2, head.l2_biases, head.l2_weights, &l1_active);
    let l2_active = l2.map(|sum| sum.clamp(0.0, 1.0));
    let mut outputs = [0.0; OUT];
    (train.matvec)(&mut outputs, head.out_biases, head.out_weights, &l2_active);
    Dense { l1, l1_active, l2, l2_active, outputs }
}

/// Adds one vector to another.
pub(crate) fn add(into: &mut [f32], from: &[f32]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += from;
    }
}

#[cfg(test)]
mod tests {
    use super::Step;
    use crate::train::inputs::samples::records;
    use crate::train::loss::Target;
    use crate::train::model::Layout;
    use data::Record;
    use nnue::arch::FT_ONE;

    const TARGET: Target = Target { scale: 200.0, result_share: 0.2, squared: 3.0 };

    fn total_loss(layout: Layout, parameters: &[f32], records: &[Record]) -> f64 {
        let mut step = Step::new(simd::kernels(), layout, 1);
        step.learn(parameters, &TARGET, records, true).total(&TARGET)
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        // Three narrow tiles.
        let layout = Layout::new(192, true);
        let records = records(24, 4);
        let parameters = layout.initial(6);
        let mut step = Step::new(simd::kernels(), layout, 2);
        step.learn(&parameters, &TARGET, &records, true);
        let gradients = step.gradients().to_vec();

        let mut random = chess::Rng::new(9);
        for tensor in layout.tensors() {
            // The largest slopes stand out of the rounding; a kink nearby may spoil a single one.
            let mut order: Vec<usize> = tensor.range.clone().collect();
            random.shuffle(&mut order);
            order.sort_by(|a, b| gradients[*b].abs().total_cmp(&gradients[*a].abs()));
            let is_threat = tensor.range == layout.threat_weights();
            let (mut agree, mut tried) = (0, 0);
            for &i in order.iter().take(12).filter(|&&i| gradients[i].abs() > 1e-3) {
                // A threat's weight counts when it is rounded.
                let h = if is_threat { 1.0 / FT_ONE as f32 } else { 1e-3 };
                let mut moved = parameters.clone();
                moved[i] += h;
                let above = total_loss(layout, &moved, &records);
                moved[i] = parameters[i] - h;
                let below = total_loss(layout, &moved, &records);
                let slope = (above - below) / f64::from(2.0 * h);
                let given = f64::from(gradients[i]);
                tried += 1;
                agree += usize::from((slope - given).abs() < 0.02 * given.abs() + 2e-3);
            }
            assert!(agree * 10 >= tried * 8, "{}: {agree} of {tried} slopes agree", tensor.name);
            assert!(
                tried > 0 || tensor.name.starts_with(['3', '4', '5', '6', '7']),
                "{}",
                tensor.name
            );
        }
    }
}
