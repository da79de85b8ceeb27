//! Forward and backward through the float network, one position at a time.
//!
//! One position at a time keeps everything in the first-level cache but the rows of the
//! transformer; a batch only sums gradients.

use data::Record;
use nnue::arch::{L1, L2, L2_IN, OUT};
use simd::{Aligned, Kernels};

use super::inputs::Inputs;
use super::loss::{Loss, Target, loss};
use super::model::{Head, HeadMut, Layout};

/// The weights a batch reads.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a> {
    /// Where parameters lie.
    pub(crate) layout: Layout,
    /// All parameters.
    pub(crate) parameters: &'a [f32],
    /// The transformer's rows with the shared part added ([`Layout::merge_shared`]).
    pub(crate) merged: &'a [f32],
}

/// Working memory of one thread.
pub(crate) struct Pass {
    kernels: &'static Kernels,
    inputs: Inputs,
    us: Aligned<f32>,
    them: Aligned<f32>,
    /// Gradient of one accumulator.
    by_acc: Aligned<f32>,
    /// Pair products of both sides: the first dense layer's input.
    pairs: Aligned<f32>,
    by_pairs: Aligned<f32>,
}

/// Values of the dense layers, kept from forward for backward.
struct Dense {
    l1: [f32; L1],
    l1_active: [f32; L2_IN],
    l2: [f32; L2],
    l2_active: [f32; L2],
    outputs: [f32; OUT],
}

impl Pass {
    /// Memory for networks of this width.
    pub(crate) fn new(kernels: &'static Kernels, ft: usize) -> Self {
        let zeros = || Aligned::new(ft);
        Self {
            kernels,
            inputs: Inputs::default(),
            us: zeros(),
            them: zeros(),
            by_acc: zeros(),
            pairs: zeros(),
            by_pairs: zeros(),
        }
    }

    /// The five raw outputs for a position.
    pub(crate) fn outputs(&mut self, weights: &Weights<'_>, record: &Record) -> [f32; OUT] {
        self.forward(weights, record).outputs
    }

    fn forward(&mut self, weights: &Weights<'_>, record: &Record) -> Dense {
        let Weights { layout, parameters, merged } = *weights;
        let train = &self.kernels.train;
        self.inputs.set(record, layout.threats);
        let biases = &parameters[layout.ft_biases()];
        (train.sum_rows)(&mut self.us, biases, merged, &self.inputs.us);
        (train.sum_rows)(&mut self.them, biases, merged, &self.inputs.them);
        let (ours, theirs) = self.pairs.split_at_mut(layout.ft / 2);
        (train.pair)(&self.us, ours);
        (train.pair)(&self.them, theirs);

        let head = Head::new(layout.ft, &parameters[layout.head(self.inputs.bucket)]);
        let mut l1 = [0.0; L1];
        (train.matvec)(&mut l1, head.l1_biases, head.l1_weights, &self.pairs);
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

    /// Adds a position's gradient to `gradients` and returns its loss. The transformer's gradient
    /// goes to the buckets' part alone; [`share_gradient`] hands it on to the shared part.
    pub(crate) fn learn(
        &mut self,
        weights: &Weights<'_>,
        target: &Target,
        record: &Record,
        gradients: &mut [f32],
    ) -> Loss {
        let layout = weights.layout;
        let dense = self.forward(weights, record);
        let (loss, by_outputs) = loss(&dense.outputs, record, target);

        let part = layout.head(self.inputs.bucket);
        let head = Head::new(layout.ft, &weights.parameters[part.clone()]);
        let into = HeadMut::new(layout.ft, &mut gradients[part]);
        self.dense_backward(&dense, &by_outputs, &head, into);

        let train = &self.kernels.train;
        let (ours, theirs) = self.by_pairs.split_at(layout.ft / 2);
        let (rows, rest) = gradients.split_at_mut(layout.rows().end);
        let biases = layout.ft_biases();
        let biases = biases.start - rows.len()..biases.end - rows.len();
        for (acc, by_pairs, inputs) in
            [(&self.us, ours, &self.inputs.us), (&self.them, theirs, &self.inputs.them)]
        {
            (train.pair_backward)(acc, by_pairs, &mut self.by_acc);
            (train.scatter_rows)(rows, inputs, &self.by_acc);
            (train.scatter_rows)(&mut rest[biases.clone()], &[0], &self.by_acc);
        }
        loss
    }

    /// The dense layers' gradients; leaves the gradient of the pair products in `by_pairs`.
    fn dense_backward(
        &mut self,
        dense: &Dense,
        by_outputs: &[f32; OUT],
        head: &Head<'_>,
        into: HeadMut<'_>,
    ) {
        let train = &self.kernels.train;
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
        let (w, x) = (head.l1_weights, &self.pairs);
        (train.matvec_backward)(&mut self.by_pairs, into.l1_weights, w, x, &by_l1);
    }
}

/// Sums the buckets' transformer gradients into the shared part's.
pub(crate) fn share_gradient(layout: Layout, gradients: &mut [f32]) {
    let (rows, rest) = gradients.split_at_mut(layout.shared_weights().start);
    let shared = &mut rest[..layout.shared_weights().len()];
    shared.fill(0.0);
    for bucket in rows[layout.ft_weights()].chunks_exact(shared.len()) {
        add(shared, bucket);
    }
}

/// Adds one vector to another.
pub(crate) fn add(into: &mut [f32], from: &[f32]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += from;
    }
}

#[cfg(test)]
mod tests {
    use super::{Pass, Weights, share_gradient};
    use crate::train::inputs::samples::records;
    use crate::train::loss::Target;
    use crate::train::model::Layout;
    use data::Record;

    const TARGET: Target = Target { scale: 200.0, result_share: 0.2, squared: 3.0 };

    fn total_loss(layout: Layout, parameters: &[f32], records: &[Record]) -> f64 {
        let mut merged = vec![0.0; layout.rows().len()];
        layout.merge_shared(parameters, &mut merged);
        let weights = Weights { layout, parameters, merged: &merged };
        let mut pass = Pass::new(simd::kernels(), layout.ft);
        let mut unused = vec![0.0; layout.len()];
        records.iter().map(|r| pass.learn(&weights, &TARGET, r, &mut unused).total(&TARGET)).sum()
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        let layout = Layout::new(32, true);
        let records = records(24, 3);
        let parameters = layout.initial(5);
        let mut merged = vec![0.0; layout.rows().len()];
        layout.merge_shared(&parameters, &mut merged);
        let weights = Weights { layout, parameters: &parameters, merged: &merged };
        let mut gradients = vec![0.0; layout.len()];
        let mut pass = Pass::new(simd::kernels(), layout.ft);
        for record in &records {
            pass.learn(&weights, &TARGET, record, &mut gradients);
        }
        share_gradient(layout, &mut gradients);

        let mut random = chess::Rng::new(9);
        for tensor in layout.tensors() {
            // The largest slopes stand out of the rounding; a kink nearby may spoil a single one.
            let mut order: Vec<usize> = tensor.range.clone().collect();
            random.shuffle(&mut order);
            order.sort_by(|a, b| gradients[*b].abs().total_cmp(&gradients[*a].abs()));
            let (mut agree, mut tried) = (0, 0);
            for &i in order.iter().take(12).filter(|&&i| gradients[i].abs() > 1e-3) {
                let h = 2e-3;
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
