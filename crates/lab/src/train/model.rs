//! The network in floats: where each parameter lies, and how it starts.
//!
//! All parameters are one flat vector, so that the optimiser, checkpoints and gradients need to
//! know nothing about layers. [`Layout`] says which part is what.

use std::fmt;
use std::ops::Range;

use chess::Rng;
use nnue::arch::{FT_ONE, L1, L1_ONE, L2, L2_IN, OUT, OUTPUT_BUCKETS, WEIGHT_ONE, threat_lanes};
use nnue::features::{INPUTS_PER_BUCKET, KING_BUCKETS};
use nnue::threats::THREATS;
use simd::Aligned;

/// Floats of a bias vector of [`OUT`] rounded up to a whole group of lanes.
pub(crate) const OUT_BIASES: usize = 16;

/// Largest magnitude of a first dense layer's weight that fits in a signed byte.
const L1_LIMIT: f32 = 127.0 / L1_ONE as f32;
/// Bucket weight and shared weight are added before they become one integer: half the room each.
/// 32 inputs of twice this size, times [`FT_ONE`], stay inside 16 bits.
const FT_LIMIT: f32 = 0.99;
/// A threat's weight becomes a signed byte.
const THREAT_LIMIT: f32 = 127.0 / FT_ONE as f32;
/// Keeps the later layers' weights inside 16 bits with room to spare.
const DENSE_LIMIT: f32 = 16.0;
const _: () = assert!(32.0 * 2.0 * FT_LIMIT * (FT_ONE as f32) < i16::MAX as f32);
const _: () = assert!(DENSE_LIMIT * (WEIGHT_ONE as f32) < i16::MAX as f32);

/// Where each parameter lies in the flat vector.
///
/// The transformer's weights are the sum of a bucket's own part and a part shared by all buckets
/// (the factoriser), so that what is rare in one bucket is learnt from all. The rows of the threats
/// are shorter: they reach some lanes only ([`threat_lanes`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Lanes of an accumulator.
    pub(crate) ft: usize,
    /// Sets of transformer weights, by the place of the king.
    pub(crate) king_buckets: usize,
    /// Has it threat inputs?
    pub(crate) threats: bool,
}

/// A part of the parameter vector that is treated alike.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    /// Name in messages and exported files.
    pub(crate) name: String,
    /// Position in the flat vector.
    pub(crate) range: Range<usize>,
    /// Weights are kept within `-limit ..= limit`.
    pub(crate) limit: f32,
    /// Inputs that are summed into one output: sets the size of the first random weights, zero
    /// for biases.
    pub(crate) fan_in: usize,
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threats = if self.threats { "with" } else { "without" };
        let Self { ft, king_buckets, .. } = self;
        write!(f, "{ft} lanes, {king_buckets} king buckets, {threats} threat inputs")
    }
}

impl Layout {
    /// A network of this width with the engine's king buckets.
    pub(crate) fn new(ft: usize, threats: bool) -> Self {
        Self { ft, king_buckets: KING_BUCKETS, threats }
    }

    /// Rows of the transformer: piece-square inputs of all king buckets.
    pub(crate) fn rows(self) -> usize {
        self.king_buckets * INPUTS_PER_BUCKET
    }

    /// Transformer weights of all king buckets, row by input.
    pub(crate) fn ft_weights(self) -> Range<usize> {
        0..self.rows() * self.ft
    }

    /// Transformer weights of the threats, row by input.
    pub(crate) fn threat_weights(self) -> Range<usize> {
        let start = self.ft_weights().end;
        start..start + if self.threats { THREATS * threat_lanes(self.ft) } else { 0 }
    }

    /// Transformer weights shared by all king buckets.
    pub(crate) fn shared_weights(self) -> Range<usize> {
        let start = self.threat_weights().end;
        start..start + INPUTS_PER_BUCKET * self.ft
    }

    /// Transformer biases.
    pub(crate) fn ft_biases(self) -> Range<usize> {
        let start = self.shared_weights().end;
        start..start + self.ft
    }

    /// All dense layers of an output bucket.
    pub(crate) fn head(self, bucket: usize) -> Range<usize> {
        let size = self.head_size();
        let start = self.ft_biases().end + bucket * size;
        start..start + size
    }

    /// All dense layers of all output buckets.
    pub(crate) fn heads(self) -> Range<usize> {
        self.head(0).start..self.len()
    }

    /// Parameters of one output bucket.
    fn head_size(self) -> usize {
        self.ft * L1 + L1 + L2_IN * L2 + L2 + L2 * OUT + OUT_BIASES
    }

    /// Number of parameters.
    pub(crate) fn len(self) -> usize {
        self.head(OUTPUT_BUCKETS - 1).end
    }

    /// Every tensor in order.
    pub(crate) fn tensors(self) -> Vec<Tensor> {
        let tensor = |name: String, range: Range<usize>, limit: f32, fan_in: usize| Tensor {
            name,
            range,
            limit,
            fan_in,
        };
        let mut tensors = vec![
            tensor("ft.bucket".into(), self.ft_weights(), FT_LIMIT, 32),
            tensor("ft.threat".into(), self.threat_weights(), THREAT_LIMIT, 32),
            tensor("ft.shared".into(), self.shared_weights(), FT_LIMIT, 32),
            tensor("ft.bias".into(), self.ft_biases(), FT_LIMIT, 0),
        ];
        for bucket in 0..OUTPUT_BUCKETS {
            let mut at = self.head(bucket).start;
            for (name, len, limit, fan_in) in [
                ("l1.weight", self.ft * L1, L1_LIMIT, self.ft),
                ("l1.bias", L1, DENSE_LIMIT, 0),
                ("l2.weight", L2_IN * L2, DENSE_LIMIT, L2_IN),
                ("l2.bias", L2, DENSE_LIMIT, 0),
                ("out.weight", L2 * OUT, DENSE_LIMIT, L2),
                ("out.bias", OUT_BIASES, DENSE_LIMIT, 0),
            ] {
                tensors.push(tensor(format!("{bucket}.{name}"), at..at + len, limit, fan_in));
                at += len;
            }
        }
        tensors
    }

