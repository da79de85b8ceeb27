//! Kernels written once over [`crate::isa::Isa`].
//!
//! All are `#[inline(always)]` so that they take on the features of the entry that calls them.

pub(crate) mod nnue;
pub(crate) mod ternary;
pub(crate) mod train;
