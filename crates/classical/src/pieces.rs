//! Knights, bishops, rooks and queens: mobility, good squares, bad company.
//!
//! On its way it fills the attack maps and counts who joins the attack on the enemy king.

use chess::attacks::{bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks};
use chess::{Bitboard, Board, Color, File, Piece, Rank, Square};

use super::geometry::{distance, rank_of};
use super::layout::{
    BISHOP_LONG_DIAGONAL, BISHOP_MOBILITY, BISHOP_OUTPOST, BISHOP_PAIR, BISHOP_PAWNS, Group,
    KNIGHT_CLOSEDNESS, KNIGHT_MOBILITY, KNIGHT_OUTPOST, MINOR_BEHIND_PAWN, MINOR_KING_DISTANCE,
    QUEEN_MOBILITY, QUEEN_XRAYED, ROOK_CLOSEDNESS, ROOK_FILE, ROOK_MOBILITY, ROOK_SEVENTH,
    ROOK_SHUT_IN, SAFETY_ATTACKER,
};
use super::maps::{Maps, same_color};
use super::trace::{Side, Trace};

/// The four squares in the middle.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// From elsewhere no bishop sees two squares of the centre.
const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);
/// The files on which an outpost is worth less.
const WINGS: Bitboard = Bitboard(File::A.bitboard().0 | File::H.bitboard().0);

/// Judges all pieces of a side.
#[inline(always)]
pub(super) fn score(side: &mut Side<'_, impl Trace>, maps: &mut Maps) {
    let (board, us) = (side.board, side.us);
    let occupied = board.occupied();
    let queens = board.kind(Piece::Queen);
    let bishops = board.pieces(us, Piece::Bishop);
    let rooks = board.pieces(us, Piece::Rook);
    let closedness = side.pawns.closedness as usize;

    for knight in board.pieces(us, Piece::Knight) {
        moves(side, maps, Piece::Knight, KNIGHT_MOBILITY, knight_attacks(knight));
        minor(side, maps, knight, 0, KNIGHT_OUTPOST);
        side.sum.add(KNIGHT_CLOSEDNESS, closedness);
    }
    for bishop in bishops {
        // Queens do not stand in the way: ours points the same way, theirs must move.
        let attacks = bishop_attacks(bishop, occupied ^ queens);
        moves(side, maps, Piece::Bishop, BISHOP_MOBILITY, attacks);
        minor(side, maps, bishop, 1, BISHOP_OUTPOST);
        let same = board.pieces(us, Piece::Pawn) & same_color(bishop);
        side.sum.add_times(BISHOP_PAWNS, 0, same.count());
        side.sum.add_times(BISHOP_PAWNS, 1, (same & occupied.forward(!us)).count());
        if LONG_DIAGONALS.contains(bishop)
            && (bishop_attacks(bishop, board.kind(Piece::Pawn)) & CENTRE).many()
        {
            side.sum.add(BISHOP_LONG_DIAGONAL, 0);
        }
    }
    if (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any() {
        side.sum.add(BISHOP_PAIR, 0);
    }
    for rook in rooks {
        let attacks = rook_attacks(rook, occupied ^ queens ^ rooks);
        let mobility = moves(side, maps, Piece::Rook, ROOK_MOBILITY, attacks);
        rook_place(side, rook, mobility);
        side.sum.add(ROOK_CLOSEDNESS, closedness);
    }
    for queen in board.pieces(us, Piece::Queen) {
        moves(side, maps, Piece::Queen, QUEEN_MOBILITY, queen_attacks(queen, occupied));
        if is_xrayed(board, us, queen, occupied) {
            side.sum.add(QUEEN_XRAYED, 0);
        }
    }
}

/// Mobility and the part in the attack on the king; returns the number of squares.
#[inline(always)]
fn moves(
    side: &mut Side<'_, impl Trace>,
    maps: &mut Maps,
    piece: Piece,
    group: Group,
    attacks: Bitboard,
) -> u32 {
    let (us, them) = (side.us, !side.us);
    maps.add(us, piece, attacks);
    let free = attacks & maps.mobility_area[us.index()];
    side.sum.add(group, free.count() as usize);
    if (free & maps.king_ring[them.index()]).any() {
        maps.ring_attackers[us.index()] += 1;
        maps.ring_attacks[us.index()] += (attacks & king_attacks(side.board.king(them))).count();
        side.attack.add(SAFETY_ATTACKER, piece.index() - 1);
    }
    free.count()
}

/// What knights and bishops (`kind` 0 and 1) have in common.
#[inline(always)]
fn minor(
    side: &mut Side<'_, impl Trace>,
    maps: &Maps,
    square: Square,
    kind: usize,
    outpost: Group,
) {
    let (board, us) = (side.board, side.us);
    if board.kind(Piece::Pawn).contains(square.forward(us)) {
        side.sum.add(MINOR_BEHIND_PAWN, kind);
    }
    side.sum.add_times(MINOR_KING_DISTANCE, kind, distance(square, board.king(us)) as u32);
    let chased = side.pawns.span[(!us).index()].contains(square);
    if (3..=5).contains(&rank_of(us, square)) && !chased {
        let defended = maps.by(us, Piece::Pawn).contains(square);
        let on_wing = WINGS.contains(square);
        side.sum.add(outpost, usize::from(defended) + 2 * usize::from(on_wing));
    }
}

/// Open files, the seventh rank, and the corner in which its own king keeps it.
#[inline(always)]
fn rook_place(side: &mut Side<'_, impl Trace>, rook: Square, mobility: u32) {
    let (board, us) = (side.board, side.us);
    let file = rook.file().bitboard();
    if (file & board.pieces(us, Piece::Pawn)).is_empty() {
        let open = (file & board.kind(Piece::Pawn)).is_empty();
        side.sum.add(ROOK_FILE, usize::from(open));
    } else if mobility <= 3 {
        let king = board.king(us);
        let (king_file, rook_file) = (king.file().index(), rook.file().index());
        let outside = if king_file >= 4 { rook_file > king_file } else { rook_file < king_file };
        if outside && rank_of(us, king) == 0 {
            side.sum.add(ROOK_SHUT_IN, 0);
        }
    }
    let seventh = Rank::Seventh.relative_to(us).bitboard();
    let eighth = Rank::Eighth.relative_to(us).bitboard();
    let prey = board.pieces(!us, Piece::Pawn) & seventh | board.pieces(!us, Piece::King) & eighth;
    if seventh.contains(rook) && prey.any() {
        side.sum.add(ROOK_SEVENTH, 0);
    }
}

/// Does an enemy bishop or rook look at the queen through one other piece?
#[inline(always)]
fn is_xrayed(board: &Board, us: Color, queen: Square, occupied: Bitboard) -> bool {
    let straight = rook_attacks(queen, occupied);
    let diagonal = bishop_attacks(queen, occupied);
    let rooks = board.pieces(!us, Piece::Rook) & !straight;
    let bishops = board.pieces(!us, Piece::Bishop) & !diagonal;
    (rooks & rook_attacks(queen, occupied & !straight)).any()
        || (bishops & bishop_attacks(queen, occupied & !diagonal)).any()
}