    /// First parameters: small random weights, and biases that leave the units half open.
    ///
    /// All buckets start alike, so that what one has learnt is not drowned by another's noise.
    pub(crate) fn initial(self, seed: u64) -> Aligned<f32> {
        let mut random = Rng::new(seed);
        let mut parameters = Aligned::new(self.len());
        for tensor in self.tensors() {
            let part = &mut parameters[tensor.range];
            match tensor.name.as_str() {
                // The shared part starts random, the buckets' own parts and the threats at zero.
                "ft.bucket" | "ft.threat" => {}
                "ft.bias" => part.fill(0.25),
                _ if tensor.fan_in == 0 => part.fill(0.1),
                _ => {
                    let width = (1.0 / tensor.fan_in as f32).sqrt();
                    part.iter_mut().for_each(|w| *w = (2.0 * random.unit() as f32 - 1.0) * width);
                }
            }
        }
        for bucket in 1..OUTPUT_BUCKETS {
            parameters.copy_within(self.head(0), self.head(bucket).start);
        }
        parameters
    }

    /// The rows the transformer works with: each bucket's own weights plus the shared ones.
    pub(crate) fn merge_shared(self, parameters: &[f32], merged: &mut [f32]) {
        let shared = &parameters[self.shared_weights()];
        let own = &parameters[self.ft_weights()];
        for bucket in 0..self.king_buckets {
            let part = bucket * shared.len()..(bucket + 1) * shared.len();
            for ((merged, own), shared) in
                merged[part.clone()].iter_mut().zip(&own[part]).zip(shared)
            {
                *merged = own + shared;
            }
        }
    }
}

/// The dense layers of one output bucket, cut out of the flat vector.
pub(crate) struct Head<'a> {
    pub(crate) l1_weights: &'a [f32],
    pub(crate) l1_biases: &'a [f32],
    pub(crate) l2_weights: &'a [f32],
    pub(crate) l2_biases: &'a [f32],
    pub(crate) out_weights: &'a [f32],
    pub(crate) out_biases: &'a [f32],
}

impl<'a> Head<'a> {
    /// Cuts the part [`Layout::head`] names.
    pub(crate) fn new(ft: usize, part: &'a [f32]) -> Self {
        let (l1_weights, part) = part.split_at(ft * L1);
        let (l1_biases, part) = part.split_at(L1);
        let (l2_weights, part) = part.split_at(L2_IN * L2);
        let (l2_biases, part) = part.split_at(L2);
        let (out_weights, part) = part.split_at(L2 * OUT);
        let out_biases = &part[..OUT];
        Self { l1_weights, l1_biases, l2_weights, l2_biases, out_weights, out_biases }
    }
}

/// As [`Head`], to be written to: the gradients of one output bucket.
pub(crate) struct HeadMut<'a> {
    pub(crate) l1_weights: &'a mut [f32],
    pub(crate) l1_biases: &'a mut [f32],
    pub(crate) l2_weights: &'a mut [f32],
    pub(crate) l2_biases: &'a mut [f32],
    pub(crate) out_weights: &'a mut [f32],
    pub(crate) out_biases: &'a mut [f32],
}

impl<'a> HeadMut<'a> {
    /// Cuts the part [`Layout::head`] names.
    pub(crate) fn new(ft: usize, part: &'a mut [f32]) -> Self {
        let (l1_weights, part) = part.split_at_mut(ft * L1);
        let (l1_biases, part) = part.split_at_mut(L1);
        let (l2_weights, part) = part.split_at_mut(L2_IN * L2);
        let (l2_biases, part) = part.split_at_mut(L2);
        let (out_weights, part) = part.split_at_mut(L2 * OUT);
        let out_biases = &mut part[..OUT];
        Self { l1_weights, l1_biases, l2_weights, l2_biases, out_weights, out_biases }
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, OUTPUT_BUCKETS};

    #[test]
    fn tensors_tile_the_vector() {
        let layout = Layout::new(64, true);
        let mut at = 0;
        for tensor in layout.tensors() {
            assert_eq!(tensor.range.start, at, "{}", tensor.name);
            // The optimiser works on whole groups of lanes.
            assert_eq!(tensor.range.len() % 16, 0, "{}", tensor.name);
            at = tensor.range.end;
        }
        assert_eq!(at, layout.len());
        assert_eq!(layout.head(OUTPUT_BUCKETS - 1).end, at);
    }

    #[test]
    fn first_parameters_depend_on_the_seed_alone() {
        let layout = Layout::new(64, true);
        assert_eq!(layout.initial(7), layout.initial(7));
        assert_ne!(layout.initial(7), layout.initial(8));
        let limits = layout.tensors();
        let first = layout.initial(7);
        assert!(limits.iter().all(|t| first[t.range.clone()].iter().all(|w| w.abs() <= t.limit)));
    }
}
