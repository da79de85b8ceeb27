//! What the search remembers of moves that worked, for ordering, pruning and reductions.
//!
//! All tables use *gravity*: an update pulls a value towards its bound, and the farther it already
//! went the less it moves, so old results fade as new ones come.

mod continuation;
mod correction;
mod tables;

use chess::{Bitboard, Board, Color, Move, Piece};

use crate::params::history;

pub(crate) use continuation::{Continuation, NO_MOVE, move_index};
pub(crate) use correction::Corrections;
use tables::BySquares;
pub(crate) use tables::{CaptureHistory, PawnHistory, QuietHistory};

/// One value for each side, piece and target square, see [`move_index`].
type ByMove = [i16; continuation::MOVES];

/// The bound of every move history.
pub(crate) const LIMIT: i32 = 16_384;

/// Moves a value by `bonus`, less the closer it is to the limit.
#[inline(always)]
fn pull(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// Zeros on the heap; none if there is no memory for them.
fn zeroed<T: bytemuck::Zeroable>() -> Option<Box<T>> {
    bytemuck::allocation::try_zeroed_box().ok()
}

/// All histories of one thread.
pub(crate) struct Histories {
    pub(crate) quiet: QuietHistory,
    pub(crate) capture: CaptureHistory,
    pub(crate) pawn: PawnHistory,
    pub(crate) continuation: Continuation,
    pub(crate) correction: Corrections,
}

impl Histories {
    /// Empty histories; none if there is no memory for them.
    pub(crate) fn try_new() -> Option<Self> {
        Some(Self {
            quiet: QuietHistory(zeroed()?),
            capture: CaptureHistory(zeroed()?),
            pawn: PawnHistory(zeroed()?),
            continuation: Continuation(zeroed()?),
            correction: Corrections::try_new()?,
        })
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.clear();
        self.capture.clear();
        self.pawn.clear();
        self.continuation.clear();
        self.correction.clear();
    }

    /// Where a node's quiet moves are looked up, given the squares the opponent attacks.
    #[inline]
    pub(crate) fn quiets(
        &self,
        board: &Board,
        threats: Bitboard,
        before: &[u16; 3],
    ) -> QuietScores<'_> {
        let side = board.side_to_move();
        QuietScores {
            side,
            threats,
            plain: self.quiet.side(side),
            pawn: self.pawn.row(board.keys().pawn),
            continuation: before.map(|earlier| self.continuation.row(earlier)),
        }
    }

    /// Adds a bonus (or, if negative, a malus) to all histories of a quiet move.
    #[inline]
    pub(crate) fn update_quiet(
        &mut self,
        board: &Board,
        threats: Bitboard,
        before: &[u16; 3],
        mv: Move,
        bonus: i32,
    ) {
        let side = board.side_to_move();
        let Some(piece) = board.piece_at(mv.from()) else { return };
        let index = move_index(side, piece, mv.to());
        self.quiet.update(side, threats, mv, bonus);
        self.pawn.update(board.keys().pawn, index, bonus);
        for &earlier in before {
            self.continuation.update(earlier, index, bonus);
        }
    }
}

/// The rows of the histories that belong to one node, found once for all its quiet moves.
pub(crate) struct QuietScores<'a> {
    side: Color,
    threats: Bitboard,
    plain: &'a BySquares,
    pawn: &'a ByMove,
    continuation: [&'a ByMove; 3],
}

impl QuietScores<'_> {
    /// How well a quiet move did, by itself and after the moves before it.
    #[inline(always)]
    pub(crate) fn get(&self, piece: Piece, mv: Move) -> i32 {
        let index = usize::from(move_index(self.side, piece, mv.to()));
        let threat = tables::threat_index(self.threats, mv);
        let [one, two, four] = self.continuation.map(|row| i32::from(row[index]));
        i32::from(self.plain[threat][mv.from().index()][mv.to().index()])
            + i32::from(self.pawn[index])
            + one
            + two
            + four * history::four_plies() / 128
    }
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, pull};

    #[test]
    fn gravity_never_passes_its_limit() {
        let mut value = 0;
        for _ in 0..10_000 {
            pull(&mut value, 1700);
        }
        assert!(i32::from(value) > LIMIT * 9 / 10 && i32::from(value) <= LIMIT);
        for _ in 0..10_000 {
            pull(&mut value, -LIMIT);
        }
        assert!(i32::from(value) >= -LIMIT);
    }

    #[test]
    fn a_bonus_counts_less_near_the_limit() {
        let (mut fresh, mut known) = (0, 12_000);
        pull(&mut fresh, 1000);
        pull(&mut known, 1000);
        assert!(fresh > known - 12_000);
    }
}
