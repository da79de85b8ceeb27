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

/// Slots in a bank: small, because a Z80's 64 KB hold code, tables and state together.
const SLOTS: usize = 256;

struct OneThread<T>(UnsafeCell<T>);
// SAFETY: there is one thread on these machines.
unsafe impl<T> Sync for OneThread<T> {}

static ENGINE: OneThread<Engine> = OneThread(UnsafeCell::new(Engine::ZERO));
static LOW: OneThread<Bank<SLOTS>> = OneThread(UnsafeCell::new(Bank::EMPTY));
static HIGH: OneThread<Bank<SLOTS>> = OneThread(UnsafeCell::new(Bank::EMPTY));

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

/// Counts the leaves of a position and prints them.
#[unsafe(no_mangle)]
pub extern "C" fn pk_count(position: u8, depth: u8) {
    // SAFETY: one thread, and the functions of this file do not call each other.
    let (engine, low, high) =
        unsafe { (&mut *ENGINE.0.get(), &mut *LOW.0.get(), &mut *HIGH.0.get()) };
    proof::count(engine, (low, high), (position, depth), put);
}

/// Searches a position with a number of nodes and prints what was found.
#[unsafe(no_mangle)]
pub extern "C" fn pk_think(position: u8, nodes: u32) {
    // SAFETY: as above.
    let (engine, low, high) =
        unsafe { (&mut *ENGINE.0.get(), &mut *LOW.0.get(), &mut *HIGH.0.get()) };
    proof::think(engine, (low, high), (position, nodes), put);
}

/// Bytes of state, the table included.
#[unsafe(no_mangle)]
pub extern "C" fn pk_ram() -> u16 {
    (size_of::<Engine>() + 2 * size_of::<Bank<SLOTS>>()) as u16
}
