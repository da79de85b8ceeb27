//! The pocket engine for C: the functions of `include/engine.h`.
//!
//! C has one engine, in this library's memory; it is used from one thread and never from inside
//! its own callbacks, as the header says. Each function takes every argument. On a computer with
//! an operating system a panic inside the engine (there is no known way to cause one) becomes the
//! function's error answer; on bare metal it stops the machine, since there is nobody to tell.
//!
//! With the feature `c-export` this library is the source of `pocket.c`: functions that pass
//! pointers bear names with `pk_`, and `embedded/c/after.c` puts those of the header around them.

#![cfg_attr(target_os = "none", no_std)]

mod hooks;
mod state;
pub mod types;

use core::ptr;

use pocket::engine::Limits;
use pocket::search::Progress;
use pocket::types::NO_SQUARE;
pub use state::{SLOTS, with_core};
use state::{guarded, with_engine};
use types::{
    ENGINE_API_VERSION, ENGINE_SETUP_NULL, ENGINE_SETUP_OK, ENGINE_STATUS_ILLEGAL, engine_hooks_t,
    engine_info_t, engine_move_effects_t, engine_move_t, engine_position_t, square,
};

/// Copies a value from the host.
///
/// # Safety
/// The pointer is null or points to a readable value.
unsafe fn read<T: Copy>(from: *const T) -> Option<T> {
    // SAFETY: not null, and readable by this function's own condition; the host's alignment is
    // its own affair.
    if from.is_null() { None } else { Some(unsafe { ptr::read_unaligned(from) }) }
}

/// Gives a value to the host.
///
/// # Safety
/// The pointer is null or points to memory where a value may be written.
unsafe fn write<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: not null, and writable by this function's own condition.
        unsafe { ptr::write_unaligned(to, value) }
    }
}

/// Starts the engine with a new game.
///
/// # Safety
/// `hooks` is null or points to hooks whose functions may be called until `engine_cleanup`.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_init"))]
pub unsafe extern "C" fn engine_init(hooks: *const engine_hooks_t) {
    // SAFETY: the same condition.
    unsafe { hooks::set(hooks) };
    engine_new_game();
}

/// Begins a game from the start.
#[unsafe(no_mangle)]
pub extern "C" fn engine_new_game() {
    guarded((), || with_engine(|engine| engine.core.new_game(engine.low, engine.high)));
}

/// Forgets hooks and game.
#[unsafe(no_mangle)]
pub extern "C" fn engine_cleanup() {
    // SAFETY: null means no hooks.
    unsafe { hooks::set(ptr::null()) };
    guarded((), || {
        with_engine(|engine| {
            engine.core.set_level(0);
            engine.core.set_seed(0);
            *engine.node_limit = 0;
        });
    });
    engine_new_game();
}

/// Takes over a position.
///
/// # Safety
/// `pos` is null or points to a position.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_set_position"))]
pub unsafe extern "C" fn engine_set_position(pos: *const engine_position_t) -> u8 {
    // SAFETY: the same condition.
    let Some(position) = (unsafe { read(pos) }) else { return ENGINE_SETUP_NULL };
    guarded(ENGINE_SETUP_NULL, || {
        let setup = match position.to_setup() {
            Ok(setup) => setup,
            Err(error) => return error as u8,
        };
        with_engine(|engine| match engine.core.set_position(&setup) {
            Ok(()) => ENGINE_SETUP_OK,
            Err(error) => error as u8,
        })
    })
}

/// Gives the position.
///
/// # Safety
/// `out` is null or points to memory for a position.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_get_position"))]
pub unsafe extern "C" fn engine_get_position(out: *mut engine_position_t) {
    let position = guarded(None, || {
        let setup = with_engine(|engine| engine.core.game().board.describe());
        Some(engine_position_t::from_setup(&setup))
    });
    if let Some(position) = position {
        // SAFETY: the same condition.
        unsafe { write(out, position) }
    }
}

/// Lists moves into the host's array.
///
/// # Safety
/// `out` is null or has room for `max` moves.
unsafe fn list(from: Option<u8>, out: *mut engine_move_t, max: u8) -> u8 {
    let count = guarded(0, || with_engine(|engine| engine.core.list_moves(from)));
    if out.is_null() {
        return count;
    }
    let count = if count < max { count } else { max };
    for i in 0..count {
        let m = with_engine(|engine| engine.core.listed(i));
        // SAFETY: `i` is below `max`, for which the host gave room.
        unsafe { write(out.add(i as usize), engine_move_t::from_move(m)) }
    }
    count
}

