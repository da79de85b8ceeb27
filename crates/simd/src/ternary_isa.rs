//! The vector operations behind the ternary kernels, beside those of [`Isa`].

use crate::isa::Isa;

/// Ternary operations of one instruction set.
///
/// # Safety
/// As for [`Isa`]: the caller carries the instruction set's features and vouches for pointers.
pub(crate) trait TernaryIsa: Isa {
    /// 64 bytes: four weights for each of sixteen rows, as codes of 0 to 2, or packed ones.
    type Codes: Copy;
    /// Sixteen running sums, perhaps too narrow for more than [`TernaryIsa::MOST`] additions.
    type Sums: Copy;
    /// Additions of products to sums before they must be widened.
    const MOST: usize = 64;

    unsafe fn load_codes(p: *const u8) -> Self::Codes;
    /// The two-bit field at bit `SHIFT` of each byte.
    unsafe fn field<const SHIFT: u32>(packed: Self::Codes) -> Self::Codes;
    unsafe fn zero_sums() -> Self::Sums;
    /// `sums[r] += Σ codes[4 r + i] · x[i]` for `i < 4`.
    unsafe fn add_products(sums: Self::Sums, codes: Self::Codes, x: *const i8) -> Self::Sums;
    /// `wide[r] += sums[r]`.
    unsafe fn widen(wide: Self::I32, sums: Self::Sums) -> Self::I32;
}
