//! AVX-512 with VNNI: sixteen 32-bit lanes are one register, and `dot4` one instruction.

use core::arch::x86_64::*;

use crate::entry::entry_points;
use crate::isa::Isa;
use crate::nnue::FindThreats;

use super::threats::threats;

#[derive(Clone, Copy)]
pub(crate) struct Avx512;

entry_points!(entries, Avx512, "avx512f,avx512bw,avx512vl,avx512vnni,fma", "avx512");

// SAFETY of all blocks below: the caller carries the features of the table and vouches for the
// pointers, as the trait demands.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl Isa for Avx512 {
    type I16 = __m512i;
    const LANES: usize = 32;
    const THREATS: Option<FindThreats> = Some(|codes, gone, own, square, near, across| unsafe {
        threats(codes, gone, own, square, near, across)
    });
    type I32 = __m512i;
    type F32 = __m512;

    #[inline(always)]
    unsafe fn load_i16(p: *const i16) -> __m512i {
        unsafe { _mm512_loadu_si512(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_i16(p: *mut i16, v: __m512i) {
        unsafe { _mm512_storeu_si512(p.cast(), v) }
    }
    #[inline(always)]
    unsafe fn load_i8(p: *const i8) -> __m512i {
        unsafe { _mm512_cvtepi8_epi16(_mm256_loadu_si256(p.cast())) }
    }
    #[inline(always)]
    unsafe fn add_i16(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi16(a, b) }
    }
    #[inline(always)]
    unsafe fn sub_i16(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_sub_epi16(a, b) }
    }
    #[inline(always)]
    unsafe fn clip_255(v: __m512i) -> __m512i {
        unsafe {
            _mm512_min_epi16(_mm512_max_epi16(v, _mm512_setzero_si512()), _mm512_set1_epi16(255))
        }
    }
    #[inline(always)]
    unsafe fn product_over_512(a: __m512i, b: __m512i) -> __m512i {
        // (a * 64 * b + 2^14) >> 15.
        unsafe { _mm512_mulhrs_epi16(_mm512_slli_epi16::<6>(a), b) }
    }
    #[inline(always)]
    unsafe fn store_narrow(p: *mut u8, lo: __m512i, hi: __m512i) {
        unsafe {
            _mm256_storeu_si256(p.cast(), _mm512_cvtepi16_epi8(lo));
            _mm256_storeu_si256(p.add(32).cast(), _mm512_cvtepi16_epi8(hi));
        }
    }

    #[inline(always)]
    unsafe fn load_i32(p: *const i32) -> __m512i {
        unsafe { _mm512_loadu_si512(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_i32(p: *mut i32, v: __m512i) {
        unsafe { _mm512_storeu_si512(p.cast(), v) }
    }
    #[inline(always)]
    unsafe fn zero_i32() -> __m512i {
        unsafe { _mm512_setzero_si512() }
    }
    #[inline(always)]
    unsafe fn add_i32(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(a, b) }
    }
    #[inline(always)]
    unsafe fn nonzero_i32(p: *const i32) -> u16 {
        unsafe {
            let v = Self::load_i32(p);
            _mm512_test_epi32_mask(v, v)
        }
    }
    #[inline(always)]
    unsafe fn find_nonzero(p: *const i32, first: u16, out: *mut u16) -> usize {
        unsafe {
            let mask = Self::nonzero_i32(p);
            let order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let numbers = _mm512_add_epi32(order, _mm512_set1_epi32(i32::from(first)));
            let found = _mm512_maskz_compress_epi32(mask, numbers);
            _mm256_storeu_si256(out.cast(), _mm512_cvtepi32_epi16(found));
            mask.count_ones() as usize
        }
    }
    #[inline(always)]
    unsafe fn dot4(acc: __m512i, x: [u8; 4], w: *const i8) -> __m512i {
        unsafe {
            let x = _mm512_set1_epi32(i32::from_ne_bytes(x));
            _mm512_dpbusd_epi32(acc, x, _mm512_loadu_si512(w.cast()))
        }
    }
    #[inline(always)]
    unsafe fn dot2(acc: __m512i, x: [i16; 2], w: *const i16) -> __m512i {
        unsafe {
            let pair = i32::from(x[0]) & 0xFFFF | i32::from(x[1]) << 16;
            let product = _mm512_madd_epi16(_mm512_set1_epi32(pair), _mm512_loadu_si512(w.cast()));
            _mm512_add_epi32(acc, product)
        }
    }

    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> __m512 {
        unsafe { _mm512_loadu_ps(p) }
    }
    #[inline(always)]
    unsafe fn store_f32(p: *mut f32, v: __m512) {
        unsafe { _mm512_storeu_ps(p, v) }
    }
    #[inline(always)]
    unsafe fn splat_f32(x: f32) -> __m512 {
        unsafe { _mm512_set1_ps(x) }
    }
    #[inline(always)]
    unsafe fn add_f32(a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_add_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn mul_f32(a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_mul_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn div_f32(a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_div_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn sqrt_f32(a: __m512) -> __m512 {
        unsafe { _mm512_sqrt_ps(a) }
    }
    #[inline(always)]
    unsafe fn fma_f32(a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    unsafe fn clamp_f32(v: __m512, lo: __m512, hi: __m512) -> __m512 {
        unsafe { _mm512_min_ps(_mm512_max_ps(v, lo), hi) }
    }
    #[inline(always)]
    unsafe fn fold_f32(v: __m512) -> f32 {
        unsafe {
            let high = _mm512_castps512_ps256(_mm512_shuffle_f32x4::<0b11_10>(v, v));
            super::avx2::fold_eight(_mm256_add_ps(_mm512_castps512_ps256(v), high))
        }
    }
    #[inline(always)]
    unsafe fn inside_unit(x: __m512, g: __m512) -> __m512 {
        unsafe {
            let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, _mm512_setzero_ps());
            let inside = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(above, x, _mm512_set1_ps(1.0));
            _mm512_maskz_mov_ps(inside, g)
        }
    }
}
