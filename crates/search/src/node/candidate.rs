//! A move of the loop over a node's moves, with what pruning and reductions ask of it.

use chess::{Board, Move};
use eval::Evaluator;

use super::Node;
use crate::picker::Picker;
use crate::pool::Worker;

/// A move that is about to be searched.
#[derive(Copy, Clone)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place in the order of moves, from 1.
    pub(super) number: i32,
    /// Is it a capture or a promotion?
    pub(super) noisy: bool,
    pub(super) gives_check: bool,
    /// How well it did before, here or in similar places.
    pub(super) history: i32,
}

impl<E: Evaluator> Worker<E> {
    /// Collects what is known of a move.
    #[inline]
    pub(super) fn candidate(
        &self,
        board: &Board,
        node: &Node,
        picker: &mut Picker,
        mv: Move,
        number: i32,
    ) -> Candidate {
        let noisy = board.is_noisy(mv);
        let gives_check = picker.gives_check(board, mv);
        let history = self.history_of(board, node, mv, noisy);
        Candidate { mv, number, noisy, gives_check, history }
    }

    /// The move's history: of captures for a noisy move, of quiet moves for the others.
    #[inline]
    fn history_of(&self, board: &Board, node: &Node, mv: Move, noisy: bool) -> i32 {
        let Some(piece) = board.piece_at(mv.from()) else { return 0 };
        if noisy {
            let victim = board.captured(mv);
            self.histories.capture.get(board.side_to_move(), piece, mv.to(), victim)
        } else {
            self.histories.quiets(board, node.threats.all, &node.before).get(piece, mv)
        }
    }
}
