//! Every table of integer kernels gives the bits of the scalar one, on random and extreme values.

use chess::Rng;
use simd::nnue::{Head, L1, L2, L2_IN, OUT_PADDED};

/// Random weights in a style.
struct Random(Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn i16s(&mut self, len: usize, style: Style) -> Vec<i16> {
        (0..len)
            .map(|_| match (style, self.next() >> 32) {
                (Style::Usual, r) => (r % 601) as i16 - 200,
                (Style::Wild, r) => r as i16,
                (Style::Extreme, r) => [i16::MIN, i16::MAX, 0, -1, 255, 256][r as usize % 6],
            })
            .collect()
    }

    fn i8s(&mut self, len: usize, style: Style) -> Vec<i8> {
        (0..len)
            .map(|_| match (style, self.next() >> 32) {
                (Style::Extreme, r) => [i8::MIN, i8::MAX][r as usize % 2],
                (_, r) => r as i8,
            })
            .collect()
    }

    fn i32s(&mut self, len: usize, style: Style) -> Vec<i32> {
        (0..len)
            .map(|_| match (style, self.next() >> 32) {
                (Style::Usual, r) => (r % 20_001) as i32 - 10_000,
                (Style::Wild, r) => r as i32,
                (Style::Extreme, r) => [i32::MIN, i32::MAX, 0][r as usize % 3],
            })
            .collect()
    }
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Usual,
    Wild,
    Extreme,
}

/// Rows of weights to choose from.
const ROWS: usize = 40;

const STYLES: [Style; 3] = [Style::Usual, Style::Wild, Style::Extreme];

/// Calls `check` with accumulators of all widths and styles and rows to add and to subtract.
fn for_each_update(
    seed: u64,
    counts: [(usize, usize); 6],
    mut check: impl FnMut(&mut Random, Style, &[i16], &[u32], &[u32]),
) {
    let mut random = Random::new(seed);
    for width in [32, 128, 256, 384, 512] {
        for style in STYLES {
            let src = random.i16s(width, style);
            for (adds, subs) in counts {
                let mut pick = |n| -> Vec<u32> {
                    (0..n).map(|_| (random.next() >> 32) as u32 % ROWS as u32).collect()
                };
                let (add, sub) = (pick(adds), pick(subs));
                check(&mut random, style, &src, &add, &sub);
            }
        }
    }
}

#[test]
fn update_equals_scalar() {
    let counts = [(0, 0), (1, 1), (1, 2), (2, 2), (32, 0), (7, 31)];
    for_each_update(0x1234_5678_9ABC_DEF1, counts, |random, style, src, add, sub| {
        let weights = random.i16s(ROWS * src.len(), style);
        let mut want = vec![0; src.len()];
        simd::scalar::nnue::update(&mut want, src, &weights, add, sub);
        for table in simd::all_available() {
            let mut got = vec![0; src.len()];
            (table.nnue.update)(&mut got, src, &weights, add, sub);
            assert_eq!(got, want, "{} {style:?} +{add:?} -{sub:?}", table.name);
        }
    });
}

#[test]
fn update_bytes_equals_scalar() {
    let counts = [(0, 0), (1, 1), (1, 2), (9, 4), (64, 0), (7, 31)];
    for_each_update(0x1234_5678_9ABC_DEF7, counts, |random, style, src, add, sub| {
        let weights = random.i8s(ROWS * src.len(), style);
        let mut want = src.to_vec();
        simd::scalar::nnue::update_bytes(&mut want, &weights, add, sub);
        for table in simd::all_available() {
            let mut got = src.to_vec();
            (table.nnue.update_bytes)(&mut got, &weights, add, sub);
            assert_eq!(got, want, "{} {style:?} +{add:?} -{sub:?}", table.name);
        }
    });
}

#[test]
fn forward_equals_scalar() {
    let mut random = Random::new(0xFEED_5678_9ABC_DEF1);
    for width in [128, 256, 384, 512] {
        for style in STYLES {
            for _ in 0..200 {
                let us = random.i16s(width, style);
                let mut them = random.i16s(width, style);
                if random.next() >> 63 == 0 {
                    // A sparse accumulator: most chunks are skipped.
                    them.iter_mut().skip(8).for_each(|lane| *lane = -1);
                }
                let l1_weights = random.i8s(width * L1, style);
                let l1_biases = random.i32s(L1, style).try_into().unwrap();
                let l2_weights = random.i16s(L2_IN * L2, style).try_into().unwrap();
                let l2_biases = random.i32s(L2, style).try_into().unwrap();
                let out_weights = random.i16s(L2 * OUT_PADDED, style).try_into().unwrap();
                let out_biases = random.i32s(OUT_PADDED, style).try_into().unwrap();
                let head = Head {
                    l1_weights: &l1_weights,
                    l1_biases: &l1_biases,
                    l2_weights: &l2_weights,
                    l2_biases: &l2_biases,
                    out_weights: &out_weights,
                    out_biases: &out_biases,
                };
                let want = simd::scalar::nnue::forward(&us, &them, &head);
                for table in simd::all_available() {
                    let got = (table.nnue.forward)(&us, &them, &head);
                    assert_eq!(got, want, "{} width {width} {style:?}", table.name);
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "row")]
fn a_row_outside_the_weights_is_refused() {
    let weights = [0i16; 64];
    let mut dst = [0i16; 32];
    (simd::kernels().nnue.update)(&mut dst, &[0; 32], &weights, &[2], &[]);
}
