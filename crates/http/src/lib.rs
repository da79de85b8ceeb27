//! HTTP for a page on one's own computer: no more than that needs, and careful about who asks.
//!
//! [`connection`] gives every connection a deadline and bounds their number, [`message`] reads
//! requests and writes answers, [`gate`] decides who may ask. What is not here: what is asked and
//! answered; see crate `serve`. Nothing here knows chess.
#![forbid(unsafe_code)]

pub mod connection;
pub mod gate;
pub mod message;
