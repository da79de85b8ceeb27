//! The network as an evaluator for the search.

use std::sync::Arc;

use chess::{Board, Color, MoveObserver, Piece, Square};
use eval::{Evaluator, Quantiles};
use simd::Kernels;

use crate::accumulator::Stack;
use crate::network::Network;

/// A network that follows a search move by move. One per thread; the weights are shared.
#[derive(Clone)]
pub struct Nnue {
    network: Arc<Network>,
    kernels: &'static Kernels,
    stack: Stack,
}

impl Nnue {
    /// An evaluator that stands at a board.
    pub fn new(network: Arc<Network>, kernels: &'static Kernels, board: &Board) -> Self {
        let stack = Stack::new(&network, board);
        Self { network, kernels, stack }
    }

    /// Brings the accumulators up to date without judging: for measuring.
    pub(crate) fn bring_up_to_date(&mut self, board: &Board) {
        self.stack.current(&self.network, self.kernels, board);
    }
}

impl MoveObserver for Nnue {
    #[inline]
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        self.stack.added(color, piece, square);
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        self.stack.removed(color, piece, square);
    }

    #[inline]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.stack.moved(color, piece, from, to);
    }
}

impl Evaluator for Nnue {
    fn reset(&mut self, board: &Board) {
        self.stack.reset(board);
    }

    #[inline]
    fn push(&mut self) {
        self.stack.push();
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    fn evaluate(&mut self, board: &Board) -> Quantiles {
        let (us, them) = self.stack.current(&self.network, self.kernels, board);
        self.network.judge(self.kernels, us, them, board.occupied().count() as usize)
    }
}
