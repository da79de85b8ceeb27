//! Threat inputs: one for each kind of piece that attacks or defends a kind of piece on a square.
//!
//! Piece-square inputs see where pieces stand but not what they do: a network has to find out by
//! itself that a bishop on b2 looks at a knight on f6, lane by lane and square by square. Here it
//! sees it at once. The attacker may be of any kind, the victim of any but a king: an attacked king
//! is in check, and no position in check is judged. There is an input for each pair of squares, but for
//! attacking kings one for each square they attack.
//!
//! A threat is known by the number ([`simd::threats`]) it has for White with its king on the files
//! a to d. Whoever else looks at it sees some of the bits turned round, always the same
//! ([`View::threat_flip`]). King buckets there are none.

use chess::{Bitboard, Color, Piece, Square};

use simd::Kernels;
use simd::nnue::{MOST_THREATS, NnueKernels};
use simd::threats::{FROM, List, ROWS, Rows, attacker, victim};

pub use simd::threats::row;

use crate::accumulator::Lanes;
use crate::arch::threat_lanes;
use crate::features::View;
use crate::network::Network;
use crate::placement::{Placed, Placement, code};

/// Threat inputs; [`row`] tells which one a threat is.
pub const THREATS: usize = ROWS;

impl View {
    /// The bits of a threat's number that are turned round for `side`, whose view this is: Black's
    /// pieces are its own, its board is upside down, and a king on the files e to h mirrors it.
    #[inline]
    pub fn threat_flip(self, side: Color) -> u32 {
        let (turned, mirrored) = ([0, 0b11_1000][side.index()], self.mirrored(0) as u32);
        let squares = turned ^ mirrored;
        squares | squares << FROM | [0, 0b1100_0000][side.index()]
    }
}

/// Every threat on a board.
pub fn threats(placement: &Placement, mut take: impl FnMut(u32)) {
    let victims = placement.victims();
    for (color, piece, square) in placement.pieces() {
        let by = attacker(code(color, piece), square.index() as u8);
        for victim in placement.attacks(color, piece, square) & victims {
            take(by + on(placement, victim));
        }
    }
}

/// The part of a threat's number that comes from what stands on a square as its victim.
#[inline]
fn on(placement: &Placement, square: Square) -> u32 {
    victim(placement.code_at(square), square.index() as u8)
}

/// The same as its attacker.
#[inline]
fn by(placement: &Placement, square: Square) -> u32 {
    attacker(placement.code_at(square), square.index() as u8)
}

/// Threats that came and went while pieces were put on a board and taken away. One that came and went
/// again, or the other way round, may be in both lists.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    added: List,
    removed: List,
}

impl Changes {
    pub(crate) const NONE: Self = Self { added: List::EMPTY, removed: List::EMPTY };

    /// Forgets all.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }

    /// Do both lists have room for more?
    fn has_room(&self, room: usize) -> bool {
        self.added.as_slice().len().max(self.removed.as_slice().len()) + room <= List::ROOM
    }

    /// A piece comes to an empty square: there are its threats and those on it, and lines across the
    /// square are closed.
    #[inline]
    fn put(&mut self, kernels: &NnueKernels, on: &mut Placement, piece: Placed) {
        threats_at(kernels, (on, Bitboard::EMPTY), on, piece, &mut self.added, &mut self.removed);
        let (color, piece, square) = piece;
        on.put(color, piece, square);
    }

    /// A piece goes: the same the other way round.
    #[inline]
    fn take(&mut self, kernels: &NnueKernels, from: &mut Placement, piece: Placed) {
        threats_at(
            kernels,
            (from, Bitboard::EMPTY),
            from,
            piece,
            &mut self.removed,
            &mut self.added,
        );
        let (color, piece, square) = piece;
        from.take(color, piece, square);
    }

    /// What a move changes, which leads from `before` to what `now` becomes. All that went go before any
    /// that came: a king may castle to the square of its rook.
    #[inline]
    pub(crate) fn by_move(
        &mut self,
        kernels: &NnueKernels,
        before: &Placement,
        now: &mut Placement,
        removed: &[Placed],
        added: &[Placed],
    ) {
        self.clear();
        *now = *before;
        let mut gone = Bitboard::EMPTY;
        for &(color, piece, square) in removed {
            let at = (color, piece, square);
            threats_at(kernels, (before, gone), now, at, &mut self.removed, &mut self.added);
            now.take(color, piece, square);
            gone |= square.bitboard();
        }
        if let Some((&(color, piece, square), rest)) = added.split_first() {
            let at = (color, piece, square);
            threats_at(kernels, (before, gone), now, at, &mut self.added, &mut self.removed);
            now.put(color, piece, square);
            for &piece in rest {
                self.put(kernels, now, piece);
            }
        }
    }

