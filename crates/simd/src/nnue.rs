//! What the integer network kernels compute: shapes, constants and the table of functions.
//!
//! Everything is integer arithmetic that wraps, so every instruction set gives the same bits even
//! on absurd weights. The meaning of the numbers (scales, buckets, files) is the `nnue` crate's.

use crate::threats::List;

/// Outputs of the first dense layer.
pub const L1: usize = 16;
/// Inputs of the second dense layer: each output of the first, clipped and squared.
pub const L2_IN: usize = 2 * L1;
/// Outputs of the second dense layer.
pub const L2: usize = 32;
/// Outputs of the network.
pub const OUT: usize = 5;
/// Rows of the output layer in memory: [`OUT`] rounded up to one group of sixteen lanes.
pub const OUT_PADDED: usize = 16;

/// The transformer's value of 1.0; accumulators are clipped to `0..=FT_ONE`.
pub const FT_ONE: i32 = 255;
/// Right shift, after rounding, of the product of two clipped accumulator lanes: at most 127.
pub const PAIR_SHIFT: u32 = 9;
/// The value of 1.0 of a dense layer's activations.
pub const ACT_ONE: i32 = 127 * 256;
/// Right shift after squaring an activation of the first dense layer.
pub const SQUARE_SHIFT: u32 = 15;
/// Right shift of the second dense layer's sums before they are clipped to `0..=ACT_ONE`.
pub const L2_SHIFT: u32 = 9;

/// The dense layers behind the feature transformer, for one output bucket.
///
/// Weights lie in the order the kernels read them:
/// - `l1_weights[(i / 4) * 4 * L1 + o * 4 + i % 4]` joins input `i` to output `o`;
/// - `l2_weights[((i / 2) * L2 + o) * 2 + i % 2]`;
/// - `out_weights[((i / 2) * OUT_PADDED + o) * 2 + i % 2]`.
#[derive(Clone, Copy)]
pub struct Head<'a> {
    /// One signed byte per input and output; as many inputs as an accumulator has lanes.
    pub l1_weights: &'a [i8],
    /// First dense layer: biases.
    pub l1_biases: &'a [i32; L1],
    /// Second dense layer: weights.
    pub l2_weights: &'a [i16; L2_IN * L2],
    /// Second dense layer: biases.
    pub l2_biases: &'a [i32; L2],
    /// Output layer: weights.
    pub out_weights: &'a [i16; L2 * OUT_PADDED],
    /// Output layer: biases.
    pub out_biases: &'a [i32; OUT_PADDED],
}

/// Kernels of the integer network.
#[expect(clippy::type_complexity, reason = "a row of the table is a plain function type")]
pub struct NnueKernels {
    /// `update(dst, src, weights, add, sub)`: `dst = src + Σ rows(add) - Σ rows(sub)`, where row `r`
    /// is `weights[r * width ..][.. width]` and `width` is the length of `dst` and `src`, a multiple
    /// of 32. One pass over memory whatever the number of rows: it serves quiet moves, captures,
    /// castling and whole refreshes alike.
    pub update: fn(&mut [i16], &[i16], &[i16], &[u32], &[u32]),
    /// `update_bytes(lanes, weights, add, sub)`: `lanes += Σ rows(add) - Σ rows(sub)`, as `update` but in
    /// place, with rows of signed bytes.
    pub update_bytes: fn(&mut [i16], &[i8], &[u32], &[u32]),
    /// `threats(codes, gone, own, square, near, across)`: with pieces by square in `codes`, but none on the
    /// squares in `gone`, appends to `near` the threats of a piece with code `own` on `square` and those on it,
    /// and to `across` those along lines that run through the square while it is empty. What stands there makes no difference. Lists must have room
    /// for [`MOST_THREATS`] more. `None` where plain Rust does as well.
    pub threats: Option<FindThreats>,
    /// `forward(us, them, head)`: both accumulators through pair products, the sparse first dense
    /// layer, the second and the output layer. The accumulators have the same length, a multiple
    /// of 128 and at most [`MAX_WIDTH`].
    pub forward: fn(&[i16], &[i16], &Head<'_>) -> [i32; OUT],
}

/// A kernel that finds the threats around a square.
pub type FindThreats = fn(&[u8; 64], u64, u8, u8, &mut List, &mut List);

/// The most threats that [`NnueKernels::threats`] appends to a list, with what it writes behind them. A
/// piece attacks 8 and is attacked by 8 knights and along 8 lines, and writes are of 16.
pub const MOST_THREATS: usize = 32;

/// The widest accumulator [`NnueKernels::forward`] takes.
pub const MAX_WIDTH: usize = 2048;
