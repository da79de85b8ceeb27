//! What could be taken next, and what the enemy must look after.

use chess::attacks::{bishop_attacks, knight_attacks, pawn_attacks_from, rook_attacks};
use chess::{Bitboard, Board, Color, Piece, Rank};

use super::layout::{
    Group, THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_PUSH, THREAT_BY_ROOK,
    THREAT_HANGING, THREAT_OVERLOADED, THREAT_QUEEN_NEXT, THREAT_QUEEN_PROTECTS,
};
use super::maps::Maps;
use super::trace::{Side, Sum, Trace};

/// Judges what `us` threatens.
#[inline(always)]
pub(super) fn score(side: &mut Side<'_, impl Trace>, maps: &Maps) {
    let (board, us, sum) = (side.board, side.us, &mut side.sum);
    let them = !us;
    let enemies = board.color(them);
    let pawns = board.kind(Piece::Pawn);
    let pieces = enemies & !pawns;
    let by_pawns = maps.by(us, Piece::Pawn);
    // Held by a pawn, or by more of theirs than attack it of ours.
    let held = maps.by(them, Piece::Pawn) | maps.twice(them) & !maps.twice(us);
    let weak = enemies & !held & maps.all(us);
    let safe = !maps.all(them) | maps.all(us);

    let safe_pawns = board.pieces(us, Piece::Pawn) & safe;
    let hit_by_pawns = pieces & pawn_attacks_from(us, safe_pawns);
    count(board, hit_by_pawns, THREAT_BY_PAWN, sum);

    let minors = maps.by(us, Piece::Knight) | maps.by(us, Piece::Bishop);
    count(board, (pieces & held | weak) & minors, THREAT_BY_MINOR, sum);
    count(board, weak & maps.by(us, Piece::Rook), THREAT_BY_ROOK, sum);

    let by_king = weak & maps.by(us, Piece::King);
    sum.add_times(THREAT_BY_KING, 0, (by_king & pawns).count());
    sum.add_times(THREAT_BY_KING, 1, (by_king & !pawns).count());

    let hanging = weak & (!maps.all(them) | pieces & maps.twice(us));
    sum.add_times(THREAT_HANGING, 0, (hanging & !pawns).count());
    sum.add_times(THREAT_HANGING, 1, (hanging & pawns).count());
    sum.add_times(THREAT_QUEEN_PROTECTS, 0, (weak & maps.by(them, Piece::Queen)).count());

    // A defender that is itself attacked and holds something else that is attacked, too.
    let overloaded = weak & maps.all(them) & !maps.twice(them) & !pawns & maps.twice(us);
    sum.add_times(THREAT_OVERLOADED, 0, overloaded.count());

    let pushed = safe_pushes(board, us, maps) & safe;
    let new_targets = pawn_attacks_from(us, pushed) & pieces & !by_pawns;
    sum.add_times(THREAT_BY_PUSH, 0, new_targets.count());

    queen_next(board, us, maps, sum);
}

/// Adds one weight for each victim by its kind; kings are none.
#[inline(always)]
fn count(board: &Board, victims: Bitboard, group: Group, sum: &mut Sum<'_, impl Trace>) {
    for victim in victims & !board.kind(Piece::King) {
        if let Some(piece) = board.piece_at(victim) {
            sum.add(group, piece.index());
        }
    }
}

/// Where our pawns can go without being taken by a pawn.
#[inline(always)]
fn safe_pushes(board: &Board, us: Color, maps: &Maps) -> Bitboard {
    let empty = !board.occupied();
    let third = Rank::Third.relative_to(us).bitboard();
    let once = board.pieces(us, Piece::Pawn).forward(us) & empty;
    let twice = (once & third).forward(us) & empty;
    (once | twice) & !maps.by(!us, Piece::Pawn)
}

/// Squares from which a knight or slider would attack the enemy's only queen.
#[inline(always)]
fn queen_next(board: &Board, us: Color, maps: &Maps, sum: &mut Sum<'_, impl Trace>) {
    let them = !us;
    let queens = board.pieces(them, Piece::Queen);
    let Some(queen) = queens.first().filter(|_| !queens.many()) else { return };
    let occupied = board.occupied();
    let held = maps.by(them, Piece::Pawn) | maps.twice(them) & !maps.twice(us);
    let free = maps.mobility_area[us.index()] & !board.color(us) & !held;
    let knights = maps.by(us, Piece::Knight) & knight_attacks(queen) & free;
    let sliders = maps.by(us, Piece::Bishop) & bishop_attacks(queen, occupied)
        | maps.by(us, Piece::Rook) & rook_attacks(queen, occupied);
    sum.add_times(THREAT_QUEEN_NEXT, 0, knights.count());
    sum.add_times(THREAT_QUEEN_NEXT, 1, (sliders & free & maps.twice(us)).count());
}
