//! Files of users: found, read with a limit, replaced whole or not at all.
//!
//! A name that a user gives may be anything: a pipe that never ends, a device, a link, a file
//! that is being read. Every command that reads a whole file or writes one goes through here, so
//! that each of these is met once. What the bytes mean is the business of the callers.

mod find;
mod read;
mod write;

pub use find::find;
pub use read::{open, open_stream, read};
pub use write::{Replacement, check_writable, is_unfinished, replace, same_file};
