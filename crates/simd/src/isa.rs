//! The few vector operations the generic kernels need: one implementation per instruction set.
//!
//! Integer and float lanes that have to add up in the same order everywhere come in groups of
//! sixteen, whatever the width of a register: two registers in AVX2, one in AVX-512, four in NEON.

use crate::nnue::FindThreats;

/// The numbers of the bits that are set in a byte, from the lowest on. A look here costs the same for every
/// byte; a loop over the bits ends where no processor can foresee it.
static BITS: [[u16; 8]; 256] = {
    let mut bits = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                bits[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    bits
};

/// Vector operations of one instruction set.
///
/// # Safety
/// Every method must be called from inside a function whose `#[target_feature]` covers the
/// instruction set; otherwise each operation becomes a call (ten times slower) or an illegal
/// instruction. Pointers must be valid for the lanes read or written; no alignment is needed.
pub(crate) trait Isa: Copy {
    /// A register of `i16` lanes.
    type I16: Copy;
    /// Lanes of [`Isa::I16`].
    const LANES: usize;
    /// See [`crate::nnue::NnueKernels::threats`].
    const THREATS: Option<FindThreats> = None;
    /// Sixteen `i32` lanes.
    type I32: Copy;
    /// Sixteen `f32` lanes.
    type F32: Copy;

    unsafe fn load_i16(p: *const i16) -> Self::I16;
    unsafe fn store_i16(p: *mut i16, v: Self::I16);
    /// As many signed bytes as a register has lanes, each widened to its lane.
    unsafe fn load_i8(p: *const i8) -> Self::I16;
    unsafe fn add_i16(a: Self::I16, b: Self::I16) -> Self::I16;
    unsafe fn sub_i16(a: Self::I16, b: Self::I16) -> Self::I16;
    /// Clamps every lane to `0..=255`.
    unsafe fn clip_255(v: Self::I16) -> Self::I16;
    /// `a * b / 512`, rounded to the nearest, for lanes in `0..=255`.
    unsafe fn product_over_512(a: Self::I16, b: Self::I16) -> Self::I16;
    /// Writes `lo` then `hi`, each lane narrowed to a byte (all lanes are in `0..=127`).
    unsafe fn store_narrow(p: *mut u8, lo: Self::I16, hi: Self::I16);

    unsafe fn load_i32(p: *const i32) -> Self::I32;
    unsafe fn store_i32(p: *mut i32, v: Self::I32);
    unsafe fn zero_i32() -> Self::I32;
    unsafe fn add_i32(a: Self::I32, b: Self::I32) -> Self::I32;
    /// Bit `i` is set when the `i`-th of sixteen `i32` is not zero.
    unsafe fn nonzero_i32(p: *const i32) -> u16;
    /// Writes the numbers, counted from `first`, of those of sixteen `i32` that are not zero, and returns how
    /// many they are. `out` has room for sixteen.
    #[inline(always)]
    unsafe fn find_nonzero(p: *const i32, first: u16, out: *mut u16) -> usize {
        // SAFETY: the caller's promise; eight are written behind at most eight.
        unsafe {
            let [low, high] = Self::nonzero_i32(p).to_le_bytes();
            let count = low.count_ones() as usize;
            out.cast::<[u16; 8]>().write_unaligned(BITS[usize::from(low)].map(|bit| first + bit));
            let high_bits = BITS[usize::from(high)].map(|bit| first + 8 + bit);
            out.add(count).cast::<[u16; 8]>().write_unaligned(high_bits);
            count + high.count_ones() as usize
        }
    }
    /// `acc[k] += Σ x[j]·w[4k+j]` for `j < 4`: `x` four bytes in `0..=127`, `w` 64 signed bytes.
    unsafe fn dot4(acc: Self::I32, x: [u8; 4], w: *const i8) -> Self::I32;
    /// `acc[k] += x[0]·w[2k] + x[1]·w[2k+1]`: `w` is 32 `i16`.
    unsafe fn dot2(acc: Self::I32, x: [i16; 2], w: *const i16) -> Self::I32;

    unsafe fn load_f32(p: *const f32) -> Self::F32;
    unsafe fn store_f32(p: *mut f32, v: Self::F32);
    unsafe fn splat_f32(x: f32) -> Self::F32;
    unsafe fn add_f32(a: Self::F32, b: Self::F32) -> Self::F32;
    unsafe fn mul_f32(a: Self::F32, b: Self::F32) -> Self::F32;
    unsafe fn div_f32(a: Self::F32, b: Self::F32) -> Self::F32;
    unsafe fn sqrt_f32(a: Self::F32) -> Self::F32;
    /// `a * b + c`, rounded once.
    unsafe fn fma_f32(a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32;
    /// Clamps every lane to `lo..=hi`; both bounds are finite.
    unsafe fn clamp_f32(v: Self::F32, lo: Self::F32, hi: Self::F32) -> Self::F32;
    /// Adds the sixteen lanes by halving: 8, 4, 2, 1 apart.
    unsafe fn fold_f32(v: Self::F32) -> f32;
    /// `g` where `0 < x < 1`, else zero: the slope of a clipped ramp times `g`.
    unsafe fn inside_unit(x: Self::F32, g: Self::F32) -> Self::F32;
}
