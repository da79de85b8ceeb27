//! A ternary transformer that orders the moves of the root position.
//!
//! The model reads a position and the moves played since ([`sequence`], [`tokens`]) and scores
//! every move ([`Model`]). Its weights are -1, 0 or +1 (BitNet b1.58), its activations bytes, and
//! it comes from a GGUF file ([`gguf`]) that states every size ([`Config`]). [`PolicyNet`] follows
//! a game with it and implements the seam the search knows, [`eval::Policy`].
//!
//! Not here: intrinsics (the products are kernels of `simd`), training (`training/bitnet`, in
//! PyTorch), and what the search does with the scores.

mod bench;
mod config;
mod forward;
pub mod gguf;
mod info;
pub mod math;
mod model;
mod policy;
pub mod sequence;
pub mod synthetic;
pub mod tokens;
mod weights;

pub use bench::{PolicyBench, bench};
pub use config::{ARCHITECTURE, Config};
pub use forward::Run;
pub use info::describe;
pub use model::Model;
pub use policy::PolicyNet;
