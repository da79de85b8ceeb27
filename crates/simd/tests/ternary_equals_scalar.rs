//! Every table of ternary kernels gives the sums of a plain product, on random and extreme inputs.

use chess::Rng;
use simd::ternary::pack_codes;

#[derive(Clone, Copy, Debug)]
enum Style {
    Random,
    AllPlus,
    AllMinus,
}

/// (rows, inputs, tokens): one tile, ragged token groups, and sums long enough to overflow 16 bits.
const SHAPES: [(usize, usize, usize); 7] = [
    (16, 16, 1),
    (32, 48, 3),
    (64, 256, 4),
    (48, 272, 5),
    (16, 1536, 9),
    (128, 512, 33),
    (16, 4096, 2),
];

/// The oracle: unpacked weights, one product after the other.
fn product(weights: &[i8], inputs: usize, x: &[i8]) -> Vec<i32> {
    let row = |w: &[i8]| w.iter().zip(x).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum();
    weights.chunks_exact(inputs).map(row).collect()
}

#[test]
fn every_table_gives_the_plain_product() {
    let mut random = Rng::new(0x1234_5678_9ABC_DEF1);
    for (rows, inputs, tokens) in SHAPES {
        for style in [Style::Random, Style::AllPlus, Style::AllMinus] {
            let weights: Vec<i8> = (0..rows * inputs)
                .map(|_| match style {
                    Style::Random => (random.next_u64() % 3) as i8 - 1,
                    Style::AllPlus => 1,
                    Style::AllMinus => -1,
                })
                .collect();
            let extreme = random.next_u64().is_multiple_of(2);
            let x: Vec<i8> = (0..tokens * inputs)
                .map(|_| match (style, random.next_u64()) {
                    (Style::Random, r) if extreme => [i8::MIN, i8::MAX][r as usize % 2],
                    (Style::Random, r) => r as i8,
                    (Style::AllPlus, _) => i8::MIN,
                    (Style::AllMinus, _) => i8::MAX,
                })
                .collect();
            let want: Vec<i32> =
                x.chunks_exact(inputs).flat_map(|x| product(&weights, inputs, x)).collect();
            let codes = pack_codes(&weights, inputs);
            for table in simd::all_available() {
                let what = format!("{} {rows}×{inputs} {tokens} tokens {style:?}", table.name);
                let mut got = vec![7; tokens * rows];
                (table.ternary.matmul)(&mut got, &codes, &x, tokens);
                assert_eq!(got, want, "matmul {what}");
                for (x, want) in x.chunks_exact(inputs).zip(want.chunks_exact(rows)) {
                    let mut got = vec![7; rows];
                    (table.ternary.matvec)(&mut got, &codes, x);
                    assert_eq!(got, want, "matvec {what}");
                }
            }
        }
    }
}

#[test]
#[cfg_attr(not(panic = "unwind"), ignore = "catches panics, which cannot be caught here")]
fn weights_of_another_size_are_refused() {
    let codes = pack_codes(&[0; 16 * 32], 32);
    for table in simd::all_available() {
        let call = || (table.ternary.matvec)(&mut [0; 32], &codes, &[0; 32]);
        assert!(std::panic::catch_unwind(call).is_err(), "{}", table.name);
    }
}

#[test]
#[should_panic(expected = "-1, 0 or 1, got 2")]
fn a_weight_that_is_not_ternary_is_refused() {
    let mut weights = [0; 256];
    weights[100] = 2;
    pack_codes(&weights, 16);
}
