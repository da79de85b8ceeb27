//! What the ternary kernels compute, and how weights of {-1, 0, +1} lie in memory for them.
//!
//! A matrix is cut into tiles of 16 rows × 16 inputs. Within a tile the weights of four inputs
//! and sixteen rows stand together, row by row: one register of products then holds the running
//! sums of sixteen rows, and no sum across a register is ever needed. A weight takes two bits, as a
//! *code* of 0, 1 or 2: byte `4 r + i` of a tile's 64 holds in its two-bit field `f` the weight of
//! row `r` and input `4 f + i`, plus one. A kernel multiplies codes and takes the sum of the inputs
//! off at the end.
//!
//! Sums are exact integers, so every instruction set gives the same bits.

/// Rows of a tile; the number of rows of a matrix is a multiple of it.
pub const TILE_ROWS: usize = 16;
/// Inputs of a tile; the number of inputs of a matrix is a multiple of it.
pub const TILE_INPUTS: usize = 16;
/// Bytes of a packed tile.
pub const TILE_BYTES: usize = 64;

/// Kernels of the ternary transformer.
pub struct TernaryKernels {
    /// `matvec(out, codes, x)`: `out[r] = Σ weight[r][i] · x[i]`, one token.
    pub matvec: fn(&mut [i32], &[u8], &[i8]),
    /// `matmul(out, codes, x, tokens)`: the same for several tokens, whose inputs lie one after the
    /// other in `x` and whose outputs do in `out`. Weights are unpacked once for a few tokens.
    pub matmul: fn(&mut [i32], &[u8], &[i8], usize),
}

/// Packs a matrix of {-1, 0, +1}, `inputs` to a row, as codes.
///
/// # Panics
/// If the sizes are not multiples of a tile or a weight is not ternary.
pub fn pack_codes(weights: &[i8], inputs: usize) -> Vec<u8> {
    assert!(inputs > 0 && inputs.is_multiple_of(TILE_INPUTS));
    assert!(weights.len().is_multiple_of(inputs * TILE_ROWS));
    let mut codes = vec![0; weights.len() / 4];
    for (index, &weight) in weights.iter().enumerate() {
        assert!((-1..=1).contains(&weight), "expected a weight of -1, 0 or 1, got {weight}");
        let (row, input) = (index / inputs, index % inputs);
        let tile = row / TILE_ROWS * (inputs / TILE_INPUTS) + input / TILE_INPUTS;
        let (field, i) = (input % TILE_INPUTS / 4, input % 4);
        let place = row % TILE_ROWS * 4 + i;
        codes[tile * TILE_BYTES + place] |= ((weight + 1) as u8) << (2 * field);
    }
    codes
}

/// Checks the sizes a kernel was called with, and gives the number of row tiles.
pub(crate) fn row_tiles(out: usize, codes: usize, x: usize, tokens: usize) -> usize {
    assert!(tokens > 0 && out.is_multiple_of(tokens) && x.is_multiple_of(tokens));
    let (rows, inputs) = (out / tokens, x / tokens);
    assert!(rows.is_multiple_of(TILE_ROWS) && inputs.is_multiple_of(TILE_INPUTS));
    let tiles = rows / TILE_ROWS;
    assert!(codes == tiles * (inputs / TILE_INPUTS) * TILE_BYTES, "weights of another size");
    tiles
}
