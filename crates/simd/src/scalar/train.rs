//! The trainer's arithmetic in plain Rust, in the order of operations every kernel keeps.

use crate::train::AdamStep;

/// Lanes that are summed apart before they are folded together.
pub const LANES: usize = 16;

/// See [`crate::train::TrainKernels::add_rows`].
pub fn add_rows(sums: &mut [f32], weights: &[f32], rows: &[u32]) {
    let width = sums.len();
    for &row in rows {
        for (lane, weight) in sums.iter_mut().zip(&weights[row as usize * width..][..width]) {
            *lane += weight;
        }
    }
}

/// See [`crate::train::TrainKernels::scatter_rows`].
pub fn scatter_rows(gradients: &mut [f32], rows: &[u32], delta: &[f32]) {
    for &row in rows {
        let row = &mut gradients[row as usize * delta.len()..][..delta.len()];
        for (gradient, delta) in row.iter_mut().zip(delta) {
            *gradient += delta;
        }
    }
}

/// See [`crate::train::TrainKernels::pair`].
pub fn pair(acc: &[f32], out: &mut [f32]) {
    let (first, second) = acc.split_at(acc.len() / 2);
    for ((a, b), out) in first.iter().zip(second).zip(out) {
        *out = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0);
    }
}

/// See [`crate::train::TrainKernels::pair_backward`].
pub fn pair_backward(acc: &mut [f32], out_gradient: &[f32]) {
    let half = acc.len() / 2;
    let inside = |x: f32, g: f32| if x > 0.0 && x < 1.0 { g } else { 0.0 };
    for (i, &gradient) in out_gradient.iter().enumerate() {
        let (a, b) = (acc[i], acc[i + half]);
        acc[i] = inside(a, gradient * b.clamp(0.0, 1.0));
        acc[i + half] = inside(b, gradient * a.clamp(0.0, 1.0));
    }
}

/// See [`crate::train::TrainKernels::matvec`].
pub fn matvec(out: &mut [f32], biases: &[f32], weights: &[f32], x: &[f32]) {
    for (j, (out, bias)) in out.iter_mut().zip(biases).enumerate() {
        let mut lanes = [0.0f32; LANES];
        for (i, (w, x)) in weights[j * x.len()..][..x.len()].iter().zip(x).enumerate() {
            lanes[i % LANES] = w.mul_add(*x, lanes[i % LANES]);
        }
        *out = bias + fold(lanes);
    }
}

/// See [`crate::train::TrainKernels::matvec_backward`].
pub fn matvec_backward(
    dx: &mut [f32],
    dweights: &mut [f32],
    weights: &[f32],
    x: &[f32],
    dout: &[f32],
) {
    dx.fill(0.0);
    for (j, &d) in dout.iter().enumerate().filter(|&(_, &d)| d != 0.0) {
        let row = j * x.len();
        for (i, dx) in dx.iter_mut().enumerate() {
            *dx = weights[row + i].mul_add(d, *dx);
            dweights[row + i] = x[i].mul_add(d, dweights[row + i]);
        }
    }
}

/// See [`crate::train::TrainKernels::adam`].
pub fn adam(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    gradient: &[f32],
    step: &AdamStep,
) {
    for (i, weight) in weights.iter_mut().enumerate() {
        let g = gradient[i] * step.gradient_scale;
        first[i] = first[i].mul_add(step.beta1, g * (1.0 - step.beta1));
        second[i] = second[i].mul_add(step.beta2, g * g * (1.0 - step.beta2));
        let direction = first[i] / (second[i].sqrt() + step.epsilon);
        let moved = weight.mul_add(step.shrink, direction * -step.rate);
        *weight = moved.clamp(-step.limit, step.limit);
    }
}

/// Adds sixteen lanes by halving: 8, 4, 2, 1 apart.
pub fn fold(mut lanes: [f32; LANES]) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] += lanes[i + half];
        }
        half /= 2;
    }
    lanes[0]
}
