//! What `control` synchronises with: loom's in place of the standard library's.

pub(crate) use std::sync::{OnceLock, PoisonError};

pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
pub(crate) use loom::sync::{Condvar, Mutex};
