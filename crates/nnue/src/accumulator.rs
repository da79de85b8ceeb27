//! Accumulators that follow a search: a stack of what each move changed, brought up to date only
//! where a position is judged.
//!
//! Most positions of a search are never judged by the network (the table knows them, or the king
//! is in check), so a move only notes its changes. When an evaluation is asked for, the nearest
//! accumulator that is up to date is carried forward, each move in one fused pass. If a king moved
//! into another view on the way, the side's accumulator is built anew, but from the last one seen
//! in that view ([`Cache`]) rather than from nothing.

use chess::{Bitboard, Board, Color, Piece, Square};
use simd::Kernels;

use crate::arch::FT;
use crate::features::View;
use crate::network::Network;

/// The lanes of one accumulator, on their own cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [i16; FT]);

impl Lanes {
    pub(crate) const ZERO: Self = Self([0; FT]);
}

/// A piece on a square.
type Placed = (Color, Piece, Square);

/// Pieces that came and went by one move: at most two each (castling, capture and promotion).
#[derive(Clone, Copy, Debug)]
struct Changes {
    added: [Placed; 2],
    removed: [Placed; 2],
    additions: u8,
    removals: u8,
}

impl Changes {
    const NONE: Self = {
        let nothing = (Color::White, Piece::Pawn, Square::from_index(0));
        Self { added: [nothing; 2], removed: [nothing; 2], additions: 0, removals: 0 }
    };
}

/// The accumulators after one move.
#[derive(Clone, Debug)]
struct Ply {
    lanes: [Lanes; 2],
    /// Are the lanes up to date?
    fresh: [bool; 2],
    views: [View; 2],
    /// What the move that led here changed.
    changes: Changes,
}

/// The stack of accumulators of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    plies: Vec<Ply>,
    top: usize,
    cache: Cache,
}

impl Stack {
    /// A stack that stands at a board.
    pub(crate) fn new(network: &Network, board: &Board) -> Self {
        let views = views(board);
        let lanes = [Lanes::ZERO, Lanes::ZERO];
        let root = Ply { lanes, fresh: [false; 2], views, changes: Changes::NONE };
        Self { plies: vec![root], top: 0, cache: Cache::new(network) }
    }

    /// Stands at another board; the cache stays, for it holds true whatever the board.
    pub(crate) fn reset(&mut self, board: &Board) {
        self.top = 0;
        let root = &mut self.plies[0];
        root.fresh = [false; 2];
        root.views = views(board);
        root.changes = Changes::NONE;
    }

    /// A move is about to be made.
    #[inline]
    pub(crate) fn push(&mut self) {
        let views = self.plies[self.top].views;
        self.top += 1;
        if self.top == self.plies.len() {
            let lanes = [Lanes::ZERO, Lanes::ZERO];
            self.plies.push(Ply { lanes, fresh: [false; 2], views, changes: Changes::NONE });
        } else {
            let ply = &mut self.plies[self.top];
            ply.fresh = [false; 2];
            ply.views = views;
            ply.changes.additions = 0;
            ply.changes.removals = 0;
        }
    }

    /// The last move is taken back. At the first board there is nothing to take back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.top > 0, "more moves taken back than made");
        self.top = self.top.saturating_sub(1);
    }

    #[inline]
    pub(crate) fn added(&mut self, color: Color, piece: Piece, square: Square) {
        let changes = &mut self.plies[self.top].changes;
        changes.added[usize::from(changes.additions)] = (color, piece, square);
        changes.additions += 1;
    }

    #[inline]
    pub(crate) fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        let changes = &mut self.plies[self.top].changes;
        changes.removed[usize::from(changes.removals)] = (color, piece, square);
        changes.removals += 1;
    }

    #[inline]
    pub(crate) fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.removed(color, piece, from);
        self.added(color, piece, to);
        if piece == Piece::King {
            self.plies[self.top].views[color.index()] = View::of(color, to);
        }
    }

    /// The accumulators of the side to move and of its opponent, up to date.
    #[inline]
    pub(crate) fn current(
        &mut self,
        network: &Network,
        kernels: &Kernels,
        board: &Board,
    ) -> (&[i16; FT], &[i16; FT]) {
        for side in Color::ALL {
            self.bring_up_to_date(network, kernels, board, side);
        }
        let us = board.side_to_move();
        let lanes = &self.plies[self.top].lanes;
        (&lanes[us.index()].0, &lanes[(!us).index()].0)
    }

    fn bring_up_to_date(
        &mut self,
        network: &Network,
        kernels: &Kernels,
        board: &Board,
        side: Color,
    ) {
        let s = side.index();
        let mut from = self.top;
        while !self.plies[from].fresh[s] {
            if from == 0 || self.plies[from].views[s] != self.plies[from - 1].views[s] {
                let ply = &mut self.plies[self.top];
                self.cache.refresh(network, kernels, board, side, &mut ply.lanes[s]);
                ply.fresh[s] = true;
                return;
            }
            from -= 1;
        }
        for at in from + 1..=self.top {
            let (before, after) = self.plies.split_at_mut(at);
            after[0].follow(network, kernels, &before[at - 1], side);
        }
    }
}

