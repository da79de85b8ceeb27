//! The C interface against the `chess` crate on random games: legality of every pair of squares,
//! side effects of every move, and the status after it.

use std::collections::BTreeSet;

use chess::{Board, Move, MoveKind, Rng, Square, repetition};
use pocket_ffi::types::{
    ENGINE_FLAG_PROMOTION, engine_move_effects_t, engine_move_t, engine_position_t,
};
use pocket_ffi::{
    engine_get_all_moves, engine_get_move_effects, engine_get_position, engine_get_status,
    engine_is_legal, engine_make_move, engine_new_game,
};

/// Row and column of a square.
fn place(square: Square) -> (u8, u8) {
    let index = square.index() as u8;
    (7 - (index >> 3), index & 7)
}

/// The oracle's move in the interface's terms: origin, destination, promotion flags.
fn translate(m: Move) -> engine_move_t {
    let ((from_row, from_col), (to_row, mut to_col)) = (place(m.from()), place(m.to()));
    let mut flags = 0;
    match m.kind() {
        MoveKind::Castling => to_col = if to_col > from_col { 6 } else { 2 },
        // Queen, rook, bishop, knight are 0 to 3 in the flags, and 4 down to 1 there.
        MoveKind::Promotion(piece) => {
            flags = ENGINE_FLAG_PROMOTION | (4 - piece.index() as u8) << 4;
        }
        _ => {}
    }
    engine_move_t { from_row, from_col, to_row, to_col, flags }
}

/// What must change beside the move's own squares, from the oracle's boards alone.
fn expected_effects(board: &Board, m: Move) -> engine_move_effects_t {
    let mut fx = engine_move_effects_t::default();
    let ((row, king), (_, rook)) = (place(m.from()), place(m.to()));
    match m.kind() {
        MoveKind::Castling => {
            let short = rook > king;
            fx.has_rook_move = 1;
            (fx.rook_from_row, fx.rook_from_col) = (row, rook);
            (fx.rook_to_row, fx.rook_to_col) = (row, if short { 5 } else { 3 });
        }
        MoveKind::EnPassant => {
            assert!(board.en_passant().is_some());
            fx.has_ep_capture = 1;
            (fx.ep_capture_row, fx.ep_capture_col) = (row, rook);
        }
        _ => {}
    }
    fx
}

fn expected_status(board: &Board, keys: &[u64]) -> u8 {
    if board.is_checkmate() {
        2
    } else if board.is_stalemate() {
        3
    } else if board.is_insufficient_material() {
        6
    } else if board.halfmove_clock() >= 100 {
        4
    } else if repetition::occurrences(keys, board) >= 2 {
        5
    } else {
        u8::from(board.in_check())
    }
}

#[test]
fn moves_effects_and_status_agree() {
    let full = std::env::var_os("BRIER_FULL_TESTS").is_some();
    let wanted = if full { 100_000 } else { 4_000 };
    let mut random = Rng::new(0x1234_5678_9ABC_DEF1);
    let mut seen = 0;
    while seen < wanted {
        let (mut board, mut keys) = (Board::default(), Vec::new());
        engine_new_game();
        for _ in 0..200 {
            seen += 1;
            let moves = board.legal_moves();
            let pairs: BTreeSet<_> = moves
                .iter()
                .map(|&m| translate(m))
                .map(|m| (m.from_row, m.from_col, m.to_row, m.to_col))
                .collect();
            for i in 0..64 * 64u16 {
                let (from, to) = ((i >> 6) as u8, (i & 63) as u8);
                let pair = (from >> 3, from & 7, to >> 3, to & 7);
                let legal = engine_is_legal(pair.0, pair.1, pair.2, pair.3) == 1;
                assert_eq!(legal, pairs.contains(&pair), "{board} {pair:?}");
            }
            // SAFETY: null means that nothing is written.
            let count = unsafe { engine_get_all_moves(std::ptr::null_mut(), 0) };
            assert_eq!(usize::from(count), moves.len(), "{board}");
            for &m in moves.iter() {
                let mut fx = engine_move_effects_t::default();
                // SAFETY: a valid reference.
                unsafe { engine_get_move_effects(translate(m), &mut fx) };
                assert_eq!(fx, expected_effects(&board, m), "{board} {m:?}");
            }
            if moves.is_empty() || board.is_insufficient_material() {
                break;
            }
            let m = moves[random.below(moves.len())];
            keys.push(board.key());
            let status = engine_make_move(translate(m));
            board.make_move(m, &mut ());
            assert_eq!(status, expected_status(&board, &keys), "{board}");
            assert_eq!(engine_get_status(), status);
            check_position(&board);
        }
    }
}

/// The interface's position is the oracle's.
fn check_position(board: &Board) {
    let mut position = std::mem::MaybeUninit::<engine_position_t>::zeroed();
    // SAFETY: the engine fills the structure, and zeros are a valid one.
    let position = unsafe {
        engine_get_position(position.as_mut_ptr());
        position.assume_init()
    };
    for square in Square::all() {
        let (row, col) = place(square);
        let kind = board.piece_at(square).map_or(0, |p| p.index() as i8 + 1);
        let white = board.color_at(square) != Some(chess::Color::Black);
        let code = if white { kind } else { -kind };
        assert_eq!(position.board[row as usize][col as usize], code, "{board}");
    }
    assert_eq!(u16::from(position.halfmove_clock), board.halfmove_clock());
    assert_eq!(position.fullmove_number, board.fullmove_number());
}
