//! SIMD128: 128-bit registers, so sixteen `i32` or `f32` lanes are four of them.

use core::arch::wasm32::*;
use core::array::from_fn;

use crate::entry::entry_points;
use crate::isa::Isa;

#[derive(Clone, Copy)]
pub(crate) struct Simd128;

entry_points!(entries, Simd128, "simd128", "simd128");

/// Adds neighbours: the sums of the pairs of `low`, then those of `high`.
#[inline(always)]
pub(super) fn add_pairs(low: v128, high: v128) -> v128 {
    i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(low, high), i32x4_shuffle::<1, 3, 5, 7>(low, high))
}

// SAFETY of all blocks below: the caller vouches for the pointers, as the trait demands; no
// alignment is needed.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl Isa for Simd128 {
    type I16 = v128;
    const LANES: usize = 8;
    type I32 = [v128; 4];
    type F32 = [v128; 4];

    #[inline(always)]
    unsafe fn load_i16(p: *const i16) -> v128 {
        unsafe { v128_load(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_i16(p: *mut i16, v: v128) {
        unsafe { v128_store(p.cast(), v) }
    }
    #[inline(always)]
    unsafe fn load_i8(p: *const i8) -> v128 {
        unsafe { i16x8_load_extend_i8x8(p) }
    }
    #[inline(always)]
    unsafe fn add_i16(a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }
    #[inline(always)]
    unsafe fn sub_i16(a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }
    #[inline(always)]
    unsafe fn clip_255(v: v128) -> v128 {
        i16x8_min(i16x8_max(v, i16x8_splat(0)), i16x8_splat(255))
    }
    #[inline(always)]
    unsafe fn product_over_512(a: v128, b: v128) -> v128 {
        // (a * 64 * b + 2^14) >> 15.
        i16x8_q15mulr_sat(i16x8_shl(a, 6), b)
    }
    #[inline(always)]
    unsafe fn store_narrow(p: *mut u8, lo: v128, hi: v128) {
        unsafe { v128_store(p.cast(), u8x16_narrow_i16x8(lo, hi)) }
    }

    #[inline(always)]
    unsafe fn load_i32(p: *const i32) -> [v128; 4] {
        from_fn(|k| unsafe { v128_load(p.add(4 * k).cast()) })
    }
    #[inline(always)]
    unsafe fn store_i32(p: *mut i32, v: [v128; 4]) {
        for (k, v) in v.into_iter().enumerate() {
            unsafe { v128_store(p.add(4 * k).cast(), v) }
        }
    }
    #[inline(always)]
    unsafe fn zero_i32() -> [v128; 4] {
        [i32x4_splat(0); 4]
    }
    #[inline(always)]
    unsafe fn add_i32(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        from_fn(|k| i32x4_add(a[k], b[k]))
    }
    #[inline(always)]
    unsafe fn nonzero_i32(p: *const i32) -> u16 {
        let v = unsafe { Self::load_i32(p) };
        let group = |k: usize| u16::from(i32x4_bitmask(i32x4_ne(v[k], i32x4_splat(0)))) << (4 * k);
        group(0) | group(1) | group(2) | group(3)
    }
    #[inline(always)]
    unsafe fn dot4(acc: [v128; 4], x: [u8; 4], w: *const i8) -> [v128; 4] {
        // The bytes of x are at most 127, so they may be read as signed.
        let x = i32x4_splat(i32::from_ne_bytes(x));
        from_fn(|k| {
            let w = unsafe { v128_load(w.add(16 * k).cast()) };
            let low = i32x4_extadd_pairwise_i16x8(i16x8_extmul_low_i8x16(x, w));
            let high = i32x4_extadd_pairwise_i16x8(i16x8_extmul_high_i8x16(x, w));
            i32x4_add(acc[k], add_pairs(low, high))
        })
    }
    #[inline(always)]
    unsafe fn dot2(acc: [v128; 4], x: [i16; 2], w: *const i16) -> [v128; 4] {
        let x = i32x4_splat(i32::from(x[0]) & 0xFFFF | i32::from(x[1]) << 16);
        from_fn(|k| {
            let w = unsafe { v128_load(w.add(8 * k).cast()) };
            i32x4_add(acc[k], i32x4_dot_i16x8(x, w))
        })
    }

    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> [v128; 4] {
        unsafe { Self::load_i32(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_f32(p: *mut f32, v: [v128; 4]) {
        unsafe { Self::store_i32(p.cast(), v) }
    }
    #[inline(always)]
    unsafe fn splat_f32(x: f32) -> [v128; 4] {
        [f32x4_splat(x); 4]
    }
    #[inline(always)]
    unsafe fn add_f32(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        from_fn(|k| f32x4_add(a[k], b[k]))
    }
    #[inline(always)]
    unsafe fn mul_f32(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        from_fn(|k| f32x4_mul(a[k], b[k]))
    }
    #[inline(always)]
    unsafe fn div_f32(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
        from_fn(|k| f32x4_div(a[k], b[k]))
    }
    #[inline(always)]
    unsafe fn sqrt_f32(a: [v128; 4]) -> [v128; 4] {
        from_fn(|k| f32x4_sqrt(a[k]))
    }
    #[inline(always)]
    unsafe fn fma_f32(a: [v128; 4], b: [v128; 4], c: [v128; 4]) -> [v128; 4] {
        // SIMD128 rounds a product before it is added, so each lane is computed in software. Slow,
        // but nobody trains in a browser, and the bits are those of every other table.
        fn lanes(v: v128) -> [f32; 4] {
            [
                f32x4_extract_lane::<0>(v),
                f32x4_extract_lane::<1>(v),
                f32x4_extract_lane::<2>(v),
                f32x4_extract_lane::<3>(v),
            ]
        }
        from_fn(|k| {
            let (a, b, c) = (lanes(a[k]), lanes(b[k]), lanes(c[k]));
            let [p, q, r, s] = from_fn(|i| a[i].mul_add(b[i], c[i]));
            f32x4(p, q, r, s)
        })
    }
    #[inline(always)]
    unsafe fn clamp_f32(v: [v128; 4], lo: [v128; 4], hi: [v128; 4]) -> [v128; 4] {
        from_fn(|k| f32x4_pmin(hi[k], f32x4_pmax(lo[k], v[k])))
    }
    #[inline(always)]
    unsafe fn fold_f32(v: [v128; 4]) -> f32 {
        let four = f32x4_add(f32x4_add(v[0], v[2]), f32x4_add(v[1], v[3]));
        let two = f32x4_add(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
        f32x4_extract_lane::<0>(two) + f32x4_extract_lane::<1>(two)
    }
    #[inline(always)]
    unsafe fn inside_unit(x: [v128; 4], g: [v128; 4]) -> [v128; 4] {
        from_fn(|k| {
            let above = f32x4_gt(x[k], f32x4_splat(0.0));
            v128_and(g[k], v128_and(above, f32x4_lt(x[k], f32x4_splat(1.0))))
        })
    }
}
