//! Passed pawns: how far, how free, and whose king is near.

use chess::Piece;

use super::geometry::{ahead, distance, rank_of};
use super::layout::{
    PASSED, PASSED_CLEAR_PATH, PASSED_OUR_KING, PASSED_ROOK_BEHIND, PASSED_STOP_DEFENDED,
    PASSED_THEIR_KING, PASSED_UNSTOPPABLE,
};
use super::maps::Maps;
use super::trace::{Side, Trace};

/// Judges the passed pawns of `us`.
#[inline(always)]
pub(super) fn score(side: &mut Side<'_, impl Trace>, maps: &Maps) {
    let (board, us, sum) = (side.board, side.us, &mut side.sum);
    let them = !us;
    let occupied = board.occupied();
    let (our_king, their_king) = (board.king(us), board.king(them));
    let mut unstoppable = false;
    for pawn in side.pawns.passed & board.color(us) {
        let rank = rank_of(us, pawn);
        let stop = pawn.forward(us);
        let path = ahead(us, pawn.bitboard());
        let free = !occupied.contains(stop);
        let safe = !maps.all(them).contains(stop);
        sum.add(PASSED, rank + 8 * usize::from(safe) + 16 * usize::from(free));
        if (path & (occupied | maps.all(them))).is_empty() {
            sum.add(PASSED_CLEAR_PATH, rank);
        }
        if maps.all(us).contains(stop) {
            sum.add(PASSED_STOP_DEFENDED, rank);
        }
        sum.add_times(PASSED_OUR_KING, rank, distance(our_king, stop) as u32);
        sum.add_times(PASSED_THEIR_KING, rank, distance(their_king, stop) as u32);

        let behind = ahead(them, pawn.bitboard());
        for (kind, color) in [us, them].into_iter().enumerate() {
            if (behind & board.pieces(color, Piece::Rook)).any() {
                sum.add(PASSED_ROOK_BEHIND, kind);
            }
        }

        if !board.has_pieces(them) && (path & occupied).is_empty() {
            // A pawn at home may take two steps, and the side to move is one step ahead.
            let steps = 7 - rank.max(2);
            let goal = path.into_iter().find(|&square| rank_of(us, square) == 7);
            let lead = usize::from(board.side_to_move() == them);
            unstoppable |= goal.is_some_and(|goal| distance(their_king, goal) > steps + lead);
        }
    }
    if unstoppable {
        sum.add(PASSED_UNSTOPPABLE, 0);
    }
}
