//! The ternary block types: 256 weights of {-1, 0, +1} and one scale, a 16-bit float.
//!
//! - TQ2_0, 66 bytes: two groups of 128 weights, each 32 bytes whose four 2-bit fields (lowest
//!   first) are the weights `j`, `32 + j`, `64 + j` and `96 + j` of the group, plus one.
//! - TQ1_0, 54 bytes: five weights to a byte as digits of base three, most significant first. 32
//!   bytes hold the first 160 weights (byte `j`, digit `n`: weight `32 n + j`), 16 bytes the next
//!   80, and 4 bytes with four digits the last 16. A byte is the fraction v / 243 in units of
//!   1 / 256, rounded up, so that multiplying by three carries out one digit after the other.
//!
//! The format allows a scale per block. Our matrices have one scale, so all blocks must agree; a
//! block without any weight may have the scale zero, which writers give it.

use super::{BLOCK, TensorType, f16_to_f32, f32_to_f16};

/// Why a tensor is not one ternary matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TernaryError {
    /// A code of TQ2_0 that stands for no ternary weight.
    Code {
        /// The block.
        block: usize,
    },
    /// A scale that is negative or no number, or differs from that of the blocks before.
    Scale {
        /// The block.
        block: usize,
        /// Scale of the blocks before, if there was one.
        expected: Option<f32>,
        /// Scale of the block.
        got: f32,
    },
}

/// Calls `take(weights)` for each block of `data` and gives the scale of the whole tensor.
///
/// # Panics
/// If `kind` is not ternary or `data` not a whole number of its blocks.
pub fn decode_ternary(
    kind: TensorType,
    data: &[u8],
    mut take: impl FnMut(&[i8; BLOCK]),
) -> Result<f32, TernaryError> {
    let (_, size) = kind.block();
    assert!(matches!(kind, TensorType::Tq1 | TensorType::Tq2) && data.len().is_multiple_of(size));
    let mut weights = [0; BLOCK];
    let mut common = None;
    for (block, bytes) in data.chunks_exact(size).enumerate() {
        let (codes, scale) = bytes.split_at(size - 2);
        match kind {
            TensorType::Tq1 => decode_tq1_block(codes, &mut weights),
            _ => decode_tq2_block(codes, &mut weights),
        }
        if weights.iter().any(|&w| w > 1) {
            return Err(TernaryError::Code { block });
        }
        let got = f16_to_f32(u16::from_le_bytes([scale[0], scale[1]]));
        let empty = weights.iter().all(|&w| w == 0);
        if !(empty && got == 0.0) {
            let agrees = common.is_none_or(|expected| expected == got);
            if !(agrees && got.is_finite() && got > 0.0) {
                return Err(TernaryError::Scale { block, expected: common, got });
            }
            common = Some(got);
        }
        take(&weights);
    }
    // A matrix without any weight has no scale; what it is multiplied by does not matter.
    Ok(common.unwrap_or(0.0))
}

fn decode_tq2_block(codes: &[u8], weights: &mut [i8; BLOCK]) {
    for (group, bytes) in codes.chunks_exact(32).enumerate() {
        for (j, &byte) in bytes.iter().enumerate() {
            for n in 0..4 {
                weights[128 * group + 32 * n + j] = ((byte >> (2 * n)) & 3) as i8 - 1;
            }
        }
    }
}

/// The three runs of a TQ1_0 block: first byte, bytes, digits per byte, first weight.
const TQ1_RUNS: [(usize, usize, usize, usize); 3] =
    [(0, 32, 5, 0), (32, 16, 5, 160), (48, 4, 4, 240)];

fn decode_tq1_block(codes: &[u8], weights: &mut [i8; BLOCK]) {
    for (first, bytes, digits, base) in TQ1_RUNS {
        for (j, &byte) in codes[first..first + bytes].iter().enumerate() {
            let mut rest = u16::from(byte);
            for n in 0..digits {
                let product = rest * 3;
                weights[base + n * bytes + j] = (product >> 8) as i8 - 1;
                rest = product & 255;
            }
        }
    }
}

