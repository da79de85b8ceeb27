//! Ternary operations with AVX2 and AVX-512.

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::Avx512;
use crate::ternary_isa::TernaryIsa;

// SAFETY of all blocks below: the caller carries the features and vouches for the pointers, as the
// trait demands.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl TernaryIsa for Avx2 {
    type Codes = [__m256i; 2];
    // Sixteen-bit sums, two for each row: at most 64 times 4 · 128 = 2^15 downwards.
    type Sums = [__m256i; 2];

    #[inline(always)]
    unsafe fn load_codes(p: *const u8) -> [__m256i; 2] {
        unsafe { [_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(32).cast())] }
    }
    #[inline(always)]
    unsafe fn field<const SHIFT: u32>(packed: [__m256i; 2]) -> [__m256i; 2] {
        unsafe {
            let low = _mm256_set1_epi8(3);
            let shift = _mm_cvtsi32_si128(SHIFT as i32);
            packed.map(|v| _mm256_and_si256(_mm256_srl_epi16(v, shift), low))
        }
    }
    #[inline(always)]
    unsafe fn zero_sums() -> [__m256i; 2] {
        unsafe { [_mm256_setzero_si256(); 2] }
    }
    #[inline(always)]
    unsafe fn add_products(sums: [__m256i; 2], codes: [__m256i; 2], x: *const i8) -> [__m256i; 2] {
        unsafe {
            let x = _mm256_set1_epi32(x.cast::<i32>().read_unaligned());
            let low = _mm256_add_epi16(sums[0], _mm256_maddubs_epi16(codes[0], x));
            [low, _mm256_add_epi16(sums[1], _mm256_maddubs_epi16(codes[1], x))]
        }
    }
    #[inline(always)]
    unsafe fn widen(wide: [__m256i; 2], sums: [__m256i; 2]) -> [__m256i; 2] {
        unsafe {
            let ones = _mm256_set1_epi16(1);
            let low = _mm256_add_epi32(wide[0], _mm256_madd_epi16(sums[0], ones));
            [low, _mm256_add_epi32(wide[1], _mm256_madd_epi16(sums[1], ones))]
        }
    }
}

// SAFETY of all blocks below: as above.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one note above covers the one-line blocks")]
impl TernaryIsa for Avx512 {
    type Codes = __m512i;
    type Sums = __m512i;

    #[inline(always)]
    unsafe fn load_codes(p: *const u8) -> __m512i {
        unsafe { _mm512_loadu_si512(p.cast()) }
    }
    #[inline(always)]
    unsafe fn field<const SHIFT: u32>(packed: __m512i) -> __m512i {
        unsafe { _mm512_and_si512(_mm512_srli_epi16::<SHIFT>(packed), _mm512_set1_epi8(3)) }
    }
    #[inline(always)]
    unsafe fn zero_sums() -> __m512i {
        unsafe { _mm512_setzero_si512() }
    }
    #[inline(always)]
    unsafe fn add_products(sums: __m512i, codes: __m512i, x: *const i8) -> __m512i {
        unsafe {
            let x = _mm512_set1_epi32(x.cast::<i32>().read_unaligned());
            _mm512_dpbusd_epi32(sums, codes, x)
        }
    }
    #[inline(always)]
    unsafe fn widen(wide: __m512i, sums: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(wide, sums) }
    }
}