impl Ply {
    /// Brings one side's lanes up to date from the ply before, in the same view.
    fn follow(&mut self, network: &Network, kernels: &Kernels, before: &Self, side: Color) {
        let s = side.index();
        let view = self.views[s];
        let input = |&(color, piece, square): &Placed| view.input_of(side, color, piece, square);
        let added = self.changes.added.each_ref().map(input);
        let removed = self.changes.removed.each_ref().map(input);
        (kernels.nnue.update)(
            &mut self.lanes[s].0,
            &before.lanes[s].0,
            &network.ft_weights,
            &added[..usize::from(self.changes.additions)],
            &removed[..usize::from(self.changes.removals)],
        );
        self.fresh[s] = true;
    }
}

fn views(board: &Board) -> [View; 2] {
    Color::ALL.map(|side| View::of(side, board.king(side)))
}

/// The last accumulator built in each view, with the pieces it stands for.
#[derive(Clone, Debug)]
struct Cache {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    lanes: Lanes,
    pieces: [[Bitboard; 6]; 2],
}

impl Cache {
    /// Empty boards in every view.
    fn new(network: &Network) -> Self {
        let mut lanes = Lanes::ZERO;
        lanes.0.copy_from_slice(&network.ft_biases);
        let entry = Entry { lanes, pieces: [[Bitboard::EMPTY; 6]; 2] };
        Self { entries: vec![entry; 2 * View::COUNT] }
    }

    /// Builds a side's accumulator from the last one in the same view.
    fn refresh(
        &mut self,
        network: &Network,
        kernels: &Kernels,
        board: &Board,
        side: Color,
        lanes: &mut Lanes,
    ) {
        let view = View::of(side, board.king(side));
        let entry = &mut self.entries[side.index() * View::COUNT + view.slot()];
        // 64 squares: no board holds more pieces.
        let (mut added, mut removed) = ([0; 64], [0; 64]);
        let (mut additions, mut removals) = (0, 0);
        for color in Color::ALL {
            for piece in Piece::ALL {
                let now = board.pieces(color, piece);
                let then = &mut entry.pieces[color.index()][piece.index()];
                for square in Bitboard(now.0 & !then.0) {
                    added[additions] = view.input_of(side, color, piece, square);
                    additions += 1;
                }
                for square in Bitboard(then.0 & !now.0) {
                    removed[removals] = view.input_of(side, color, piece, square);
                    removals += 1;
                }
                *then = now;
            }
        }
        (kernels.nnue.update)(
            &mut lanes.0,
            &entry.lanes.0,
            &network.ft_weights,
            &added[..additions],
            &removed[..removals],
        );
        entry.lanes.0 = lanes.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lane by lane, at every ply: quantiles alone might hide a difference behind their clipping.
    #[test]
    fn lanes_equal_a_refresh_at_every_ply() {
        let (network, kernels) = (Network::default_net(), simd::kernels());
        let mut rng = chess::Rng::new(7);
        for _ in 0..50 {
            let mut board = Board::default();
            let mut stack = Stack::new(&network, &board);
            for _ in 0..150 {
                let Some(&mv) = rng.pick(&board.legal_moves()) else { break };
                let mut observer = Follow(&mut stack);
                observer.0.push();
                board.make_move(mv, &mut observer);
                let mut fresh = Stack::new(&network, &board);
                let expected = fresh.current(&network, kernels, &board);
                assert!(stack.current(&network, kernels, &board) == expected, "{board}");
            }
        }
    }

    struct Follow<'a>(&'a mut Stack);

    impl chess::MoveObserver for Follow<'_> {
        fn added(&mut self, color: Color, piece: Piece, square: Square) {
            self.0.added(color, piece, square);
        }
        fn removed(&mut self, color: Color, piece: Piece, square: Square) {
            self.0.removed(color, piece, square);
        }
        fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
            self.0.moved(color, piece, from, to);
        }
    }
}
