//! NEON, which every 64-bit ARM processor has.

mod neon;
mod ternary;

use crate::dispatch::Kernels;

/// The tables this processor can run, best last.
pub(crate) fn available() -> impl Iterator<Item = &'static Kernels> {
    std::arch::is_aarch64_feature_detected!("neon").then_some(&neon::entries::TABLE).into_iter()
}
