//! The integer network in plain Rust.

use crate::nnue::{
    ACT_ONE, FT_ONE, Head, L1, L2, L2_IN, L2_SHIFT, MAX_WIDTH, OUT, OUT_PADDED, PAIR_SHIFT,
    SQUARE_SHIFT,
};

/// See [`crate::nnue::NnueKernels::update`].
pub fn update(dst: &mut [i16], src: &[i16], weights: &[i16], add: &[u32], sub: &[u32]) {
    let width = dst.len();
    dst.copy_from_slice(src);
    for (rows, sign) in [(add, 1i16), (sub, -1)] {
        for &row in rows {
            let row = &weights[row as usize * width..][..width];
            for (lane, &weight) in dst.iter_mut().zip(row) {
                *lane = lane.wrapping_add(weight.wrapping_mul(sign));
            }
        }
    }
}

/// See [`crate::nnue::NnueKernels::update_bytes`].
pub fn update_bytes(lanes: &mut [i16], weights: &[i8], add: &[u32], sub: &[u32]) {
    let width = lanes.len();
    for (rows, sign) in [(add, 1i16), (sub, -1)] {
        for &row in rows {
            let row = &weights[row as usize * width..][..width];
            for (lane, &weight) in lanes.iter_mut().zip(row) {
                *lane = lane.wrapping_add(i16::from(weight) * sign);
            }
        }
    }
}

/// See [`crate::nnue::NnueKernels::forward`].
pub fn forward(us: &[i16], them: &[i16], head: &Head<'_>) -> [i32; OUT] {
    let width = us.len();
    let mut input = [0u8; MAX_WIDTH];
    pair_products(us, &mut input[..width / 2]);
    pair_products(them, &mut input[width / 2..width]);

    let mut sums = *head.l1_biases;
    for (i, &x) in input[..width].iter().enumerate() {
        for (o, sum) in sums.iter_mut().enumerate() {
            let weight = head.l1_weights[(i / 4) * 4 * L1 + o * 4 + i % 4];
            *sum = sum.wrapping_add(i32::from(x) * i32::from(weight));
        }
    }

    let hidden = activate_l1(&sums);
    let mut sums = *head.l2_biases;
    for (i, &x) in hidden.iter().enumerate() {
        for (o, sum) in sums.iter_mut().enumerate() {
            let weight = head.l2_weights[((i / 2) * L2 + o) * 2 + i % 2];
            *sum = sum.wrapping_add(i32::from(x) * i32::from(weight));
        }
    }

    let hidden = activate_l2(&sums);
    let mut sums = *head.out_biases;
    for (i, &x) in hidden.iter().enumerate() {
        for (o, sum) in sums.iter_mut().enumerate() {
            let weight = head.out_weights[((i / 2) * OUT_PADDED + o) * 2 + i % 2];
            *sum = sum.wrapping_add(i32::from(x) * i32::from(weight));
        }
    }
    core::array::from_fn(|o| sums[o])
}

/// Clips an accumulator and multiplies its first half by its second: half as many bytes.
fn pair_products(acc: &[i16], out: &mut [u8]) {
    let (first, second) = acc.split_at(acc.len() / 2);
    for ((&a, &b), out) in first.iter().zip(second).zip(out) {
        let a = i32::from(a).clamp(0, FT_ONE);
        let b = i32::from(b).clamp(0, FT_ONE);
        *out = ((a * b + (1 << (PAIR_SHIFT - 1))) >> PAIR_SHIFT) as u8;
    }
}

/// The first dense layer's activations: all sums clipped, then their squares.
pub(crate) fn activate_l1(sums: &[i32; L1]) -> [i16; L2_IN] {
    let mut hidden = [0; L2_IN];
    for (i, &sum) in sums.iter().enumerate() {
        let clipped = sum.clamp(0, ACT_ONE);
        hidden[i] = clipped as i16;
        hidden[L1 + i] = ((clipped * clipped) >> SQUARE_SHIFT) as i16;
    }
    hidden
}

/// The second dense layer's activations.
pub(crate) fn activate_l2(sums: &[i32; L2]) -> [i16; L2] {
    sums.map(|sum| (sum >> L2_SHIFT).clamp(0, ACT_ONE) as i16)
}
