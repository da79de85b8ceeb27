//! What the translated C offers: the two halves of `pocket::proof`, and the sizes of the state.
//!
//! The host in C brings `pk_put`, which prints a byte, and `pk_trap`, which stops. No pointer is
//! kept in memory and no structure crosses the border, so that the translation is simple.

#![no_std]

use core::cell::UnsafeCell;
use core::panic::PanicInfo;

use pocket::engine::Engine;
use pocket::proof;
use pocket::table::Bank;

type Table = Bank<{ proof::SMALL_SLOTS }>;

struct OneThread<T>(UnsafeCell<T>);
// SAFETY: there is one thread on these machines.
unsafe impl<T> Sync for OneThread<T> {}

static ENGINE: OneThread<Engine> = OneThread(UnsafeCell::new(Engine::ZERO));
static LOW: OneThread<Table> = OneThread(UnsafeCell::new(Table::EMPTY));
static HIGH: OneThread<Table> = OneThread(UnsafeCell::new(Table::EMPTY));

unsafe extern "C" {
    safe fn pk_put(byte: u8);
    safe fn pk_trap() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    pk_trap()
}

fn put(byte: u8) {
    pk_put(byte);
}

/// Lends the engine and the banks of its table to a function.
fn with_engine(run: impl FnOnce(&mut Engine, (&mut Table, &mut Table))) {
    // SAFETY: one thread, and the functions of this file do not call each other.
    let (engine, low, high) =
        unsafe { (&mut *ENGINE.0.get(), &mut *LOW.0.get(), &mut *HIGH.0.get()) };
    run(engine, (low, high));
}

/// Counts the leaves of every position and prints them.
#[unsafe(no_mangle)]
pub extern "C" fn pk_counts() {
    with_engine(|engine, banks| proof::counts(engine, banks, &proof::SMALL, put));
}

/// Searches every position and prints what was found.
#[unsafe(no_mangle)]
pub extern "C" fn pk_searches() {
    with_engine(|engine, banks| proof::searches(engine, banks, &proof::SMALL, put));
}
