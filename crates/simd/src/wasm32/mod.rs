//! SIMD128, the vector instructions of WebAssembly.
//!
//! A module either has them or not: an engine that does not know them refuses the whole module, so
//! there is nothing to detect at run time. A build with `-C target-feature=+simd128` has this
//! table, one without has the scalar table alone.

mod simd128;
mod ternary;

use crate::dispatch::Kernels;

/// The tables this build can run, best last.
pub(crate) fn available() -> impl Iterator<Item = &'static Kernels> {
    core::iter::once(&simd128::entries::TABLE)
}
