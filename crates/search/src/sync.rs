//! What the state of a search synchronises with. A module of its own, so that `models/control` can
//! put loom's in its place.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
pub(crate) use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
