//! Commands around the root policy: records for its training in PyTorch, how often it is right,
//! and the checksum of its file.

pub(crate) mod accuracy;
pub(crate) mod data;
pub(crate) mod seal;
