//! The least a Cortex-M program needs: vectors, memory set-up, semihosting output, SysTick as a
//! free-running counter, and a painted stack.
//!
//! Everything unsafe of the image is here. It is for emulators: semihosting stops real hardware
//! that has no debugger.

use core::arch::asm;

unsafe extern "C" {
    static mut _data_start: u32;
    static mut _data_end: u32;
    static _data_source: u32;
    static mut _bss_start: u32;
    static mut _bss_end: u32;
    fn _stack_top();
}

#[repr(C)]
union Vector {
    stack: unsafe extern "C" fn(),
    handler: extern "C" fn() -> !,
}

#[unsafe(link_section = ".vectors")]
#[used]
static VECTORS: [Vector; 4] = [
    Vector { stack: _stack_top },
    Vector { handler: reset },
    Vector { handler: fault },
    Vector { handler: fault },
];

/// A fault, or a panic: the library's panic handler ends in one.
extern "C" fn fault() -> ! {
    print("FAULT\n");
    exit(102)
}

/// What the unused stack is filled with.
const PAINT: u32 = 0xDEAD_BEEF;

#[unsafe(no_mangle)]
extern "C" fn reset() -> ! {
    let here: usize;
    // SAFETY: runs once, before anything else; the linker script's symbols bound the sections,
    // and painting stops below the current frame.
    unsafe {
        let mut at = &raw mut _bss_start;
        while at < &raw mut _bss_end {
            at.write_volatile(0);
            at = at.add(1);
        }
        let (mut to, mut from) = (&raw mut _data_start, &raw const _data_source);
        while to < &raw mut _data_end {
            to.write_volatile(from.read_volatile());
            (to, from) = (to.add(1), from.add(1));
        }
        asm!("mov {0}, sp", out(reg) here);
        let mut at = &raw mut _bss_end;
        while (at as usize) < here - 64 {
            at.write_volatile(PAINT);
            at = at.add(1);
        }
        // SysTick: reload with all ones, processor clock, no interrupt.
        (0xE000_E014 as *mut u32).write_volatile(0x00FF_FFFF);
        (0xE000_E018 as *mut u32).write_volatile(0);
        (0xE000_E010 as *mut u32).write_volatile(5);
    }
    crate::main()
}

/// How deep the stack ever was.
pub(crate) fn stack_used() -> u32 {
    // SAFETY: reads RAM between the end of the static data and the stack.
    unsafe {
        let mut at = &raw const _bss_end;
        while at.read_volatile() == PAINT {
            at = at.add(1);
        }
        (_stack_top as *const () as usize - at as usize) as u32
    }
}

/// The bytes of `.data` and `.bss`.
pub(crate) fn static_ram() -> u32 {
    let data = &raw const _data_end as usize - &raw const _data_start as usize;
    let bss = &raw const _bss_end as usize - &raw const _bss_start as usize;
    (data + bss) as u32
}

static mut LAST: u32 = 0x00FF_FFFF;
static mut TOTAL: u32 = 0;

/// Ticks since the start, if asked at least every 0.6 emulated seconds.
pub(crate) fn ticks() -> u32 {
    // SAFETY: one thread; the address is SysTick's counter, which counts down.
    unsafe {
        let now = (0xE000_E018 as *const u32).read_volatile();
        TOTAL = TOTAL.wrapping_add(LAST.wrapping_sub(now) & 0x00FF_FFFF);
        LAST = now;
        TOTAL
    }
}

#[inline(never)]
fn semihost(operation: usize, argument: usize) {
    // SAFETY: a semihosting call, which the emulator answers.
    unsafe { asm!("bkpt 0xAB", inlateout("r0") operation => _, in("r1") argument) }
}

/// Prints a byte. The clock is read too, so that it never wraps unseen.
pub(crate) fn put(byte: u8) {
    ticks();
    semihost(0x03, &raw const byte as usize);
}

/// Prints text.
pub(crate) fn print(text: &str) {
    for byte in text.bytes() {
        put(byte);
    }
}

/// Prints a number in decimal.
pub(crate) fn number(mut n: u32) {
    let mut digits = [0u8; 10];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    for &digit in &digits[first..] {
        put(digit);
    }
}

/// Ends the emulator with an exit code.
pub(crate) fn exit(code: usize) -> ! {
    let block = [0x20026usize, code];
    semihost(0x20, block.as_ptr() as usize);
    loop {}
}
