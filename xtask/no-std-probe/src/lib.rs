//! Links the embeddable crates without the standard library; see `xtask/src/no_std.rs`.
#![no_std]

use chess as _;
use pocket as _;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
