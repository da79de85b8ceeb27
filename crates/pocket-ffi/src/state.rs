//! The one engine that C programs share, and the wall against panics.
//!
//! The memory is static and starts as zeros, so it costs no flash. It is three objects because
//! none may exceed 32,767 bytes on a 16-bit target.

use core::cell::UnsafeCell;

use pocket::Move;
use pocket::engine::Engine;
use pocket::search::Outcome;
use pocket::table::Bank;

#[cfg(not(feature = "c-export"))]
use crate::types::engine_hooks_t;

/// Slots in each of the table's two banks.
#[cfg(not(feature = "small-table"))]
pub const SLOTS: usize = pocket::table::BANK;
/// Slots in each of the table's two banks.
#[cfg(feature = "small-table")]
pub const SLOTS: usize = 256;

/// Everything but the table.
struct State {
    core: Engine,
    #[cfg(not(feature = "c-export"))]
    hooks: engine_hooks_t,
    node_limit: u32,
    last: Outcome,
}

/// A value that C may use from one thread.
#[repr(transparent)]
struct OneThread<T>(UnsafeCell<T>);

// SAFETY: `engine.h` demands that all calls come from one thread. Price: a host that breaks this
// breaks the engine; a lock would cost RAM and does not exist on the targets.
unsafe impl<T> Sync for OneThread<T> {}

static STATE: OneThread<State> = OneThread(UnsafeCell::new(State {
    core: Engine::ZERO,
    #[cfg(not(feature = "c-export"))]
    hooks: engine_hooks_t { time_ms: None, input_pending: None },
    node_limit: 0,
    last: Outcome { best: Move::NONE, score: 0, depth: 0, nodes: 0 },
}));
static LOW: OneThread<Bank<SLOTS>> = OneThread(UnsafeCell::new(Bank::EMPTY));
static HIGH: OneThread<Bank<SLOTS>> = OneThread(UnsafeCell::new(Bank::EMPTY));

/// The table's part of the RAM.
pub(crate) const TABLE_BYTES: u32 = 2 * size_of::<Bank<SLOTS>>() as u32;
/// All static RAM of the library.
pub(crate) const RAM_BYTES: u32 = TABLE_BYTES + size_of::<State>() as u32;

const _: () = assert!(size_of::<State>() <= 32_767 && size_of::<Bank<SLOTS>>() <= 32_767);

/// The engine, borrowed for one call.
pub(crate) struct Borrowed<'a> {
    pub(crate) core: &'a mut Engine,
    pub(crate) low: &'a mut Bank<SLOTS>,
    pub(crate) high: &'a mut Bank<SLOTS>,
    pub(crate) node_limit: &'a mut u32,
    pub(crate) last: &'a mut Outcome,
}

/// Lends the engine to a function. Host callbacks may run inside: they must not call the engine,
/// as the header says.
pub(crate) fn with_engine<R>(f: impl FnOnce(Borrowed<'_>) -> R) -> R {
    // SAFETY: one thread, no re-entry (the callers in `lib.rs` never nest), and the three objects
    // are distinct; `hooks` is not borrowed here.
    unsafe {
        let state = STATE.0.get();
        f(Borrowed {
            core: &mut (*state).core,
            low: &mut *LOW.0.get(),
            high: &mut *HIGH.0.get(),
            node_limit: &mut (*state).node_limit,
            last: &mut (*state).last,
        })
    }
}

/// Lends the engine and its table to a host in Rust that shares them with C, as the test image
/// does.
pub fn with_core<R>(f: impl FnOnce(&mut Engine, &mut Bank<SLOTS>, &mut Bank<SLOTS>) -> R) -> R {
    with_engine(|engine| f(engine.core, engine.low, engine.high))
}

/// Lends the hooks to a function.
#[cfg(not(feature = "c-export"))]
pub(crate) fn with_hooks<R>(f: impl FnOnce(&mut engine_hooks_t) -> R) -> R {
    // SAFETY: one thread, no re-entry, and `with_engine` does not touch the hooks.
    f(unsafe { &mut (*STATE.0.get()).hooks })
}

/// Runs a function; if it panics, answers `failed` and starts the engine anew.
#[cfg(not(target_os = "none"))]
pub(crate) fn guarded<R>(failed: R, f: impl FnOnce() -> R) -> R {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| {
        with_engine(|engine| *engine.core = Engine::ZERO);
        failed
    })
}

/// Runs a function; there is no unwinding on bare metal.
#[cfg(target_os = "none")]
pub(crate) fn guarded<R>(_: R, f: impl FnOnce() -> R) -> R {
    f()
}

/// On bare metal a panic has nowhere to go: an undefined instruction hands the machine to the
/// host's fault handler, where there is one.
#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(feature = "c-export")]
    {
        unsafe extern "C" {
            safe fn pk_trap() -> !;
        }
        pk_trap()
    }
    #[cfg(target_arch = "arm")]
    // SAFETY: traps; nothing is touched.
    unsafe {
        core::arch::asm!("udf #0");
    }
    #[cfg(not(feature = "c-export"))]
    loop {}
}
