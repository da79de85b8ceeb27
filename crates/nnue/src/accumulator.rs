//! Accumulators that follow a search: a stack of what each move changed, brought up to date only
//! where a position is judged.
//!
//! Most positions of a search are never judged by the network (the table knows them, or the king
//! is in check), so a move only notes its changes. When an evaluation is asked for, the nearest
//! accumulator that is up to date is carried forward, each move in one fused pass. If a king moved
//! into another view on the way, the side's accumulator is built anew, but from the last one seen
//! in that view ([`Cache`]) rather than from nothing.
//!
//! What a move changes among the threats is not announced by the board: it is found, once for both
//! sides, as the pieces that went and came are taken from a placement and put on it
//! ([`threats::Changes`]).

use chess::{Board, Color, Piece, Square};
use simd::Kernels;

use crate::arch::FT;
use crate::features::View;
use crate::network::Network;
use crate::placement::{Placed, Placement};
use crate::threats::{self, RowChanges};

/// The lanes of one accumulator, on their own cache lines: room for the widest network.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes([i16; FT]);

impl Lanes {
    pub(crate) const ZERO: Self = Self([0; FT]);

    /// The lanes that a network of this width has.
    #[inline]
    pub(crate) fn of(&self, width: usize) -> &[i16] {
        &self.0[..width]
    }

    /// The same, to be written to.
    #[inline]
    pub(crate) fn of_mut(&mut self, width: usize) -> &mut [i16] {
        &mut self.0[..width]
    }
}

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
    /// The pieces after the move, once they are needed: for threats only.
    placement: Placement,
    placed: bool,
    /// The threats the move changed, found with them: their rows for each side, asked for long before they
    /// are added.
    threats: [RowChanges; 2],
}

/// The stack of accumulators of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    plies: Vec<Ply>,
    top: usize,
    cache: Cache,
    /// Room for the threats that a move changes.
    changes: Box<threats::Changes>,
}

impl Stack {
    /// A stack that stands at a board.
    pub(crate) fn new(network: &Network, board: &Board) -> Self {
        let mut root = Ply::new(views(board));
        root.stand_at(board);
        Self {
            plies: vec![root],
            top: 0,
            cache: Cache::new(network),
            changes: Box::new(threats::Changes::NONE),
        }
    }

