//! What the trainer's float kernels compute: the table of functions.
//!
//! All sums run over sixteen lanes and are folded in one order, with one rounding per
//! multiply-add, so that a training run gives the same weights with every instruction set.

/// Step sizes of one AdamW update.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    /// Learning rate, with the bias corrections of both moments already in it.
    pub rate: f32,
    /// Decay of the first moment.
    pub beta1: f32,
    /// Decay of the second moment.
    pub beta2: f32,
    /// Added to the root of the second moment, with the bias correction already in it.
    pub epsilon: f32,
    /// Factor on the weight before the step: `1 - rate * weight decay`.
    pub shrink: f32,
    /// Weights are clamped to `-limit ..= limit` after the step.
    pub limit: f32,
    /// Factor on the gradient (one over the batch size).
    pub gradient_scale: f32,
}

/// Kernels of the trainer. Lengths of vectors are multiples of sixteen.
#[expect(clippy::type_complexity, reason = "a row of the table is a plain function type")]
pub struct TrainKernels {
    /// `add_rows(sums, weights, rows)`: `sums += Σ rows`.
    pub add_rows: fn(&mut [f32], &[f32], &[u32]),
    /// `scatter_rows(gradients, rows, delta)`: adds `delta` to each named row.
    pub scatter_rows: fn(&mut [f32], &[u32], &[f32]),
    /// `pair(acc, out)`: `out[i] = clip(acc[i]) * clip(acc[i + n])`, `n` half of `acc`.
    pub pair: fn(&[f32], &mut [f32]),
    /// `pair_backward(acc, out_gradient)`: the gradient of `pair`, which takes the place of `acc`.
    pub pair_backward: fn(&mut [f32], &[f32]),
    /// `matvec(out, biases, weights, x)`: `out[j] = biases[j] + weights[j * n ..] · x`.
    pub matvec: fn(&mut [f32], &[f32], &[f32], &[f32]),
    /// `matvec_backward(dx, dweights, weights, x, dout)`: `dx = Wᵀ dout`, `dW += dout xᵀ`, rows whose
    /// `dout` is zero left out.
    pub matvec_backward: fn(&mut [f32], &mut [f32], &[f32], &[f32], &[f32]),
    /// `adam(weights, first, second, gradient, step)`: one AdamW update of every weight.
    pub adam: fn(&mut [f32], &mut [f32], &mut [f32], &[f32], &AdamStep),
}
