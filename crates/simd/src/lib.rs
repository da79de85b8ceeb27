//! The only crate with intrinsics: vector kernels and the choice between them.
//!
//! Each kernel is written once over the [`isa::Isa`] operations (`generic/`), compiled once for
//! every instruction set (`x86/`, `aarch64/`, `wasm32/`) and defined by plain Rust (`scalar/`). One is written
//! for AVX-512 alone: `x86/threats.rs`, which equals what `nnue` finds by looking along lines.
//! Callers take one table of functions at start-up ([`kernels`]) and keep the reference; a test
//! may take any other table from [`all_available`] and must get the same bits.
//!
//! Not here: what the numbers mean. Network shapes and files live in `nnue` and `bitnet`, the
//! training loop lives in `lab`.

#![deny(unsafe_op_in_unsafe_fn)]

mod aligned;
mod dispatch;
mod entry;
mod generic;
mod huge_pages;
mod isa;
mod large_blocks;
pub mod nnue;
mod prefetch;
pub mod processor;
pub mod scalar;
pub mod ternary;
mod ternary_isa;
pub mod threats;
pub mod train;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use aligned::Aligned;
pub use dispatch::{Kernels, all_available, by_name, kernels};
pub use huge_pages::prefer_huge_pages;
pub use large_blocks::give_back_large_blocks;
pub use prefetch::prefetch;
