//! What the ternary kernels compute, and how weights of {-1, 0, +1} lie in memory for them.
//!
//! A matrix is cut into tiles of 16 rows × 16 inputs. Within a tile the weights of four inputs
//! and sixteen rows stand together, row by row: one register of products then holds the running
//! sums of sixteen rows, and no sum across a register is ever needed. Two packings of two bits a
//! weight share that order:
//!
//! - *codes*: 64 bytes a tile; byte `4 r + i` holds in its two-bit field `f` the weight of row `r`
//!   and input `4 f + i`, plus one. A kernel multiplies codes of 0, 1, 2 and takes the sum of the
//!   inputs off at the end.
//! - *masks*: for each field one word whose bit `4 r + i` marks a +1 and one that marks a -1.
//!
//! Sums are exact integers, so every instruction set gives the same bits.

/// Rows of a tile; the number of rows of a matrix is a multiple of it.
pub const TILE_ROWS: usize = 16;
/// Inputs of a tile; the number of inputs of a matrix is a multiple of it.
pub const TILE_INPUTS: usize = 16;
/// Bytes of a tile packed as codes.
pub const TILE_BYTES: usize = 64;
/// Words of a tile packed as masks.
pub const TILE_WORDS: usize = 8;

/// Kernels of the ternary transformer.
pub struct TernaryKernels {
    /// `matvec(out, codes, x)`: `out[r] = Σ weight[r][i] · x[i]`, one token.
    pub matvec: fn(&mut [i32], &[u8], &[i8]),
    /// `matmul(out, codes, x, tokens)`: the same for several tokens, whose inputs lie one after the
    /// other in `x` and whose outputs do in `out`. Weights are unpacked once for a few tokens.
    pub matmul: fn(&mut [i32], &[u8], &[i8], usize),
    /// `matvec_masks(out, masks, x)`: as `matvec`, with the weights as masks.
    pub matvec_masks: fn(&mut [i32], &[u64], &[i8]),
}

/// Packs a matrix of {-1, 0, +1}, `inputs` to a row, as codes.
///
/// # Panics
/// If the sizes are not multiples of a tile or a weight is not ternary.
pub fn pack_codes(weights: &[i8], inputs: usize) -> Vec<u8> {
    let mut codes = vec![0; weights.len() / 4];
    for_each_weight(weights, inputs, |tile, field, place, weight| {
        codes[tile * TILE_BYTES + place] |= ((weight + 1) as u8) << (2 * field);
    });
    codes
}

/// Packs a matrix of {-1, 0, +1}, `inputs` to a row, as masks.
///
/// # Panics
/// If the sizes are not multiples of a tile or a weight is not ternary.
pub fn pack_masks(weights: &[i8], inputs: usize) -> Vec<u64> {
    let mut masks = vec![0; weights.len() / 32];
    for_each_weight(weights, inputs, |tile, field, place, weight| {
        let pair = tile * TILE_WORDS + 2 * field;
        masks[pair] |= u64::from(weight > 0) << place;
        masks[pair + 1] |= u64::from(weight < 0) << place;
    });
    masks
}

/// Calls `put(tile, field, place, weight)` for every weight of the matrix.
fn for_each_weight(weights: &[i8], inputs: usize, mut put: impl FnMut(usize, usize, usize, i8)) {
    assert!(inputs > 0 && inputs.is_multiple_of(TILE_INPUTS));
    assert!(weights.len().is_multiple_of(inputs * TILE_ROWS));
    for (index, &weight) in weights.iter().enumerate() {
        assert!((-1..=1).contains(&weight), "expected a weight of -1, 0 or 1, got {weight}");
        let (row, input) = (index / inputs, index % inputs);
        let tile = row / TILE_ROWS * (inputs / TILE_INPUTS) + input / TILE_INPUTS;
        let (field, i) = (input % TILE_INPUTS / 4, input % 4);
        put(tile, field, row % TILE_ROWS * 4 + i, weight);
    }
}

/// Checks the sizes a kernel was called with, and gives the number of row tiles.
pub(crate) fn row_tiles(out: usize, packed: usize, tile: usize, x: usize, tokens: usize) -> usize {
    assert!(tokens > 0 && out.is_multiple_of(tokens) && x.is_multiple_of(tokens));
    let (rows, inputs) = (out / tokens, x / tokens);
    assert!(rows.is_multiple_of(TILE_ROWS) && inputs.is_multiple_of(TILE_INPUTS));
    let tiles = rows / TILE_ROWS;
    assert!(packed == tiles * (inputs / TILE_INPUTS) * tile, "weights of another size");
    tiles
}
