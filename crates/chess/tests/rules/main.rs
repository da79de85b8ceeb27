//! The rules of chess against data files and against themselves.
//!
//! One program with one module per question, so that the crate is linked once.

mod consistency;
mod exchange;
mod fen_errors;
mod legality;
mod notation;
mod observer;
mod perft;
mod random;
mod support;
