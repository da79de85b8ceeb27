//! Choose once, call through a table.

use crate::nnue::NnueKernels;
use crate::ternary::TernaryKernels;
use crate::train::TrainKernels;

/// Every kernel for one instruction set. A table exists only for a processor that can run it.
pub struct Kernels {
    /// Name for `bench`, options and test messages: `scalar`, `avx2`, `avx512`, `neon`, `simd128`.
    pub name: &'static str,
    /// The integer network.
    pub nnue: NnueKernels,
    /// The ternary transformer.
    pub ternary: TernaryKernels,
    /// The trainer.
    pub train: TrainKernels,
}

/// Every table this processor can run, best last.
pub fn all_available() -> impl Iterator<Item = &'static Kernels> {
    #[cfg(target_arch = "x86_64")]
    let vector = crate::x86::available();
    #[cfg(target_arch = "aarch64")]
    let vector = crate::aarch64::available();
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    let vector = crate::wasm32::available();
    #[cfg(not(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128"),
    )))]
    let vector = core::iter::empty();
    core::iter::once(&crate::scalar::TABLE).chain(vector)
}

/// The best table. Call it once at start-up and keep the reference.
pub fn kernels() -> &'static Kernels {
    all_available().last().unwrap_or(&crate::scalar::TABLE)
}

/// The table of that name, if this processor can run it.
pub fn by_name(name: &str) -> Option<&'static Kernels> {
    all_available().find(|table| table.name == name)
}

#[cfg(test)]
mod tests {
    use super::{all_available, by_name, kernels};

    #[test]
    fn tables_have_distinct_names_and_are_found_by_them() {
        let names: Vec<_> = all_available().map(|table| table.name).collect();
        assert_eq!(names[0], "scalar");
        #[cfg(target_feature = "simd128")]
        assert_eq!(names[1..], ["simd128"]);
        for name in &names {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1);
            assert_eq!(by_name(name).map(|table| table.name), Some(*name));
        }
        assert_eq!(kernels().name, *names.last().unwrap());
        assert!(by_name("mmx").is_none());
    }
}
