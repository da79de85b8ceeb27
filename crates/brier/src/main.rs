//! The Brier binary.
fn main() {}