    /// Stands at another board; the cache stays, for it holds true whatever the board.
    pub(crate) fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.plies[0].begin(views(board));
        self.plies[0].stand_at(board);
    }

    /// A move is about to be made.
    #[inline]
    pub(crate) fn push(&mut self) {
        let views = self.plies[self.top].views;
        self.top += 1;
        if self.top == self.plies.len() {
            self.plies.push(Ply::new(views));
        } else {
            self.plies[self.top].begin(views);
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
    ) -> (&[i16], &[i16]) {
        if network.has_threats() {
            self.place(network, kernels);
        }
        for side in Color::ALL {
            self.bring_up_to_date(network, kernels, board, side);
        }
        let us = board.side_to_move();
        let (lanes, width) = (&self.plies[self.top].lanes, network.width());
        (lanes[us.index()].of(width), lanes[(!us).index()].of(width))
    }

    /// Finds the pieces of every ply up to the top.
    #[inline]
    fn place(&mut self, network: &Network, kernels: &Kernels) {
        let mut from = self.top;
        // The first ply is always placed.
        while !self.plies[from].placed {
            from -= 1;
        }
        for at in from + 1..=self.top {
            let (before, after) = self.plies.split_at_mut(at);
            after[0].place(network, kernels, &before[at - 1].placement, &mut self.changes);
        }
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
                // Without threats no ply is placed, and nobody asks for single squares.
                let now = if ply.placed { ply.placement } else { Placement::sets_of(board) };
                let seen = (side, ply.views[s]);
                self.cache.refresh(network, kernels, &now, seen, &mut ply.lanes[s]);
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
    fn new(views: [View; 2]) -> Self {
        Self {
            lanes: [Lanes::ZERO, Lanes::ZERO],
            fresh: [false; 2],
            views,
            changes: Changes::NONE,
            placement: Placement::EMPTY,
            placed: false,
            threats: [RowChanges::NONE; 2],
        }
    }

    /// Forgets the move before, keeping the memory.
    #[inline]
    fn begin(&mut self, views: [View; 2]) {
        self.fresh = [false; 2];
        self.views = views;
        self.changes.additions = 0;
        self.changes.removals = 0;
        self.placed = false;
    }

    /// Takes the pieces of a board: the first ply.
    fn stand_at(&mut self, board: &Board) {
        self.placement = Placement::of(board);
        self.placed = true;
    }

    /// Finds the pieces after the move, and the threats it changed.
    #[inline]
    fn place(
        &mut self,
        network: &Network,
        kernels: &Kernels,
        before: &Placement,
        threats: &mut threats::Changes,
    ) {
        let removed = &self.changes.removed[..usize::from(self.changes.removals)];
        let added = &self.changes.added[..usize::from(self.changes.additions)];
        threats.by_move(&kernels.nnue, before, &mut self.placement, removed, added);
        for side in Color::ALL {
            let flip = self.views[side.index()].threat_flip(side);
            self.threats[side.index()].find(threats, network, flip);
        }
        self.placed = true;
    }

    /// Brings one side's lanes up to date from the ply before, in the same view.
    fn follow(&mut self, network: &Network, kernels: &Kernels, before: &Self, side: Color) {
        let (s, width) = (side.index(), network.width());
        let view = self.views[s];
        let input = |&(color, piece, square): &Placed| view.input_of(side, color, piece, square);
        let added = self.changes.added.each_ref().map(input);
        let removed = self.changes.removed.each_ref().map(input);
        (kernels.nnue.update)(
            self.lanes[s].of_mut(width),
            before.lanes[s].of(width),
            &network.ft_weights,
            &added[..usize::from(self.changes.additions)],
            &removed[..usize::from(self.changes.removals)],
        );
        if network.has_threats() {
            self.threats[s].apply(network, kernels, &mut self.lanes[s]);
        }
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
    placement: Placement,
}

impl Entry {
    /// Stands for an empty board.
    fn clear(&mut self, network: &Network) {
        self.lanes.of_mut(network.width()).copy_from_slice(&network.ft_biases);
        self.placement = Placement::EMPTY;
    }
}

impl Cache {
    /// Empty boards in every view.
    fn new(network: &Network) -> Self {
        let mut empty = Entry { lanes: Lanes::ZERO, placement: Placement::EMPTY };
        empty.clear(network);
        Self { entries: vec![empty; 2 * View::COUNT] }
    }

    /// Builds a side's accumulator from the last one in the same view, or from an empty board if
    /// that is nearer.
    fn refresh(
        &mut self,
        network: &Network,
        kernels: &Kernels,
        now: &Placement,
        (side, view): (Color, View),
        lanes: &mut Lanes,
    ) {
        let entry = &mut self.entries[side.index() * View::COUNT + view.slot()];
        // 64 squares: no board holds more pieces.
        let (mut added, mut removed) = ([0; 64], [0; 64]);
        let mut find_changes = |then: &Placement| {
            let (mut additions, mut removals) = (0, 0);
            for color in Color::ALL {
                for piece in Piece::ALL {
                    let (then, now) = (then.of_kind(color, piece), now.of_kind(color, piece));
                    for square in now & !then {
                        added[additions] = view.input_of(side, color, piece, square);
                        additions += 1;
                    }
                    for square in then & !now {
                        removed[removals] = view.input_of(side, color, piece, square);
                        removals += 1;
                    }
                }
            }
            (additions, removals)
        };
        let (mut additions, mut removals) = find_changes(&entry.placement);
        if additions + removals > now.occupied().count() as usize {
            entry.clear(network);
            (additions, removals) = find_changes(&entry.placement);
        }
        let (added, removed) = (&added[..additions], &removed[..removals]);
        let (weights, width) = (&network.ft_weights, network.width());
        let (to, from) = (lanes.of_mut(width), entry.lanes.of(width));
        (kernels.nnue.update)(to, from, weights, added, removed);
        if network.has_threats() {
            let mut rows = RowChanges::NONE;
            threats::Changes::between(&kernels.nnue, &entry.placement, now, |threats| {
                rows.find(threats, network, view.threat_flip(side));
                rows.apply(network, kernels, lanes);
            });
        }
        entry.placement = *now;
        entry.lanes.of_mut(width).copy_from_slice(lanes.of(width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::FT_STEP;
    use crate::features::INPUTS;

    /// Lane by lane, at every ply: quantiles alone might hide a difference behind their clipping.
    #[test]
    fn lanes_equal_a_refresh_at_every_ply() {
        follow_games(&Network::default_net());
    }

    /// The same with weights for every threat, whatever the network of the program has.
    #[test]
    fn lanes_of_threats_equal_a_refresh_at_every_ply() {
        let mut network = Network::with_threats(FT, "threats", 200);
        network.ft_weights.copy_from_slice(&Network::default_net().ft_weights);
        for (i, weight) in network.threat_weights.iter_mut().enumerate() {
            *weight = (i.wrapping_mul(2_654_435_761) >> 13) as i8;
        }
        follow_games(&network);
    }

    /// The same with fewer lanes than there is room for.
    #[test]
    fn lanes_of_narrow_networks_equal_a_refresh_at_every_ply() {
        let wide = Network::default_net();
        for width in [FT_STEP, 2 * FT_STEP] {
            let mut network = Network::new(width, "narrow", 200);
            network.ft_weights.copy_from_slice(&wide.ft_weights[..INPUTS * width]);
            network.ft_biases.copy_from_slice(&wide.ft_biases[..width]);
            follow_games(&network);
        }
    }

    fn follow_games(network: &Network) {
        simd::all_available().for_each(|kernels| follow_games_by(kernels, network));
    }

    fn follow_games_by(kernels: &Kernels, network: &Network) {
        let mut rng = chess::Rng::new(7);
        for _ in 0..50 {
            let mut board = Board::default();
            let mut stack = Stack::new(network, &board);
            for _ in 0..150 {
                let Some(&mv) = rng.pick(&board.legal_moves()) else { break };
                let mut observer = Follow(&mut stack);
                observer.0.push();
                board.make_move(mv, &mut observer);
                // Sometimes several moves are carried forward at once.
                if rng.below(3) == 0 {
                    continue;
                }
                let [us, them] = network.accumulate(kernels, &board);
                let found = stack.current(network, kernels, &board);
                let width = network.width();
                assert!(found == (us.of(width), them.of(width)), "{} {board}", kernels.name);
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
