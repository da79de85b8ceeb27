//! Runs the pocket engine on an emulated Cortex-M and prints what it found and what it used:
//! the lines of `pocket::proof`, then lines that begin with `#` and tell instructions, RAM and
//! stack. The exit code is 0 unless something panicked or the processor faulted.
//!
//! Start-up, output and the clock are in `machine`.

#![no_std]
#![no_main]

mod machine;

use machine::{exit, number, print, put, ticks};
use pocket::proof::{self, FULL};

/// QEMU's SysTick runs at 25 MHz; with `-icount shift=0` an instruction takes a nanosecond.
const INSTRUCTIONS_PER_TICK: u32 = 40;

pub(crate) fn main() -> ! {
    pocket_ffi::with_core(|engine, low, high| {
        proof::counts(engine, (low, high), &FULL, put);
    });
    let after_counts = machine::stack_used();
    let start = ticks();
    pocket_ffi::with_core(|engine, low, high| {
        proof::searches(engine, (low, high), &FULL, put);
    });
    let per_node = (ticks() - start) / (6 * FULL.nodes / INSTRUCTIONS_PER_TICK);
    report("# instructions per node", per_node);
    report("# stack after perft", after_counts);
    report("# static RAM of the engine", pocket_ffi::engine_ram_bytes());
    report("# static RAM of the image", machine::static_ram());
    report("# stack high water", machine::stack_used());
    exit(0)
}

fn report(name: &str, value: u32) {
    print(name);
    print(" ");
    number(value);
    print("\n");
}
