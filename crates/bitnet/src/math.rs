//! The floating-point parts of the model, in one fixed order of operations.
//!
//! Sums run over sixteen lanes that are folded in halves, and exponentials are a polynomial, so
//! every machine gets the same bits: nothing here depends on the width of a register or on the
//! mathematics library of the system.

use simd::scalar::train::{LANES, fold};

/// Σ aᵢ·bᵢ over the shorter of the two.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (a_groups, b_groups) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a_groups.remainder().iter().zip(b_groups.remainder());
    for (i, (a, b)) in rest.enumerate() {
        lanes[i] = a * b;
    }
    for (a, b) in a_groups.zip(b_groups) {
        for i in 0..LANES {
            lanes[i] += a[i] * b[i];
        }
    }
    fold(lanes)
}

/// `sum += factor · x`.
pub fn add_scaled(sum: &mut [f32], factor: f32, x: &[f32]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += factor * x;
    }
}

/// `out = x / √(mean of x² + epsilon) · gain`.
pub fn rms_norm(out: &mut [f32], x: &[f32], gain: &[f32], epsilon: f32) {
    let mean = dot(x, x) / x.len() as f32;
    let factor = 1.0 / (mean + epsilon).sqrt();
    for ((out, x), gain) in out.iter_mut().zip(x).zip(gain) {
        *out = x * factor * gain;
    }
}

/// Rounds `x` to integers of -127 to 127 and gives what one of them is worth.
pub fn quantise(out: &mut [i8], x: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    for group in x.chunks(LANES) {
        for (lane, x) in lanes.iter_mut().zip(group) {
            *lane = lane.max(x.abs());
        }
    }
    let step = lanes.into_iter().fold(1e-5, f32::max) / 127.0;
    for (out, x) in out.iter_mut().zip(x) {
        // By way of i32, which the compiler turns into vector instructions.
        *out = (x / step).round_ties_even() as i32 as i8;
    }
    step
}

/// The cosines and sines that [`rotate`] a head of `size` numbers at a position.
pub fn rope_angles(position: usize, size: usize, base: f32) -> (Vec<f32>, Vec<f32>) {
    let half = size / 2;
    let angles = (0..half).map(|i| {
        // In double precision: single would lose the angle of a far position.
        let angle = position as f64 * f64::from(base).powf(-(i as f64) / half as f64);
        (angle.cos() as f32, angle.sin() as f32)
    });
    angles.unzip()
}

/// Turns each pair (i, i + half) of one head by the angle whose cosine and sine are given.
pub fn rotate(head: &mut [f32], cos: &[f32], sin: &[f32]) {
    let (first, second) = head.split_at_mut(cos.len());
    for (((a, b), cos), sin) in first.iter_mut().zip(second).zip(cos).zip(sin) {
        (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
    }
}

/// eˣ to about one part in ten million; 0 and infinity are never reached.
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    // eˣ = 2ⁿ · eʳ with |r| ≤ ln 2 / 2. ln 2 in two parts keeps r exact.
    let n = (x * core::f32::consts::LOG2_E).round_ties_even();
    let r = (x - n * 0.693_359_4) - n * -2.121_944_4e-4;
    let mut p = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + coefficient;
    }
    p * f32::from_bits(((n as i32 + 127) as u32) << 23)
}

/// x / (1 + e⁻ˣ).
pub fn silu(x: f32) -> f32 {
    x / (1.0 + exp(-x))
}

/// Makes scores into shares that add up to one.
pub fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut lanes = [0.0; LANES];
    for group in scores.chunks_mut(LANES) {
        for (score, lane) in group.iter_mut().zip(&mut lanes) {
            *score = exp(*score - most);
            *lane += *score;
        }
    }
    let total = fold(lanes);
    scores.iter_mut().for_each(|score| *score /= total);
}

/// One head of one token: a mean of the values, weighted by how well their keys fit the query.
pub fn attend<'a>(
    out: &mut [f32],
    query: &[f32],
    keys: impl Iterator<Item = &'a [f32]>,
    values: impl Iterator<Item = &'a [f32]>,
    scores: &mut [f32],
) {
    let factor = 1.0 / (query.len() as f32).sqrt();
    for (score, key) in scores.iter_mut().zip(keys) {
        *score = dot(query, key) * factor;
    }
    softmax(scores);
    out.fill(0.0);
    for (&score, value) in scores.iter().zip(values) {
        add_scaled(out, score, value);
    }
}

/// `gate = silu(gate) · up`.
pub fn swiglu(gate: &mut [f32], up: &[f32]) {
    for (gate, up) in gate.iter_mut().zip(up) {
        *gate = silu(*gate) * up;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_that_of_the_library() {
        let mut x = -86.9f32;
        while x < 87.9 {
            let want = f64::from(x).exp();
            let error = (f64::from(exp(x)) - want).abs() / want;
            assert!(error < 2.5e-7, "exp({x}): {error:e}");
            x += 0.0137;
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1e30) > 0.0 && exp(1e30).is_finite());
    }

    #[test]
    fn silu_is_that_of_the_library() {
        for i in -2000..2000 {
            let x = i as f32 / 100.0;
            let want = f64::from(x) / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(silu(x)) - want).abs() < 3e-6, "silu({x})");
        }
    }

    #[test]
    fn quantise_rounds_to_even_and_fills_the_range() {
        let x: Vec<f32> = (-254..=254).map(|i| i as f32 / 2.0).collect();
        let mut out = vec![0; x.len()];
        assert_eq!(quantise(&mut out, &x), 1.0);
        for (out, x) in out.iter().zip(&x) {
            assert_eq!(f32::from(*out), x.round_ties_even());
        }
        assert_eq!(quantise(&mut out, &[0.0; 4]), 1e-5 / 127.0);
        assert_eq!(out[..4], [0; 4]);
    }

    #[test]
    fn dot_counts_the_rest_of_an_odd_length() {
        let a: Vec<f32> = (0..37).map(|i| i as f32).collect();
        assert_eq!(dot(&a, &a), (0..37).map(|i| i * i).sum::<i32>() as f32);
    }

    #[test]
    fn shares_add_up_to_one() {
        let mut scores = [3.0, -100.0, 4.0, 1e4];
        softmax(&mut scores);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(scores[3] > 0.999 && scores[0] < 1e-30);
    }
}
