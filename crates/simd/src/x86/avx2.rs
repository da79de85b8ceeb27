//! AVX2 with FMA: 256-bit registers, so sixteen `i32` or `f32` lanes are two of them.

use core::arch::x86_64::*;

use crate::entry::entry_points;
use crate::isa::Isa;

#[derive(Clone, Copy)]
pub(crate) struct Avx2;

entry_points!(entries, Avx2, "avx2,fma", "avx2");

/// Applies an operation to both registers of a group of sixteen lanes.
macro_rules! both {
    ($op:ident($($arg:expr),*)) => {
        // SAFETY: the caller of every `Isa` method carries the features.
        unsafe { [$op($($arg[0]),*), $op($($arg[1]),*)] }
    };
}

// SAFETY of all blocks below: the caller carries AVX2 and FMA and vouches for the pointers, as the
// trait demands.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl Isa for Avx2 {
    type I16 = __m256i;
    const LANES: usize = 16;
    type I32 = [__m256i; 2];
    type F32 = [__m256; 2];

    #[inline(always)]
    unsafe fn load_i16(p: *const i16) -> __m256i {
        unsafe { _mm256_loadu_si256(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_i16(p: *mut i16, v: __m256i) {
        unsafe { _mm256_storeu_si256(p.cast(), v) }
    }
    #[inline(always)]
    unsafe fn load_i8(p: *const i8) -> __m256i {
        unsafe { _mm256_cvtepi8_epi16(_mm_loadu_si128(p.cast())) }
    }
    #[inline(always)]
    unsafe fn add_i16(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_add_epi16(a, b) }
    }
    #[inline(always)]
    unsafe fn sub_i16(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_sub_epi16(a, b) }
    }
    #[inline(always)]
    unsafe fn clip_255(v: __m256i) -> __m256i {
        unsafe {
            _mm256_min_epi16(_mm256_max_epi16(v, _mm256_setzero_si256()), _mm256_set1_epi16(255))
        }
    }
    #[inline(always)]
    unsafe fn product_over_512(a: __m256i, b: __m256i) -> __m256i {
        // (a * 64 * b + 2^14) >> 15.
        unsafe { _mm256_mulhrs_epi16(_mm256_slli_epi16::<6>(a), b) }
    }
    #[inline(always)]
    unsafe fn store_narrow(p: *mut u8, lo: __m256i, hi: __m256i) {
        // The pack works within 128-bit halves; the permutation puts the bytes in order.
        unsafe {
            let packed = _mm256_packus_epi16(lo, hi);
            _mm256_storeu_si256(p.cast(), _mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
        }
    }

    #[inline(always)]
    unsafe fn load_i32(p: *const i32) -> [__m256i; 2] {
        unsafe { [_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(8).cast())] }
    }
    #[inline(always)]
    unsafe fn store_i32(p: *mut i32, v: [__m256i; 2]) {
        unsafe {
            _mm256_storeu_si256(p.cast(), v[0]);
            _mm256_storeu_si256(p.add(8).cast(), v[1]);
        }
    }
    #[inline(always)]
    unsafe fn zero_i32() -> [__m256i; 2] {
        unsafe { [_mm256_setzero_si256(); 2] }
    }
    #[inline(always)]
    unsafe fn add_i32(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        both!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    unsafe fn nonzero_i32(p: *const i32) -> u16 {
        unsafe {
            let zero = _mm256_setzero_si256();
            let v = Self::load_i32(p);
            let mask = |v| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(v, zero)));
            !((mask(v[0]) | mask(v[1]) << 8) as u16)
        }
    }
    #[inline(always)]
    unsafe fn dot4(acc: [__m256i; 2], x: [u8; 4], w: *const i8) -> [__m256i; 2] {
        // Two products of at most 127 * 128 fit in an i16: the pair sum cannot saturate.
        unsafe {
            let x = _mm256_set1_epi32(i32::from_ne_bytes(x));
            let ones = _mm256_set1_epi16(1);
            let w = Self::load_i32(w.cast());
            let sum = |w| _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), ones);
            [_mm256_add_epi32(acc[0], sum(w[0])), _mm256_add_epi32(acc[1], sum(w[1]))]
        }
    }
    #[inline(always)]
    unsafe fn dot2(acc: [__m256i; 2], x: [i16; 2], w: *const i16) -> [__m256i; 2] {
        unsafe {
            let pair = i32::from(x[0]) & 0xFFFF | i32::from(x[1]) << 16;
            let x = _mm256_set1_epi32(pair);
            let w = Self::load_i32(w.cast());
            [
                _mm256_add_epi32(acc[0], _mm256_madd_epi16(x, w[0])),
                _mm256_add_epi32(acc[1], _mm256_madd_epi16(x, w[1])),
            ]
        }
    }

    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> [__m256; 2] {
        unsafe { [_mm256_loadu_ps(p), _mm256_loadu_ps(p.add(8))] }
    }
    #[inline(always)]
    unsafe fn store_f32(p: *mut f32, v: [__m256; 2]) {
        unsafe {
            _mm256_storeu_ps(p, v[0]);
            _mm256_storeu_ps(p.add(8), v[1]);
        }
    }
    #[inline(always)]
    unsafe fn splat_f32(x: f32) -> [__m256; 2] {
        unsafe { [_mm256_set1_ps(x); 2] }
    }
    #[inline(always)]
    unsafe fn add_f32(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        both!(_mm256_add_ps(a, b))
    }
    #[inline(always)]
    unsafe fn mul_f32(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        both!(_mm256_mul_ps(a, b))
    }
    #[inline(always)]
    unsafe fn div_f32(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        both!(_mm256_div_ps(a, b))
    }
    #[inline(always)]
    unsafe fn sqrt_f32(a: [__m256; 2]) -> [__m256; 2] {
        both!(_mm256_sqrt_ps(a))
    }
    #[inline(always)]
    unsafe fn fma_f32(a: [__m256; 2], b: [__m256; 2], c: [__m256; 2]) -> [__m256; 2] {
        both!(_mm256_fmadd_ps(a, b, c))
    }
    #[inline(always)]
    unsafe fn clamp_f32(v: [__m256; 2], lo: [__m256; 2], hi: [__m256; 2]) -> [__m256; 2] {
        let raised = both!(_mm256_max_ps(v, lo));
        both!(_mm256_min_ps(raised, hi))
    }
    #[inline(always)]
    unsafe fn fold_f32(v: [__m256; 2]) -> f32 {
        unsafe { fold_eight(_mm256_add_ps(v[0], v[1])) }
    }
    #[inline(always)]
    unsafe fn inside_unit(x: [__m256; 2], g: [__m256; 2]) -> [__m256; 2] {
        unsafe {
            let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
            let keep = |x| {
                let above = _mm256_cmp_ps::<_CMP_GT_OQ>(x, zero);
                _mm256_and_ps(above, _mm256_cmp_ps::<_CMP_LT_OQ>(x, one))
            };
            [_mm256_and_ps(g[0], keep(x[0])), _mm256_and_ps(g[1], keep(x[1]))]
        }
    }
}

/// Adds eight lanes by halving: 4, 2, 1 apart.
///
/// # Safety
/// The caller carries AVX.
#[inline(always)]
pub(super) unsafe fn fold_eight(v: __m256) -> f32 {
    // SAFETY: the caller's promise.
    unsafe {
        let four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}
