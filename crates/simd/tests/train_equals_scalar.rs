//! Every table of float kernels gives the bits of the scalar one.

use chess::Rng;
use simd::train::AdamStep;

/// Floats in -1.5 ..= 1.5, with some exact zeros and ones.
fn floats(random: &mut Rng, len: usize) -> Vec<f32> {
    (0..len)
        .map(|_| {
            let r = random.next_u64() >> 40;
            match r % 16 {
                0 => 0.0,
                1 => 1.0,
                _ => (r as f32 / 16_777_216.0 - 0.5) * 3.0,
            }
        })
        .collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn rows_equal_scalar() {
    let mut random = Rng::new(77);
    for width in [16, 64, 80, 256] {
        let weights = floats(&mut random, width * 24);
        let start = floats(&mut random, width);
        let rows = [3, 0, 23, 7, 7, 11];
        let mut want_sum = start.clone();
        simd::scalar::train::add_rows(&mut want_sum, &weights, &rows);
        let mut want_scatter = weights.clone();
        simd::scalar::train::scatter_rows(&mut want_scatter, &rows, &start);
        for table in simd::all_available() {
            let mut got = start.clone();
            (table.train.add_rows)(&mut got, &weights, &rows);
            assert_eq!(bits(&got), bits(&want_sum), "{} sum {width}", table.name);
            let mut got = weights.clone();
            (table.train.scatter_rows)(&mut got, &rows, &start);
            assert_eq!(bits(&got), bits(&want_scatter), "{} scatter {width}", table.name);
        }
    }
}

#[test]
fn pairs_equal_scalar() {
    let mut random = Rng::new(78);
    let acc = floats(&mut random, 512);
    let gradient = floats(&mut random, 256);
    let (mut want, mut want_back) = (vec![0.0; 256], acc.clone());
    simd::scalar::train::pair(&acc, &mut want);
    simd::scalar::train::pair_backward(&mut want_back, &gradient);
    for table in simd::all_available() {
        let (mut got, mut got_back) = (vec![0.0; 256], acc.clone());
        (table.train.pair)(&acc, &mut got);
        (table.train.pair_backward)(&mut got_back, &gradient);
        assert_eq!(bits(&got), bits(&want), "{}", table.name);
        // A skipped lane may be +0 in one table and -0 in another: equal as numbers.
        assert_eq!(got_back, want_back, "{}", table.name);
    }
}

#[test]
fn matrices_equal_scalar() {
    let mut random = Rng::new(79);
    for (rows, width) in [(16, 256), (32, 32), (5, 32), (1, 16)] {
        let weights = floats(&mut random, rows * width);
        let biases = floats(&mut random, rows);
        let x = floats(&mut random, width);
        let mut dout = floats(&mut random, rows);
        dout.iter_mut().step_by(3).for_each(|d| *d = 0.0);
        let mut want = vec![0.0; rows];
        simd::scalar::train::matvec(&mut want, &biases, &weights, &x);
        let (mut want_dx, mut want_dw) = (vec![0.0; width], weights.clone());
        simd::scalar::train::matvec_backward(&mut want_dx, &mut want_dw, &weights, &x, &dout);
        for table in simd::all_available() {
            let mut got = vec![0.0; rows];
            (table.train.matvec)(&mut got, &biases, &weights, &x);
            assert_eq!(bits(&got), bits(&want), "{} {rows}x{width}", table.name);
            let (mut dx, mut dw) = (vec![0.0; width], weights.clone());
            (table.train.matvec_backward)(&mut dx, &mut dw, &weights, &x, &dout);
            assert_eq!(bits(&dx), bits(&want_dx), "{} dx {rows}x{width}", table.name);
            assert_eq!(bits(&dw), bits(&want_dw), "{} dw {rows}x{width}", table.name);
        }
    }
}

#[test]
fn adam_equals_scalar() {
    let mut random = Rng::new(80);
    let step = AdamStep {
        rate: 1e-3,
        beta1: 0.9,
        beta2: 0.999,
        epsilon: 1e-8,
        shrink: 0.999,
        limit: 1.2,
        gradient_scale: 1.0 / 64.0,
    };
    let weights = floats(&mut random, 320);
    let first = floats(&mut random, 320);
    let second: Vec<f32> = floats(&mut random, 320).iter().map(|x| x.abs()).collect();
    let gradient = floats(&mut random, 320);
    let mut want = [weights.clone(), first.clone(), second.clone()];
    let [w, m, v] = &mut want;
    simd::scalar::train::adam(w, m, v, &gradient, &step);
    assert!(want[0].iter().all(|w| w.abs() <= 1.2) && want[0] != weights);
    for table in simd::all_available() {
        let mut got = [weights.clone(), first.clone(), second.clone()];
        let [w, m, v] = &mut got;
        (table.train.adam)(w, m, v, &gradient, &step);
        for (got, want) in got.iter().zip(&want) {
            assert_eq!(bits(got), bits(want), "{}", table.name);
        }
    }
}
