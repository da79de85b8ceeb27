//! The first thing the program does, before `main`: look whether the processor can run it.
//!
//! A build for newer processors has their instructions even in the code that Rust puts before
//! `main`. An entry in the system's table of initialisers comes earlier still.

use core::ffi::{c_int, c_void};

#[used]
#[cfg_attr(target_os = "windows", unsafe(link_section = ".CRT$XCU"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(
    not(any(target_os = "windows", target_vendor = "apple")),
    unsafe(link_section = ".init_array")
)]
static INITIALISER: extern "C" fn() = check_processor;

#[cfg(target_os = "windows")]
type Length = core::ffi::c_uint;
#[cfg(not(target_os = "windows"))]
type Length = usize;

// Windows has the same two functions under names of its own.
unsafe extern "C" {
    #[cfg_attr(target_os = "windows", link_name = "_write")]
    fn write(file: c_int, bytes: *const c_void, length: Length) -> isize;
    fn _exit(status: c_int) -> !;
}

/// Ends the program with one line if an instruction set is missing.
extern "C" fn check_processor() {
    if let Some(feature) = simd::processor::lacking() {
        say("brier: expected a processor with ");
        say(feature);
        say(", got one without; take a build for older processors\n");
        // SAFETY: it takes a number and does not return. Nothing has begun that needs an end.
        unsafe { _exit(1) }
    }
}

/// Writes to the error output without the standard library, which may not run here.
fn say(text: &str) {
    const STANDARD_ERROR: c_int = 2;
    // SAFETY: the pointer is good for the length; what could not be written is lost.
    unsafe { write(STANDARD_ERROR, text.as_ptr().cast(), text.len() as Length) };
}
