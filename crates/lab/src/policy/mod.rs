//! Commands around the root policy: records for its training in PyTorch, and how often it is right.

pub(crate) mod accuracy;
pub(crate) mod data;
