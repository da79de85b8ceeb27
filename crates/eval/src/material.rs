//! The trivial evaluator: counts material. It keeps the search honest in tests.

use chess::{Board, Color, MoveObserver, Piece, Square, see_value};

use crate::{Evaluator, Quantiles};

/// Counts material and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Material;

impl MoveObserver for Material {
    fn added(&mut self, _: Color, _: Piece, _: Square) {}
    fn removed(&mut self, _: Color, _: Piece, _: Square) {}
    fn moved(&mut self, _: Color, _: Piece, _: Square, _: Square) {}
}

impl Evaluator for Material {
    fn reset(&mut self, _: &Board) {}
    fn push(&mut self) {}
    fn pop(&mut self) {}

    fn evaluate(&mut self, board: &Board) -> Quantiles {
        let us = board.side_to_move();
        let balance = |piece| {
            board.pieces(us, piece).count() as i32 - board.pieces(!us, piece).count() as i32
        };
        Quantiles::certain(Piece::ALL.into_iter().map(|p| see_value(p) * balance(p)).sum())
    }
}