    /// Goes from one placement to another, whatever lies between them. `apply` gets the changes in as
    /// many portions as they need.
    pub(crate) fn between(
        kernels: &NnueKernels,
        before: &Placement,
        after: &Placement,
        mut apply: impl FnMut(&Self),
    ) {
        let (mut now, changed, mut changes) = (*before, before.changed(after), Self::NONE);
        let mut portion = |changes: &mut Self, room: usize| {
            if !changes.has_room(room) {
                apply(changes);
                changes.clear();
            }
        };
        for square in changed {
            if let Some((color, piece)) = before.at(square) {
                changes.take(kernels, &mut now, (color, piece, square));
                portion(&mut changes, MOST_THREATS);
            }
        }
        for square in changed {
            if let Some((color, piece)) = after.at(square) {
                changes.put(kernels, &mut now, (color, piece, square));
                portion(&mut changes, MOST_THREATS);
            }
        }
        apply(&changes);
    }
}

/// The rows of threats that came and went, as a point of view sees them.
#[derive(Clone, Debug)]
pub(crate) struct RowChanges {
    added: Rows,
    removed: Rows,
}

impl RowChanges {
    pub(crate) const NONE: Self = Self { added: Rows::NONE, removed: Rows::NONE };

    /// Takes the rows of these threats, and asks for their weights.
    #[inline]
    pub(crate) fn find(&mut self, threats: &Changes, network: &Network, flip: u32) {
        let (weights, width) = (&network.threat_weights, threat_lanes(network.width()));
        self.added.find(&threats.added, flip, weights, width);
        self.removed.find(&threats.removed, flip, weights, width);
    }

    /// Carries lanes over the changes.
    #[inline]
    pub(crate) fn apply(&self, network: &Network, kernels: &Kernels, lanes: &mut Lanes) {
        let lanes = lanes.of_mut(threat_lanes(network.width()));
        let (added, removed) = (self.added.as_slice(), self.removed.as_slice());
        (kernels.nnue.update_bytes)(lanes, &network.threat_weights, added, removed);
    }
}

/// Names the threats of one piece and those on it (`near`), and those along lines that run through its
/// square while it is empty (`across`). Whether it stands there already makes no difference.
///
/// The placement is given twice, the first time as what stood `before` and what is `gone` of it: a kernel
/// that loads all codes at once would have to wait for single ones that were just written.
#[inline]
fn threats_at(
    kernels: &NnueKernels,
    (before, gone): (&Placement, Bitboard),
    placement: &Placement,
    (color, piece, square): Placed,
    near: &mut List,
    across: &mut List,
) {
    if let Some(threats) = kernels.threats {
        threats(before.codes(), gone.0, code(color, piece), square.index() as u8, near, across);
    } else {
        find_threats(placement, (color, piece, square), near, across);
    }
}