/// Writes ternary weights as blocks with the 16-bit float nearest to `scale`.
///
/// # Panics
/// If `kind` is not ternary or there is not a whole number of blocks.
pub fn encode_ternary(kind: TensorType, weights: &[i8], scale: f32) -> Vec<u8> {
    let (_, size) = kind.block();
    assert!(matches!(kind, TensorType::Tq1 | TensorType::Tq2));
    assert!(weights.len().is_multiple_of(BLOCK));
    let mut data = vec![0; weights.len() / BLOCK * size];
    for (weights, bytes) in weights.chunks_exact(BLOCK).zip(data.chunks_exact_mut(size)) {
        let (codes, scale_bytes) = bytes.split_at_mut(size - 2);
        match kind {
            TensorType::Tq1 => encode_tq1_block(weights, codes),
            _ => encode_tq2_block(weights, codes),
        }
        scale_bytes.copy_from_slice(&f32_to_f16(scale).to_le_bytes());
    }
    data
}

fn encode_tq2_block(weights: &[i8], codes: &mut [u8]) {
    for (group, bytes) in codes.chunks_exact_mut(32).enumerate() {
        for (j, byte) in bytes.iter_mut().enumerate() {
            *byte = (0..4).map(|n| digit(weights[128 * group + 32 * n + j]) << (2 * n)).sum();
        }
    }
}

fn encode_tq1_block(weights: &[i8], codes: &mut [u8]) {
    for (first, bytes, digits, base) in TQ1_RUNS {
        for j in 0..bytes {
            let mut value = 0;
            for n in 0..5 {
                // The short run has one digit less, which is then zero.
                let d = if n < digits { digit(weights[base + n * bytes + j]) } else { 0 };
                value = value * 3 + u16::from(d);
            }
            codes[first + j] = (value * 256).div_ceil(243) as u8;
        }
    }
}

fn digit(weight: i8) -> u8 {
    (weight.signum() + 1) as u8
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, TensorType, TernaryError, decode_ternary, encode_ternary};

    fn weights(blocks: usize) -> Vec<i8> {
        let mut state = 12345u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % 3
        };
        (0..blocks * BLOCK).map(|_| next() as i8 - 1).collect()
    }

    #[test]
    fn both_types_give_back_what_was_written() {
        for kind in [TensorType::Tq1, TensorType::Tq2] {
            let weights = weights(5);
            let data = encode_ternary(kind, &weights, 0.125);
            let mut got = vec![];
            let scale = decode_ternary(kind, &data, |block| got.extend_from_slice(block));
            assert_eq!(scale, Ok(0.125));
            assert_eq!(got, weights, "{kind:?}");
        }
    }

    #[test]
    fn a_code_that_is_no_weight_is_refused() {
        let mut data = encode_ternary(TensorType::Tq2, &weights(2), 1.0);
        data[66 + 7] = 0xFF;
        let result = decode_ternary(TensorType::Tq2, &data, |_| ());
        assert_eq!(result, Err(TernaryError::Code { block: 1 }));
    }

    #[test]
    fn scales_must_agree() {
        let mut data = encode_ternary(TensorType::Tq2, &weights(2), 1.0);
        data[131] = 0x40;
        let error = TernaryError::Scale { block: 1, expected: Some(1.0), got: 2.0 };
        assert_eq!(decode_ternary(TensorType::Tq2, &data, |_| ()), Err(error));
        data[131] = 0x7C;
        assert!(decode_ternary(TensorType::Tq2, &data, |_| ()).is_err());
    }

    #[test]
    fn an_empty_block_needs_no_scale() {
        let mut all = weights(1);
        all.extend([0; BLOCK]);
        let mut data = encode_ternary(TensorType::Tq1, &all, 0.5);
        data[106] = 0;
        data[107] = 0;
        assert_eq!(decode_ternary(TensorType::Tq1, &data, |_| ()), Ok(0.5));
    }
}
