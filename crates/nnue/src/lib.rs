//! A network that returns five quantiles instead of one number.
//!
//! - [`features`]: which inputs a position switches on, the same for the engine and the trainer.
//! - [`arch`]: the shape of the network and the scales of its integers.

pub mod arch;
pub mod features;

/// FNV-1a over bytes: notices damage in our files. Not proof against malice.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
