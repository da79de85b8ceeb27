//! The types and constants of `engine.h`, under the header's own names, and their translation.
//!
//! The layout is pinned here and in the C test, so that the two sides cannot drift apart.

#![expect(non_camel_case_types, reason = "the names are those of engine.h")]

use pocket::types::{
    BISHOP, BLACK, EMPTY, KING, KNIGHT, NO_SQUARE, Piece, QUEEN, ROOK, Square, WHITE, kind,
    on_board, piece, side_of,
};
use pocket::{Move, Setup, SetupError};

/// No en-passant square.
pub const ENGINE_EP_NONE: u8 = 0xFF;
/// No square: the origin of a move that is none.
pub const ENGINE_SQ_NONE: u8 = 0xFF;
/// The move takes something.
pub const ENGINE_FLAG_CAPTURE: u8 = 0x01;
/// The move castles.
pub const ENGINE_FLAG_CASTLE: u8 = 0x02;
/// The move takes in passing.
pub const ENGINE_FLAG_EN_PASSANT: u8 = 0x04;
/// The move promotes.
pub const ENGINE_FLAG_PROMOTION: u8 = 0x08;
/// To a rook.
pub const ENGINE_FLAG_PROMO_R: u8 = 0x10;
/// To a bishop.
pub const ENGINE_FLAG_PROMO_B: u8 = 0x20;
/// To a knight.
pub const ENGINE_FLAG_PROMO_N: u8 = 0x30;
/// The bits that tell the piece.
pub const ENGINE_FLAG_PROMO_MASK: u8 = 0x30;
/// Not a legal move.
pub const ENGINE_STATUS_ILLEGAL: u8 = 0xFF;
/// The position was taken over.
pub const ENGINE_SETUP_OK: u8 = 0;
/// A null pointer where a position was expected.
pub const ENGINE_SETUP_NULL: u8 = 9;
/// The version of the interface.
pub const ENGINE_API_VERSION: u8 = 1;

/// The host's clock.
pub type engine_time_ms_fn = Option<unsafe extern "C" fn() -> u32>;
/// The host's keyboard.
pub type engine_input_pending_fn = Option<unsafe extern "C" fn() -> u8>;

/// What the host offers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct engine_hooks_t {
    /// Milliseconds since any moment.
    pub time_ms: engine_time_ms_fn,
    /// Nonzero if the user did something.
    pub input_pending: engine_input_pending_fn,
}

/// A position in the host's terms.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct engine_position_t {
    /// Pieces by row and column.
    pub board: [[i8; 8]; 8],
    /// 1 for White, -1 for Black.
    pub turn: i8,
    /// `ENGINE_CASTLE_*` bits.
    pub castling: u8,
    /// Row of the square just stepped over.
    pub ep_row: u8,
    /// Its column.
    pub ep_col: u8,
    /// Half-moves since capture or pawn move.
    pub halfmove_clock: u8,
    /// The move's number.
    pub fullmove_number: u16,
}

/// A move in the host's terms.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct engine_move_t {
    /// Row of the origin.
    pub from_row: u8,
    /// Column of the origin.
    pub from_col: u8,
    /// Row of the destination.
    pub to_row: u8,
    /// Column of the destination.
    pub to_col: u8,
    /// `ENGINE_FLAG_*` bits.
    pub flags: u8,
}

/// What a move changes beside its own squares.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct engine_move_effects_t {
    /// 1 if a rook moves too.
    pub has_rook_move: u8,
    /// Row the rook leaves.
    pub rook_from_row: u8,
    /// Column the rook leaves.
    pub rook_from_col: u8,
    /// Row the rook goes to.
    pub rook_to_row: u8,
    /// Column the rook goes to.
    pub rook_to_col: u8,
    /// 1 if a pawn is taken in passing.
    pub has_ep_capture: u8,
    /// Its row.
    pub ep_capture_row: u8,
    /// Its column.
    pub ep_capture_col: u8,
}

/// What the last thinking found.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct engine_info_t {
    /// Positions looked at.
    pub nodes: u32,
    /// Centipawns.
    pub score: i16,
    /// The last finished iteration.
    pub depth: u8,
}

const _: () = {
    use core::mem::offset_of;
    assert!(size_of::<engine_move_t>() == 5 && align_of::<engine_move_t>() == 1);
    assert!(size_of::<engine_move_effects_t>() == 8);
    assert!(offset_of!(engine_position_t, turn) == 64);
    assert!(offset_of!(engine_position_t, halfmove_clock) == 68);
    assert!(offset_of!(engine_position_t, fullmove_number) == 70);
    assert!(size_of::<engine_position_t>() == 72);
    assert!(size_of::<engine_info_t>() == 8 && offset_of!(engine_info_t, depth) == 6);
};

/// The square of a row and column, or [`NO_SQUARE`].
pub fn square(row: u8, col: u8) -> Square {
    if row < 8 && col < 8 { row << 4 | col } else { NO_SQUARE }
}

