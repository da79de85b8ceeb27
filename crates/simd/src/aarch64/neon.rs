//! NEON: 128-bit registers, so sixteen `i32` or `f32` lanes are four of them.

use core::arch::aarch64::*;
use core::array::from_fn;

use crate::entry::entry_points;
use crate::isa::Isa;

#[derive(Clone, Copy)]
pub(crate) struct Neon;

entry_points!(entries, Neon, "neon", "neon");

// SAFETY of all blocks below: the caller carries NEON and vouches for the pointers, as the trait
// demands.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl Isa for Neon {
    type I16 = int16x8_t;
    const LANES: usize = 8;
    type I32 = [int32x4_t; 4];
    type F32 = [float32x4_t; 4];

    #[inline(always)]
    unsafe fn load_i16(p: *const i16) -> int16x8_t {
        unsafe { vld1q_s16(p) }
    }
    #[inline(always)]
    unsafe fn store_i16(p: *mut i16, v: int16x8_t) {
        unsafe { vst1q_s16(p, v) }
    }
    #[inline(always)]
    unsafe fn load_i8(p: *const i8) -> int16x8_t {
        unsafe { vmovl_s8(vld1_s8(p)) }
    }
    #[inline(always)]
    unsafe fn add_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        unsafe { vaddq_s16(a, b) }
    }
    #[inline(always)]
    unsafe fn sub_i16(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        unsafe { vsubq_s16(a, b) }
    }
    #[inline(always)]
    unsafe fn clip_255(v: int16x8_t) -> int16x8_t {
        unsafe { vminq_s16(vmaxq_s16(v, vdupq_n_s16(0)), vdupq_n_s16(255)) }
    }
    #[inline(always)]
    unsafe fn product_over_512(a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // (2 * a * 64 * b + 2^15) >> 16.
        unsafe { vqrdmulhq_s16(vshlq_n_s16::<6>(a), b) }
    }
    #[inline(always)]
    unsafe fn store_narrow(p: *mut u8, lo: int16x8_t, hi: int16x8_t) {
        unsafe { vst1q_u8(p, vcombine_u8(vqmovun_s16(lo), vqmovun_s16(hi))) }
    }

    #[inline(always)]
    unsafe fn load_i32(p: *const i32) -> [int32x4_t; 4] {
        unsafe { from_fn(|k| vld1q_s32(p.add(4 * k))) }
    }
    #[inline(always)]
    unsafe fn store_i32(p: *mut i32, v: [int32x4_t; 4]) {
        for (k, v) in v.into_iter().enumerate() {
            unsafe { vst1q_s32(p.add(4 * k), v) }
        }
    }
    #[inline(always)]
    unsafe fn zero_i32() -> [int32x4_t; 4] {
        unsafe { [vdupq_n_s32(0); 4] }
    }
    #[inline(always)]
    unsafe fn add_i32(a: [int32x4_t; 4], b: [int32x4_t; 4]) -> [int32x4_t; 4] {
        unsafe { from_fn(|k| vaddq_s32(a[k], b[k])) }
    }
    #[inline(always)]
    unsafe fn nonzero_i32(p: *const i32) -> u16 {
        unsafe {
            let v = Self::load_i32(p);
            let bits = vld1q_u32([1u32, 2, 4, 8].as_ptr());
            let group = |k: usize| vaddvq_u32(vandq_u32(vtstq_s32(v[k], v[k]), bits));
            (group(0) | group(1) << 4 | group(2) << 8 | group(3) << 12) as u16
        }
    }
    #[inline(always)]
    unsafe fn dot4(acc: [int32x4_t; 4], x: [u8; 4], w: *const i8) -> [int32x4_t; 4] {
        // The bytes of x are at most 127, so they may be read as signed.
        unsafe {
            let x = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_ne_bytes(x)));
            from_fn(|k| {
                let w = vld1q_s8(w.add(16 * k));
                let low = vpaddlq_s16(vmull_s8(vget_low_s8(x), vget_low_s8(w)));
                let high = vpaddlq_s16(vmull_s8(vget_high_s8(x), vget_high_s8(w)));
                vaddq_s32(acc[k], vpaddq_s32(low, high))
            })
        }
    }
    #[inline(always)]
    unsafe fn dot2(acc: [int32x4_t; 4], x: [i16; 2], w: *const i16) -> [int32x4_t; 4] {
        unsafe {
            let pair = i32::from(x[0]) & 0xFFFF | i32::from(x[1]) << 16;
            let x = vreinterpretq_s16_s32(vdupq_n_s32(pair));
            from_fn(|k| {
                let w = vld1q_s16(w.add(8 * k));
                let low = vmull_s16(vget_low_s16(x), vget_low_s16(w));
                let high = vmull_s16(vget_high_s16(x), vget_high_s16(w));
                vaddq_s32(acc[k], vpaddq_s32(low, high))
            })
        }
    }

    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> [float32x4_t; 4] {
        unsafe { from_fn(|k| vld1q_f32(p.add(4 * k))) }
    }
    #[inline(always)]
    unsafe fn store_f32(p: *mut f32, v: [float32x4_t; 4]) {
        for (k, v) in v.into_iter().enumerate() {
            unsafe { vst1q_f32(p.add(4 * k), v) }
        }
    }
    #[inline(always)]
    unsafe fn splat_f32(x: f32) -> [float32x4_t; 4] {
        unsafe { [vdupq_n_f32(x); 4] }
    }
    #[inline(always)]
    unsafe fn add_f32(a: [float32x4_t; 4], b: [float32x4_t; 4]) -> [float32x4_t; 4] {
        unsafe { from_fn(|k| vaddq_f32(a[k], b[k])) }
    }
    #[inline(always)]
    unsafe fn mul_f32(a: [float32x4_t; 4], b: [float32x4_t; 4]) -> [float32x4_t; 4] {
        unsafe { from_fn(|k| vmulq_f32(a[k], b[k])) }
    }
    #[inline(always)]
    unsafe fn div_f32(a: [float32x4_t; 4], b: [float32x4_t; 4]) -> [float32x4_t; 4] {
        unsafe { from_fn(|k| vdivq_f32(a[k], b[k])) }
    }
    #[inline(always)]
    unsafe fn sqrt_f32(a: [float32x4_t; 4]) -> [float32x4_t; 4] {
        unsafe { from_fn(|k| vsqrtq_f32(a[k])) }
    }
    #[inline(always)]
    unsafe fn fma_f32(
        a: [float32x4_t; 4],
        b: [float32x4_t; 4],
        c: [float32x4_t; 4],
    ) -> [float32x4_t; 4] {
        unsafe { from_fn(|k| vfmaq_f32(c[k], a[k], b[k])) }
    }
    #[inline(always)]
    unsafe fn clamp_f32(
        v: [float32x4_t; 4],
        lo: [float32x4_t; 4],
        hi: [float32x4_t; 4],
    ) -> [float32x4_t; 4] {
        unsafe { from_fn(|k| vminq_f32(vmaxq_f32(v[k], lo[k]), hi[k])) }
    }
    #[inline(always)]
    unsafe fn fold_f32(v: [float32x4_t; 4]) -> f32 {
        unsafe {
            let four = vaddq_f32(vaddq_f32(v[0], v[2]), vaddq_f32(v[1], v[3]));
            let two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
            vget_lane_f32::<0>(two) + vget_lane_f32::<1>(two)
        }
    }
    #[inline(always)]
    unsafe fn inside_unit(x: [float32x4_t; 4], g: [float32x4_t; 4]) -> [float32x4_t; 4] {
        unsafe {
            from_fn(|k| {
                let above = vcgtq_f32(x[k], vdupq_n_f32(0.0));
                let inside = vandq_u32(above, vcltq_f32(x[k], vdupq_n_f32(1.0)));
                vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(g[k]), inside))
            })
        }
    }
}
