//! Room to move: behind the pawns, in the centre, and what the enemy is denied.

use chess::{Bitboard, Piece, Rank};

use super::geometry::ahead;
use super::layout::{SPACE, SPACE_CENTRE, SPACE_RESTRICTED};
use super::maps::Maps;
use super::pieces::CENTRE;
use super::trace::{Side, Trace};

/// The files c to f.
const MIDDLE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Judges the room of `us`.
#[inline(always)]
pub(super) fn score(side: &mut Side<'_, impl Trace>, maps: &Maps) {
    let (board, us, sum) = (side.board, side.us, &mut side.sum);
    let them = !us;
    let pawns = board.pieces(us, Piece::Pawn);
    let camp = [Rank::Second, Rank::Third, Rank::Fourth]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, rank| set | rank.relative_to(us).bitboard());
    let safe = camp & MIDDLE_FILES & !pawns & !maps.by(them, Piece::Pawn);
    // Squares behind an own pawn are the surest: they count twice.
    let behind = safe & ahead(them, pawns) & !maps.all(them);
    let pieces = (board.color(us) & !board.kind(Piece::Pawn)).count();
    sum.add_times(SPACE, 0, (safe.count() + behind.count()) * pieces / 8);

    let contested = maps.all(them)
        & maps.all(us)
        & !maps.by(them, Piece::Pawn)
        & !(maps.twice(them) & !maps.twice(us));
    sum.add_times(SPACE_RESTRICTED, 0, (contested & board.color(them)).count());
    sum.add_times(SPACE_RESTRICTED, 1, (contested & !board.occupied()).count());
    sum.add_times(SPACE_CENTRE, 0, (CENTRE & maps.all(us)).count());
}
