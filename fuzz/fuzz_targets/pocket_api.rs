//! Random sequences of calls to the C interface of the pocket engine; `calls` tells what they are.

#![no_main]

#[path = "../../crates/pocket-ffi/tests/support/calls.rs"]
mod calls;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| calls::run(data));