/// The legal moves of one square.
///
/// # Safety
/// `out` is null or has room for `max` moves.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_get_moves_from"))]
pub unsafe extern "C" fn engine_get_moves_from(
    row: u8,
    col: u8,
    out: *mut engine_move_t,
    max: u8,
) -> u8 {
    let from = square(row, col);
    if from == NO_SQUARE {
        return 0;
    }
    // SAFETY: the same condition.
    unsafe { list(Some(from), out, max) }
}

/// All legal moves.
///
/// # Safety
/// `out` is null or has room for `max` moves.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_get_all_moves"))]
pub unsafe extern "C" fn engine_get_all_moves(out: *mut engine_move_t, max: u8) -> u8 {
    // SAFETY: the same condition.
    unsafe { list(None, out, max) }
}

/// Whether some move between two squares is legal.
#[unsafe(no_mangle)]
pub extern "C" fn engine_is_legal(from_r: u8, from_c: u8, to_r: u8, to_c: u8) -> u8 {
    let (from, to) = (square(from_r, from_c), square(to_r, to_c));
    guarded(0, || with_engine(|engine| engine.core.find(from, to, None).is_some() as u8))
}

/// The engine's move for a host's move, if it is legal.
fn find(m: engine_move_t) -> Option<pocket::Move> {
    let (from, to, promotion) = m.parts();
    guarded(None, || with_engine(|engine| engine.core.find(from, to, Some(promotion))))
}

/// Whether a move is legal, promotion flags included.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
pub extern "C" fn engine_is_legal_move(m: engine_move_t) -> u8 {
    find(m).is_some() as u8
}

/// Plays a move.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
pub extern "C" fn engine_make_move(m: engine_move_t) -> u8 {
    let Some(m) = find(m) else { return ENGINE_STATUS_ILLEGAL };
    guarded(ENGINE_STATUS_ILLEGAL, || with_engine(|engine| engine.core.play(m) as u8))
}

/// What a move changes beside its own squares.
///
/// # Safety
/// `fx` is null or points to memory for effects.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
pub unsafe extern "C" fn engine_get_move_effects(m: engine_move_t, fx: *mut engine_move_effects_t) {
    let effects = find(m).map(engine_move_effects_t::of).unwrap_or_default();
    // SAFETY: the same condition.
    unsafe { write(fx, effects) }
}

/// Nodes for a time, when there is no clock: 350 a second, as `358 / 1024` a millisecond.
fn nodes_for(time_ms: u32) -> u32 {
    let nodes = (time_ms >> 10).saturating_mul(358) + (((time_ms & 1023) * 358) >> 10);
    if nodes == 0 { 1 } else { nodes }
}

/// The best move.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
pub extern "C" fn engine_think(max_depth: u8, max_time_ms: u32) -> engine_move_t {
    guarded(engine_move_t::NONE, || {
        let start = hooks::now();
        with_engine(|engine| {
            let mut limits = Limits { depth: max_depth, nodes: *engine.node_limit };
            if max_depth == 0 && max_time_ms == 0 && limits.nodes == 0 {
                limits.depth = 1;
            }
            if max_time_ms != 0 && start.is_none() {
                let nodes = nodes_for(max_time_ms);
                limits.nodes = if limits.nodes == 0 { nodes } else { limits.nodes.min(nodes) };
            }
            let pause = || match (start, hooks::now()) {
                // Differences survive a clock that wraps around.
                (Some(start), Some(now)) => {
                    max_time_ms != 0 && now.wrapping_sub(start) >= max_time_ms
                }
                _ => false,
            };
            let outcome = engine.core.think((engine.low, engine.high), limits, pause);
            *engine.last = outcome;
            engine_move_t::from_move(outcome.best)
        })
    })
}

/// Bounds every search by nodes.
#[unsafe(no_mangle)]
pub extern "C" fn engine_set_node_limit(nodes: u32) {
    with_engine(|engine| *engine.node_limit = nodes);
}

/// Sets the strength.
#[unsafe(no_mangle)]
pub extern "C" fn engine_set_level(level: u8) {
    with_engine(|engine| engine.core.set_level(level));
}

/// Sets the start of the engine's variety.
#[unsafe(no_mangle)]
pub extern "C" fn engine_set_seed(seed: u32) {
    with_engine(|engine| engine.core.set_seed(seed));
}

/// What the last thinking found.
///
/// # Safety
/// `out` is null or points to memory for it.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_get_info"))]
pub unsafe extern "C" fn engine_get_info(out: *mut engine_info_t) {
    let last = with_engine(|engine| *engine.last);
    let info = engine_info_t { nodes: last.nodes, score: last.score, depth: last.depth };
    // SAFETY: the same condition.
    unsafe { write(out, info) }
}

