//! Which evaluator the engine plays with.
//!
//! The choice is made at run time, by an option, but the search is compiled for one type: this
//! enum. A `match` that always goes the same way costs next to nothing beside an evaluation.

use chess::{Board, Color, MoveObserver, Piece, Square};
use eval::{Classical, Evaluator, Quantiles};

/// Any evaluator of ours.
#[derive(Clone, Debug)]
pub(crate) enum AnyEvaluator {
    /// Hand-written terms.
    Classical(Classical),
}

impl AnyEvaluator {
    /// The evaluator that needs no file.
    pub(crate) fn standard() -> Self {
        Self::Classical(Classical::default())
    }
}

impl MoveObserver for AnyEvaluator {
    #[inline]
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        match self {
            Self::Classical(inner) => inner.added(color, piece, square),
        }
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        match self {
            Self::Classical(inner) => inner.removed(color, piece, square),
        }
    }

    #[inline]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        match self {
            Self::Classical(inner) => inner.moved(color, piece, from, to),
        }
    }
}

impl Evaluator for AnyEvaluator {
    fn reset(&mut self, board: &Board) {
        match self {
            Self::Classical(inner) => inner.reset(board),
        }
    }

    #[inline]
    fn push(&mut self) {
        match self {
            Self::Classical(inner) => inner.push(),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::Classical(inner) => inner.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Quantiles {
        match self {
            Self::Classical(inner) => inner.evaluate(board),
        }
    }
}
