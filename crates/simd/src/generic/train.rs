//! The trainer's arithmetic over vector operations.

use crate::isa::Isa;
use crate::scalar::train::LANES;
use crate::train::AdamStep;

/// Groups of lanes held in registers while rows are added.
const TILE: usize = 8;

/// Does every row lie inside a table of that many values?
#[inline(always)]
fn fits(rows: &[u32], width: usize, len: usize) -> bool {
    // The greatest is found by vectors; a comparison of each would take as long as the sum.
    rows.iter().copied().max().is_none_or(|last| (last as usize + 1) * width <= len)
}

/// See [`crate::train::TrainKernels::add_rows`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn add_rows<I: Isa>(sums: &mut [f32], weights: &[f32], rows: &[u32]) {
    let width = sums.len();
    assert!(width.is_multiple_of(LANES));
    assert!(fits(rows, width, weights.len()));
    let mut at = 0;
    // SAFETY: tiles stay inside `width`, rows inside `weights` (asserted above).
    unsafe {
        while at + TILE * LANES <= width {
            add_tile::<I, TILE>(sums, weights, rows, at);
            at += TILE * LANES;
        }
        while at < width {
            add_tile::<I, 1>(sums, weights, rows, at);
            at += LANES;
        }
    }
}

/// `N` groups of lanes of one sum, from lane `at` on.
///
/// # Safety
/// As [`add_rows`]; `at + N * LANES` is within the width and every row within `weights`.
#[inline(always)]
unsafe fn add_tile<I: Isa, const N: usize>(
    sums: &mut [f32],
    weights: &[f32],
    rows: &[u32],
    at: usize,
) {
    let width = sums.len();
    // SAFETY: the bounds are the caller's promise.
    unsafe {
        let sums = sums.as_mut_ptr().add(at);
        let mut tile: [I::F32; N] = core::array::from_fn(|k| I::load_f32(sums.add(k * LANES)));
        for &row in rows {
            let row = weights.as_ptr().add(row as usize * width + at);
            for (k, lanes) in tile.iter_mut().enumerate() {
                *lanes = I::add_f32(*lanes, I::load_f32(row.add(k * LANES)));
            }
        }
        for (k, lanes) in tile.iter().enumerate() {
            I::store_f32(sums.add(k * LANES), *lanes);
        }
    }
}

/// See [`crate::train::TrainKernels::scatter_rows`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn scatter_rows<I: Isa>(gradients: &mut [f32], rows: &[u32], delta: &[f32]) {
    let width = delta.len();
    assert!(width.is_multiple_of(LANES));
    assert!(fits(rows, width, gradients.len()));
    for &row in rows {
        // SAFETY: the row lies inside `gradients` (asserted above).
        unsafe {
            let row = gradients.as_mut_ptr().add(row as usize * width);
            for i in (0..width).step_by(LANES) {
                let sum = I::add_f32(I::load_f32(row.add(i)), I::load_f32(delta.as_ptr().add(i)));
                I::store_f32(row.add(i), sum);
            }
        }
    }
}

/// See [`crate::train::TrainKernels::pair`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn pair<I: Isa>(acc: &[f32], out: &mut [f32]) {
    let half = acc.len() / 2;
    assert!(out.len() == half && half.is_multiple_of(LANES));
    for i in (0..half).step_by(LANES) {
        // SAFETY: `i + LANES <= half`.
        unsafe {
            let (zero, one) = (I::splat_f32(0.0), I::splat_f32(1.0));
            let a = I::clamp_f32(I::load_f32(acc.as_ptr().add(i)), zero, one);
            let b = I::clamp_f32(I::load_f32(acc.as_ptr().add(half + i)), zero, one);
            I::store_f32(out.as_mut_ptr().add(i), I::mul_f32(a, b));
        }
    }
}

/// See [`crate::train::TrainKernels::pair_backward`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn pair_backward<I: Isa>(acc: &mut [f32], out_gradient: &[f32]) {
    let half = acc.len() / 2;
    assert!(out_gradient.len() == half && half.is_multiple_of(LANES));
    for i in (0..half).step_by(LANES) {
        // SAFETY: `i + LANES <= half`.
        unsafe {
            let (zero, one) = (I::splat_f32(0.0), I::splat_f32(1.0));
            let a = I::load_f32(acc.as_ptr().add(i));
            let b = I::load_f32(acc.as_ptr().add(half + i));
            let g = I::load_f32(out_gradient.as_ptr().add(i));
            let da = I::inside_unit(a, I::mul_f32(g, I::clamp_f32(b, zero, one)));
            let db = I::inside_unit(b, I::mul_f32(g, I::clamp_f32(a, zero, one)));
            I::store_f32(acc.as_mut_ptr().add(i), da);
            I::store_f32(acc.as_mut_ptr().add(half + i), db);
        }
    }
}

/// See [`crate::train::TrainKernels::matvec`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn matvec<I: Isa>(out: &mut [f32], biases: &[f32], weights: &[f32], x: &[f32]) {
    let (rows, width) = (out.len(), x.len());
    assert!(biases.len() == rows && weights.len() == rows * width && width.is_multiple_of(LANES));
    let mut j = 0;
    while j < rows {
        // Four rows at a time share the loads of `x` and hide the latency of the additions.
        let take = if j + 4 <= rows { 4 } else { 1 };
        // SAFETY: rows `j .. j + take` lie inside `weights` (asserted above).
        let sums = unsafe {
            let row = weights.as_ptr().add(j * width);
            if take == 4 {
                dot_rows::<I, 4>(row, x)
            } else {
                let [sum] = dot_rows::<I, 1>(row, x);
                [sum; 4]
            }
        };
        for k in 0..take {
            out[j + k] = biases[j + k] + sums[k];
        }
        j += take;
    }
}