impl engine_move_t {
    /// No move.
    pub const NONE: engine_move_t = engine_move_t {
        from_row: ENGINE_SQ_NONE,
        from_col: ENGINE_SQ_NONE,
        to_row: ENGINE_SQ_NONE,
        to_col: ENGINE_SQ_NONE,
        flags: 0,
    };

    /// An engine's move for the host.
    pub fn from_move(m: Move) -> engine_move_t {
        if m == Move::NONE {
            return Self::NONE;
        }
        let mut flags = 0;
        if m.is_capture() {
            flags |= ENGINE_FLAG_CAPTURE;
        }
        if m.is_castle() {
            flags |= ENGINE_FLAG_CASTLE;
        }
        if m.is_en_passant() {
            flags |= ENGINE_FLAG_EN_PASSANT;
        }
        if m.is_promotion() {
            // Queen, rook, bishop, knight count from 0 here and down from 5 there.
            flags |= ENGINE_FLAG_PROMOTION | (QUEEN - m.promotion()) << 4;
        }
        engine_move_t {
            from_row: m.from() >> 4,
            from_col: m.from() & 7,
            to_row: m.to() >> 4,
            to_col: m.to() & 7,
            flags,
        }
    }

    /// The origin, the destination, and what a pawn becomes (0: it does not promote).
    pub fn parts(&self) -> (Square, Square, Piece) {
        let promotion =
            match (self.flags & ENGINE_FLAG_PROMOTION, self.flags & ENGINE_FLAG_PROMO_MASK) {
                (0, _) => 0,
                (_, ENGINE_FLAG_PROMO_R) => ROOK,
                (_, ENGINE_FLAG_PROMO_B) => BISHOP,
                (_, ENGINE_FLAG_PROMO_N) => KNIGHT,
                _ => QUEEN,
            };
        (square(self.from_row, self.from_col), square(self.to_row, self.to_col), promotion)
    }
}

impl engine_move_effects_t {
    /// The effects of an engine's move.
    pub fn of(m: Move) -> engine_move_effects_t {
        let [rook_from, rook_to, pawn] = pocket::engine::Engine::effects(m);
        let mut fx = engine_move_effects_t::default();
        if on_board(rook_from) {
            fx.has_rook_move = 1;
            (fx.rook_from_row, fx.rook_from_col) = (rook_from >> 4, rook_from & 7);
            (fx.rook_to_row, fx.rook_to_col) = (rook_to >> 4, rook_to & 7);
        }
        if on_board(pawn) {
            fx.has_ep_capture = 1;
            (fx.ep_capture_row, fx.ep_capture_col) = (pawn >> 4, pawn & 7);
        }
        fx
    }
}

impl engine_position_t {
    /// A host's position as a description, which may still be impossible.
    pub fn to_setup(&self) -> Result<Setup, SetupError> {
        let mut setup = Setup { squares: [EMPTY; 64], ..Setup::START };
        // Numbers, not iterators: those of nested arrays keep pointers in memory, see `hooks`.
        for i in 0..64u8 {
            let code = self.board[(i >> 3) as usize][(i & 7) as usize];
            let i = i as usize;
            let kind = code.unsigned_abs();
            if kind > KING {
                return Err(SetupError::NotAPiece);
            }
            if kind != EMPTY {
                setup.squares[i] = piece(kind, if code > 0 { WHITE } else { BLACK });
            }
        }
        setup.side = match self.turn {
            1 => WHITE,
            -1 => BLACK,
            _ => return Err(SetupError::Side),
        };
        setup.castling = self.castling;
        setup.en_passant = if self.ep_row == ENGINE_EP_NONE && self.ep_col == ENGINE_EP_NONE {
            NO_SQUARE
        } else if self.ep_row < 8 && self.ep_col < 8 {
            square(self.ep_row, self.ep_col)
        } else {
            return Err(SetupError::EnPassant);
        };
        setup.halfmove = self.halfmove_clock;
        setup.fullmove = self.fullmove_number;
        Ok(setup)
    }

    /// A description for the host.
    pub fn from_setup(setup: &Setup) -> engine_position_t {
        let mut board = [[0i8; 8]; 8];
        for i in 0..64u8 {
            let p = setup.squares[i as usize];
            let code = kind(p) as i8;
            board[(i >> 3) as usize][(i & 7) as usize] =
                if side_of(p) == BLACK { -code } else { code };
        }
        let none = setup.en_passant == NO_SQUARE;
        engine_position_t {
            board,
            turn: if setup.side == WHITE { 1 } else { -1 },
            castling: setup.castling,
            ep_row: if none { ENGINE_EP_NONE } else { setup.en_passant >> 4 },
            ep_col: if none { ENGINE_EP_NONE } else { setup.en_passant & 7 },
            halfmove_clock: setup.halfmove,
            fullmove_number: setup.fullmove,
        }
    }
}
