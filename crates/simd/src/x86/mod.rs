//! AVX2 and AVX-512, with run-time detection.

mod avx2;
mod avx512;
mod ternary;
mod threats;

use crate::dispatch::Kernels;

/// The tables this processor can run, best last.
pub(crate) fn available() -> impl Iterator<Item = &'static Kernels> {
    // Bundles, not single flags: a table uses all features of its row.
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vnni");
    let avx2 = avx2.then_some(&avx2::entries::TABLE);
    let avx512 = avx512.then_some(&avx512::entries::TABLE);
    avx2.into_iter().chain(avx512)
}
