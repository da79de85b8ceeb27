//! Ternary products in plain Rust.

use crate::ternary::{TILE_BYTES, TILE_INPUTS, TILE_ROWS, row_tiles};

/// See [`crate::ternary::TernaryKernels::matvec`].
pub fn matvec(out: &mut [i32], codes: &[u8], x: &[i8]) {
    row_tiles(out.len(), codes.len(), x.len(), 1);
    let per_row_tile = x.len() / TILE_INPUTS * TILE_BYTES;
    for (out, codes) in out.chunks_exact_mut(TILE_ROWS).zip(codes.chunks_exact(per_row_tile)) {
        out.fill(0);
        for (tile, x) in codes.chunks_exact(TILE_BYTES).zip(x.chunks_exact(TILE_INPUTS)) {
            for (place, byte) in tile.iter().enumerate() {
                for field in 0..4 {
                    let weight = i32::from((byte >> (2 * field)) & 3) - 1;
                    out[place / 4] += weight * i32::from(x[4 * field + place % 4]);
                }
            }
        }
    }
}

/// See [`crate::ternary::TernaryKernels::matmul`].
pub fn matmul(out: &mut [i32], codes: &[u8], x: &[i8], tokens: usize) {
    row_tiles(out.len(), codes.len(), x.len(), tokens);
    let (rows, inputs) = (out.len() / tokens, x.len() / tokens);
    for (out, x) in out.chunks_exact_mut(rows).zip(x.chunks_exact(inputs)) {
        matvec(out, codes, x);
    }
}