/// [`threats_at`] from the attacks of pieces.
#[inline]
fn find_threats(
    placement: &Placement,
    (color, piece, square): Placed,
    near: &mut List,
    across: &mut List,
) {
    let (own, at, victims) = (code(color, piece), square.index() as u8, placement.victims());
    let sight = placement.sight(square);
    for victim in sight.attacks(color, piece) & victims {
        near.push(attacker(own, at) + on(placement, victim));
    }
    let sliders = placement.sliders(&sight);
    if piece != Piece::King {
        let here = victim(own, at);
        for from in placement.steppers(square) | sliders {
            near.push(by(placement, from) + here);
        }
    }
    for slider in sliders {
        // One piece, or none.
        let Bitboard(seen) = sight.beyond(slider) & victims;
        let victim = Square::from_index(seen.trailing_zeros() as usize % 64);
        across.push_if(seen != 0, by(placement, slider) + on(placement, victim));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;
    use simd::threats::EMPTY;

    fn all(placement: &Placement) -> Vec<u32> {
        let mut rows = Vec::new();
        threats(placement, |threat| rows.push(threat));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn threats_of_a_small_board() {
        // Nc3 attacks the pawn d5 and is defended by the pawn b2; Kg1 and Kg8 touch nothing; the
        // pawn d5 is defended by the pawn e6.
        let board: Board = "6k1/8/4p3/3p4/8/2N5/1P6/6K1 w - - 0 1".parse().unwrap();
        let mut found = Vec::new();
        threats(&Placement::of(&board), |threat| found.push(threat));
        let [pawn, knight, black_pawn] = [0, 1, 6];
        let [b2, c3, d5, e6] = [9, 18, 35, 44];
        let expected = [
            attacker(pawn, b2) + victim(knight, c3),
            attacker(knight, c3) + victim(black_pawn, d5),
            attacker(black_pawn, e6) + victim(black_pawn, d5),
        ];
        assert_eq!(found, expected);
        // White's king g1 mirrors the board: b2 and c3 are seen on g2 and f3.
        let view = View::of(Color::White, board.king(Color::White));
        let [g2, f3] = [14, 21];
        let seen = attacker(pawn, g2) + victim(knight, f3);
        assert_eq!(found[0] ^ view.threat_flip(Color::White), seen);
        // Black sees its own pawns' work: on e6 and d5, so e3 and d4, mirrored d3 and e4.
        let view = View::of(Color::Black, board.king(Color::Black));
        let [d3, e4] = [19, 28];
        let seen = attacker(pawn, d3) + victim(pawn, e4);
        assert_eq!(found[2] ^ view.threat_flip(Color::Black), seen);
    }

    /// Each threat, whoever sees it, has an input of its own, and all inputs are used.
    #[test]
    fn threats_are_distinct_and_in_range_for_both_sides() {
        for (view, side) in [(View::new(0), Color::White), (View::new(7), Color::Black)] {
            let mut seen = std::collections::HashMap::new();
            for (from, piece, color) in every_piece() {
                // Pawns stand on neither back rank.
                if piece == Piece::Pawn && (from.index() < 8 || from.index() >= 56) {
                    continue;
                }
                let mut alone = Placement::EMPTY;
                alone.put(color, piece, from);
                for to in alone.attacks(color, piece, from) {
                    for code in (0..EMPTY).filter(|code| code % 6 != Piece::King.index() as u8) {
                        let threat = by(&alone, from) + victim(code, to.index() as u8);
                        let input = row(threat ^ view.threat_flip(side)) as usize;
                        assert!(input < THREATS);
                        // Kings alone share an input, whatever square they come from.
                        let from = if piece == Piece::King { to } else { from };
                        let known = seen.entry(input).or_insert((color, piece, from, to, code));
                        assert_eq!(*known, (color, piece, from, to, code));
                    }
                }
            }
            assert_eq!(seen.len(), THREATS);
        }
    }

    fn every_piece() -> impl Iterator<Item = (Square, Piece, Color)> {
        let squares = (0..64).map(Square::from_index);
        let pieces =
            Piece::ALL.into_iter().flat_map(|piece| Color::ALL.map(|color| (piece, color)));
        squares.flat_map(move |square| {
            pieces.clone().map(move |(piece, color)| (square, piece, color))
        })
    }

    /// Whatever changes, threats before - removed + added = threats after.
    #[test]
    fn differences_add_up() {
        let mut rng = chess::Rng::new(11);
        let mut random = |n| rng.below(n);
        let mut placement = Placement::EMPTY;
        for _ in 0..20_000 {
            let before = placement;
            for _ in 0..=random(4) {
                let square = Square::from_index(random(64));
                if let Some((color, piece)) = placement.at(square) {
                    placement.take(color, piece, square);
                }
                if random(2) == 0 {
                    placement.put(Color::ALL[random(2)], Piece::ALL[random(6)], square);
                }
            }
            check_difference(&before, &placement);
            if random(50) == 0 {
                check_difference(&Placement::EMPTY, &placement);
            }
        }
    }

    fn check_difference(before: &Placement, after: &Placement) {
        let (left, right) = (all(before), all(after));
        for table in simd::all_available() {
            let (mut left, mut right) = (left.clone(), right.clone());
            Changes::between(&table.nnue, before, after, |changes| {
                left.extend(changes.added.as_slice());
                right.extend(changes.removed.as_slice());
            });
            left.sort_unstable();
            right.sort_unstable();
            assert_eq!(left, right, "{}", table.name);
        }
    }
}
