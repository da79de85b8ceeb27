//! Random games, the same in every run.

use chess::{Board, Move, Rng};

/// Calls `visit` with every position of a random game and the move that is made there.
pub(crate) fn random_game(start: &Board, rng: &mut Rng, mut visit: impl FnMut(&Board, Move)) {
    let mut board = start.clone();
    for _ in 0..200 {
        let Some(&mv) = rng.pick(&board.legal_moves()) else { return };
        visit(&board, mv);
        board.make_move(mv, &mut ());
    }
}
