//! Ternary products over vector operations.

use core::array::from_fn;

use crate::ternary::{TILE_BYTES, TILE_INPUTS, TILE_ROWS, row_tiles};
use crate::ternary_isa::TernaryIsa;

/// Tokens whose sums are held in registers while one tile is unpacked.
const GROUP: usize = 4;

/// See [`crate::ternary::TernaryKernels::matvec`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn ternary_matvec<I: TernaryIsa>(out: &mut [i32], codes: &[u8], x: &[i8]) {
    // SAFETY: the same features.
    unsafe { matmul::<I>(out, codes, x, 1) }
}

/// See [`crate::ternary::TernaryKernels::matmul`].
///
/// # Safety
/// The caller carries the features of `I`.
#[inline(always)]
pub(crate) unsafe fn matmul<I: TernaryIsa>(out: &mut [i32], codes: &[u8], x: &[i8], tokens: usize) {
    let row_tiles = row_tiles(out.len(), codes.len(), x.len(), tokens);
    let (rows, inputs) = (out.len() / tokens, x.len() / tokens);
    let mut token = 0;
    // Groups outside and rows inside: the inputs of a group stay in the first-level cache, and the
    // weights, which are few, come from the second.
    while token < tokens {
        let x = &x[token * inputs..];
        let out = &mut out[token * rows..];
        let taken = if tokens - token >= GROUP { GROUP } else { 1 };
        for row_tile in 0..row_tiles {
            let codes = &codes[row_tile * inputs / TILE_INPUTS * TILE_BYTES..];
            let out = &mut out[row_tile * TILE_ROWS..];
            // SAFETY: `taken` tokens are left in `x` and `out`, and `codes` begins with a whole
            // row of tiles (checked by `row_tiles`).
            unsafe {
                match taken {
                    GROUP => row_of_tiles::<I, GROUP>(out, rows, codes, x, inputs),
                    _ => row_of_tiles::<I, 1>(out, rows, codes, x, inputs),
                }
            }
        }
        token += taken;
    }
}

/// Sixteen rows for `N` tokens.
///
/// # Safety
/// As [`matmul`]; `x` holds `N` times `inputs`, `out` reaches sixteen lanes beyond `N - 1` times
/// `rows`, and `codes` holds the tiles of `inputs`.
#[inline(always)]
unsafe fn row_of_tiles<I: TernaryIsa, const N: usize>(
    out: &mut [i32],
    rows: usize,
    codes: &[u8],
    x: &[i8],
    inputs: usize,
) {
    // SAFETY: all offsets stay below `inputs` and its tiles.
    unsafe {
        // Several sums: a product then need not wait for the one before.
        let mut wide: [I::I32; N] = [I::zero_i32(); N];
        let tiles = inputs / TILE_INPUTS;
        let mut tile = 0;
        while tile < tiles {
            let end = tiles.min(tile + I::MOST / 4);
            let mut sums = [I::zero_sums(); N];
            let mut more = [I::zero_sums(); N];
            while tile < end {
                let packed = I::load_codes(codes.as_ptr().add(tile * TILE_BYTES));
                let fields = [
                    I::field::<0>(packed),
                    I::field::<2>(packed),
                    I::field::<4>(packed),
                    I::field::<6>(packed),
                ];
                for n in 0..N {
                    let x = x.as_ptr().add(n * inputs + tile * TILE_INPUTS);
                    sums[n] = I::add_products(sums[n], fields[0], x);
                    more[n] = I::add_products(more[n], fields[1], x.add(4));
                    sums[n] = I::add_products(sums[n], fields[2], x.add(8));
                    more[n] = I::add_products(more[n], fields[3], x.add(12));
                }
                tile += 1;
            }
            wide = from_fn(|n| I::widen(I::widen(wide[n], sums[n]), more[n]));
        }
        for (n, wide) in wide.into_iter().enumerate() {
            finish::<I>(&mut out[n * rows..][..TILE_ROWS], wide, &x[n * inputs..][..inputs]);
        }
    }
}

/// Takes the inputs off the sums, because codes are one more than weights.
///
/// # Safety
/// The caller carries the features of `I`; `out` holds sixteen lanes.
#[inline(always)]
unsafe fn finish<I: TernaryIsa>(out: &mut [i32], wide: I::I32, x: &[i8]) {
    let inputs: i32 = x.iter().map(|&x| i32::from(x)).sum();
    // SAFETY: the caller's promise.
    unsafe { I::store_i32(out.as_mut_ptr(), wide) };
    out.iter_mut().for_each(|sum| *sum -= inputs);
}