/// Dot products of `x` with `N` rows that follow each other.
///
/// # Safety
/// As [`matvec`]; `row` reaches over `N * x.len()` floats.
#[inline(always)]
unsafe fn dot_rows<I: Isa, const N: usize>(row: *const f32, x: &[f32]) -> [f32; N] {
    // SAFETY: the bounds are the caller's promise.
    unsafe {
        let mut sums = [I::splat_f32(0.0); N];
        for i in (0..x.len()).step_by(LANES) {
            let x_lanes = I::load_f32(x.as_ptr().add(i));
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = I::fma_f32(I::load_f32(row.add(k * x.len() + i)), x_lanes, *sum);
            }
        }
        let mut folded = [0.0; N];
        for (folded, sum) in folded.iter_mut().zip(sums) {
            *folded = I::fold_f32(sum);
        }
        folded
    }
}

/// See [`crate::train::TrainKernels::matvec_backward`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn matvec_backward<I: Isa>(
    dx: &mut [f32],
    dweights: &mut [f32],
    weights: &[f32],
    x: &[f32],
    dout: &[f32],
) {
    let width = x.len();
    assert!(dx.len() == width && width.is_multiple_of(LANES));
    assert!(weights.len() == width * dout.len() && dweights.len() == weights.len());
    dx.fill(0.0);
    // Rows whose gradient is zero have nothing to say; the others go four at a time.
    let mut rows = [0; BACKWARD_ROWS];
    let mut count = 0;
    for (j, &d) in dout.iter().enumerate() {
        if d == 0.0 {
            continue;
        }
        rows[count] = j;
        count += 1;
        if count == BACKWARD_ROWS {
            count = 0;
            // SAFETY: `dout.len()` rows of `width` lie in both matrices (asserted above).
            unsafe { backward_rows::<I, BACKWARD_ROWS>(dx, dweights, weights, x, dout, rows) };
        }
    }
    for &row in &rows[..count] {
        // SAFETY: as above.
        unsafe { backward_rows::<I, 1>(dx, dweights, weights, x, dout, [row]) };
    }
}

/// Rows that [`matvec_backward`] takes at once. Rows may lie whole pages apart, and then all their columns want
/// the same few places of the nearest cache: two matrices of four rows have room there.
const BACKWARD_ROWS: usize = 4;

/// Some rows of [`matvec_backward`].
///
/// # Safety
/// The caller carries the features of `I`; all `rows` are below `dout.len()`, and that many rows as long as
/// `x` lie in both matrices. `dx` is as long as `x`, a multiple of `LANES`.
#[inline(always)]
unsafe fn backward_rows<I: Isa, const N: usize>(
    dx: &mut [f32],
    dweights: &mut [f32],
    weights: &[f32],
    x: &[f32],
    dout: &[f32],
    rows: [usize; N],
) {
    let width = x.len();
    for i in (0..width).step_by(LANES) {
        // SAFETY: column group `i` lies inside each row, by the caller's promise.
        unsafe {
            let x_lanes = I::load_f32(x.as_ptr().add(i));
            let mut sum = I::load_f32(dx.as_ptr().add(i));
            for row in rows {
                let d = I::splat_f32(*dout.get_unchecked(row));
                let at = row * width + i;
                sum = I::fma_f32(I::load_f32(weights.as_ptr().add(at)), d, sum);
                let gradient = dweights.as_mut_ptr().add(at);
                I::store_f32(gradient, I::fma_f32(x_lanes, d, I::load_f32(gradient)));
            }
            I::store_f32(dx.as_mut_ptr().add(i), sum);
        }
    }
}

/// See [`crate::train::TrainKernels::adam`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn adam<I: Isa>(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    gradient: &[f32],
    step: &AdamStep,
) {
    let len = weights.len();
    assert!(first.len() == len && second.len() == len && gradient.len() == len);
    assert!(len.is_multiple_of(LANES));
    for i in (0..len).step_by(LANES) {
        // SAFETY: `i + LANES <= len` for all four slices.
        unsafe {
            let g = I::mul_f32(
                I::load_f32(gradient.as_ptr().add(i)),
                I::splat_f32(step.gradient_scale),
            );
            let m = I::fma_f32(
                I::load_f32(first.as_ptr().add(i)),
                I::splat_f32(step.beta1),
                I::mul_f32(g, I::splat_f32(1.0 - step.beta1)),
            );
            let v = I::fma_f32(
                I::load_f32(second.as_ptr().add(i)),
                I::splat_f32(step.beta2),
                I::mul_f32(I::mul_f32(g, g), I::splat_f32(1.0 - step.beta2)),
            );
            let root = I::add_f32(I::sqrt_f32(v), I::splat_f32(step.epsilon));
            let moved = I::fma_f32(
                I::load_f32(weights.as_ptr().add(i)),
                I::splat_f32(step.shrink),
                I::mul_f32(I::div_f32(m, root), I::splat_f32(-step.rate)),
            );
            let limit = step.limit;
            let kept = I::clamp_f32(moved, I::splat_f32(-limit), I::splat_f32(limit));
            I::store_f32(first.as_mut_ptr().add(i), m);
            I::store_f32(second.as_mut_ptr().add(i), v);
            I::store_f32(weights.as_mut_ptr().add(i), kept);
        }
    }
}
