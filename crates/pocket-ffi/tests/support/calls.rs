//! A random sequence of calls to the C interface, with random arguments: shared by a test, which
//! feeds it random bytes, and a fuzz target, which looks for better ones.
//!
//! Each byte string is a program: an opcode, then as many bytes as the call takes. Whatever is
//! called, the position must stay one that the engine itself accepts, and the move that it thinks
//! of must be legal.

use pocket_ffi::types::{
    ENGINE_SETUP_OK, ENGINE_SQ_NONE, engine_info_t, engine_move_effects_t, engine_move_t,
    engine_position_t,
};

/// Hands out the input's bytes; zeros at the end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    fn any_move(&mut self) -> engine_move_t {
        let [from_row, from_col, to_row, to_col, flags] = [(); 5].map(|()| self.next());
        engine_move_t { from_row, from_col, to_row, to_col, flags }
    }

    /// One of the legal moves, if there are any.
    fn legal_move(&mut self) -> engine_move_t {
        let mut moves = [engine_move_t::NONE; 218];
        // SAFETY: there is room for 218 moves.
        let count = unsafe { pocket_ffi::engine_get_all_moves(moves.as_mut_ptr(), 218) };
        if count == 0 { engine_move_t::NONE } else { moves[(self.next() % count) as usize] }
    }
}

fn current() -> engine_position_t {
    let mut position = std::mem::MaybeUninit::zeroed();
    // SAFETY: the engine fills the whole structure, and zeros are a valid one.
    unsafe {
        pocket_ffi::engine_get_position(position.as_mut_ptr());
        position.assume_init()
    }
}

/// Runs one program.
pub(crate) fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    // SAFETY: null hooks are allowed.
    unsafe { pocket_ffi::engine_init(std::ptr::null()) };
    pocket_ffi::engine_set_node_limit(200);
    while !bytes.0.is_empty() {
        match bytes.next() % 14 {
            0 => pocket_ffi::engine_new_game(),
            1 => {
                let mut position = current();
                for _ in 0..bytes.next() % 8 {
                    let at = bytes.next() % 64;
                    position.board[(at >> 3) as usize][(at & 7) as usize] = bytes.next() as i8 % 8;
                }
                position.turn = if bytes.next() & 1 == 0 { 1 } else { -1 };
                position.castling = bytes.next();
                position.ep_row = bytes.next();
                position.ep_col = bytes.next();
                position.halfmove_clock = bytes.next();
                let before = current();
                // SAFETY: a valid reference.
                let answer = unsafe { pocket_ffi::engine_set_position(&position) };
                if answer != ENGINE_SETUP_OK {
                    assert_eq!(current(), before);
                }
            }
            2 => drop(pocket_ffi::engine_make_move(bytes.any_move())),
            3 => {
                let m = bytes.legal_move();
                let legal = pocket_ffi::engine_is_legal_move(m);
                assert_eq!(legal == 1, m.from_row != ENGINE_SQ_NONE);
                pocket_ffi::engine_make_move(m);
            }
            4 => {
                let m = pocket_ffi::engine_think(bytes.next() % 4, 0);
                let none = m.from_row == ENGINE_SQ_NONE;
                assert_eq!(pocket_ffi::engine_is_legal_move(m) == 0, none);
            }
            5 => pocket_ffi::engine_ponder_begin(bytes.any_move()),
            6 => {
                let m = bytes.legal_move();
                pocket_ffi::engine_ponder_begin(m);
            }
            7 => drop(pocket_ffi::engine_ponder_step(u16::from(bytes.next()))),
            8 => pocket_ffi::engine_ponder_stop(),
            9 => {
                let m = bytes.any_move();
                let (a, b, c, d) = (m.from_row, m.from_col, m.to_row, m.to_col);
                pocket_ffi::engine_is_legal(a, b, c, d);
            }
            10 => {
                let mut fx = engine_move_effects_t::default();
                // SAFETY: a valid reference, then null, which is allowed.
                unsafe {
                    pocket_ffi::engine_get_move_effects(bytes.any_move(), &mut fx);
                    pocket_ffi::engine_get_move_effects(bytes.any_move(), std::ptr::null_mut());
                }
            }
            11 => pocket_ffi::engine_set_level(bytes.next() % 3),
            12 => {
                let mut info = engine_info_t { nodes: 0, score: 0, depth: 0 };
                // SAFETY: a valid reference.
                unsafe { pocket_ffi::engine_get_info(&mut info) };
            }
            _ => {
                pocket_ffi::engine_get_status();
                pocket_ffi::engine_in_check();
            }
        }
    }
    // What the engine holds is a position that it would accept.
    // SAFETY: a valid reference.
    assert_eq!(unsafe { pocket_ffi::engine_set_position(&current()) }, ENGINE_SETUP_OK);
}