/// Begins to ponder.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
pub extern "C" fn engine_ponder_begin(predicted_reply: engine_move_t) {
    let predicted = find(predicted_reply);
    guarded((), || {
        with_engine(|engine| {
            let expected = match predicted {
                Some(m) => Some(m),
                None => engine.core.expected_move(engine.low, engine.high),
            };
            engine.core.ponder_begin(expected);
        });
    });
}

/// Ponders a number of nodes.
#[unsafe(no_mangle)]
pub extern "C" fn engine_ponder_step(node_budget: u16) -> u16 {
    guarded(0, || {
        let mut done = 0;
        while done < node_budget {
            if hooks::input_pending() {
                break;
            }
            let left = (node_budget - done) as u32;
            let portion = if left < 16 { left } else { 16 };
            let (progress, nodes) = with_engine(|engine| {
                let before = engine.core.outcome().nodes;
                let progress = engine.core.ponder_step(engine.low, engine.high, portion);
                (progress, engine.core.outcome().nodes - before)
            });
            done += nodes as u16;
            if progress == Progress::Finished {
                break;
            }
        }
        done
    })
}

/// Ends pondering.
#[unsafe(no_mangle)]
pub extern "C" fn engine_ponder_stop() {
    guarded((), || with_engine(|engine| engine.core.ponder_stop()));
}

/// How the game stands.
#[unsafe(no_mangle)]
pub extern "C" fn engine_get_status() -> u8 {
    guarded(ENGINE_STATUS_ILLEGAL, || with_engine(|engine| engine.core.status() as u8))
}

/// Whether the side to move is in check.
#[unsafe(no_mangle)]
pub extern "C" fn engine_in_check() -> u8 {
    guarded(0, || with_engine(|engine| engine.core.game().board.in_check() as u8))
}

/// The version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn engine_api_version() -> u8 {
    ENGINE_API_VERSION
}

/// All RAM of the library.
#[unsafe(no_mangle)]
pub extern "C" fn engine_ram_bytes() -> u32 {
    state::RAM_BYTES
}

/// The table's RAM.
#[unsafe(no_mangle)]
pub extern "C" fn engine_table_bytes() -> u32 {
    state::TABLE_BYTES
}

/// [`engine_is_legal_move`] without a structure.
#[unsafe(no_mangle)]
pub extern "C" fn engine_is_legal_flat(fr: u8, fc: u8, tr: u8, tc: u8, flags: u8) -> u8 {
    engine_is_legal_move(flat(fr, fc, tr, tc, flags))
}

/// [`engine_make_move`] without a structure.
#[unsafe(no_mangle)]
pub extern "C" fn engine_make_move_flat(fr: u8, fc: u8, tr: u8, tc: u8, flags: u8) -> u8 {
    engine_make_move(flat(fr, fc, tr, tc, flags))
}

/// [`engine_get_move_effects`] without a structure by value.
///
/// # Safety
/// `fx` is null or points to memory for effects.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_get_move_effects"))]
pub unsafe extern "C" fn engine_get_move_effects_flat(
    fr: u8,
    fc: u8,
    tr: u8,
    tc: u8,
    flags: u8,
    fx: *mut engine_move_effects_t,
) {
    // SAFETY: the same condition.
    unsafe { engine_get_move_effects(flat(fr, fc, tr, tc, flags), fx) }
}

/// [`engine_think`] without a structure by value.
///
/// # Safety
/// `out` is null or points to memory for a move.
#[cfg_attr(not(feature = "c-export"), unsafe(no_mangle))]
#[cfg_attr(feature = "c-export", unsafe(export_name = "pk_think"))]
pub unsafe extern "C" fn engine_think_flat(
    max_depth: u8,
    max_time_ms: u32,
    out: *mut engine_move_t,
) {
    let m = engine_think(max_depth, max_time_ms);
    // SAFETY: the same condition.
    unsafe { write(out, m) }
}

/// [`engine_ponder_begin`] without a structure.
#[unsafe(no_mangle)]
pub extern "C" fn engine_ponder_begin_flat(fr: u8, fc: u8, tr: u8, tc: u8, flags: u8) {
    engine_ponder_begin(flat(fr, fc, tr, tc, flags));
}

fn flat(from_row: u8, from_col: u8, to_row: u8, to_col: u8, flags: u8) -> engine_move_t {
    engine_move_t { from_row, from_col, to_row, to_col, flags }
}
