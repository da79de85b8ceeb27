//! Ternary operations with SIMD128.

use core::arch::wasm32::*;
use core::array::from_fn;

use super::simd128::{Simd128, add_pairs};
use crate::ternary_isa::TernaryIsa;

// SAFETY of all blocks below: the caller vouches for the pointers, as the trait demands.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl TernaryIsa for Simd128 {
    type Codes = [v128; 4];
    // Sixteen-bit sums, four for each row: at most 64 times 2 · 128 = 2^14.
    type Sums = [[v128; 2]; 4];

    #[inline(always)]
    unsafe fn load_codes(p: *const u8) -> [v128; 4] {
        from_fn(|k| unsafe { v128_load(p.add(16 * k).cast()) })
    }
    #[inline(always)]
    unsafe fn field<const SHIFT: u32>(packed: [v128; 4]) -> [v128; 4] {
        packed.map(|v| v128_and(u8x16_shr(v, SHIFT), u8x16_splat(3)))
    }
    #[inline(always)]
    unsafe fn zero_sums() -> [[v128; 2]; 4] {
        [[i16x8_splat(0); 2]; 4]
    }
    #[inline(always)]
    unsafe fn add_products(sums: [[v128; 2]; 4], codes: [v128; 4], x: *const i8) -> [[v128; 2]; 4] {
        let x = unsafe { v128_load32_splat(x.cast()) };
        from_fn(|k| {
            [
                i16x8_add(sums[k][0], i16x8_extmul_low_i8x16(codes[k], x)),
                i16x8_add(sums[k][1], i16x8_extmul_high_i8x16(codes[k], x)),
            ]
        })
    }
    #[inline(always)]
    unsafe fn widen(wide: [v128; 4], sums: [[v128; 2]; 4]) -> [v128; 4] {
        from_fn(|k| {
            let low = i32x4_extadd_pairwise_i16x8(sums[k][0]);
            let high = i32x4_extadd_pairwise_i16x8(sums[k][1]);
            i32x4_add(wide[k], add_pairs(low, high))
        })
    }
}
