//! Ternary operations with NEON.

use core::arch::aarch64::*;
use core::array::from_fn;

use super::neon::Neon;
use crate::ternary_isa::TernaryIsa;

// SAFETY of all blocks below: the caller carries NEON and vouches for the pointers, as the trait
// demands.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl TernaryIsa for Neon {
    type Codes = [uint8x16_t; 4];
    // Sixteen-bit sums, four for each row: at most 64 times 2 · 128 = 2^14.
    type Sums = [[int16x8_t; 2]; 4];

    #[inline(always)]
    unsafe fn load_codes(p: *const u8) -> [uint8x16_t; 4] {
        unsafe { from_fn(|k| vld1q_u8(p.add(16 * k))) }
    }
    #[inline(always)]
    unsafe fn field<const SHIFT: u32>(packed: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
        // A negative count shifts right.
        unsafe {
            let count = vdupq_n_s8(-(SHIFT as i8));
            packed.map(|v| vandq_u8(vshlq_u8(v, count), vdupq_n_u8(3)))
        }
    }
    #[inline(always)]
    unsafe fn zero_sums() -> [[int16x8_t; 2]; 4] {
        unsafe { [[vdupq_n_s16(0); 2]; 4] }
    }
    #[inline(always)]
    unsafe fn add_products(
        sums: [[int16x8_t; 2]; 4],
        codes: [uint8x16_t; 4],
        x: *const i8,
    ) -> [[int16x8_t; 2]; 4] {
        unsafe {
            let x = vreinterpretq_s8_s32(vdupq_n_s32(x.cast::<i32>().read_unaligned()));
            from_fn(|k| {
                let codes = vreinterpretq_s8_u8(codes[k]);
                [
                    vmlal_s8(sums[k][0], vget_low_s8(codes), vget_low_s8(x)),
                    vmlal_s8(sums[k][1], vget_high_s8(codes), vget_high_s8(x)),
                ]
            })
        }
    }
    #[inline(always)]
    unsafe fn widen(wide: [int32x4_t; 4], sums: [[int16x8_t; 2]; 4]) -> [int32x4_t; 4] {
        unsafe {
            from_fn(|k| {
                let rows = vpaddq_s32(vpaddlq_s16(sums[k][0]), vpaddlq_s16(sums[k][1]));
                vaddq_s32(wide[k], rows)
            })
        }
    }
}
