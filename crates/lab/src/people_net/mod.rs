//! Commands around the network of crate `people`: games for it, its training, how good it is.

pub(crate) mod data;
pub(crate) mod find;
pub(crate) mod judge;
pub(crate) mod levels;
mod model;
pub(crate) mod train;
