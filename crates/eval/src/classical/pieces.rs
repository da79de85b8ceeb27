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
use super::pawns::PawnInfo;
use super::trace::{Sum, Trace};

/// The four squares in the middle.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// The files on which an outpost is worth less.
const WINGS: Bitboard = Bitboard(File::A.bitboard().0 | File::H.bitboard().0);

/// Judges all pieces of `us`. `attack` collects what they mean for the enemy king.
#[inline(always)]
pub(super) fn score(
    board: &Board,
    us: Color,
    pawns: &PawnInfo,
    maps: &mut Maps,
    sum: &mut Sum,
    attack: &mut Sum,
    trace: &mut impl Trace,
) {
    let occupied = board.occupied();
    let queens = board.kind(Piece::Queen);
    let knights = board.pieces(us, Piece::Knight);
    let bishops = board.pieces(us, Piece::Bishop);
    let rooks = board.pieces(us, Piece::Rook);
    let closedness = pawns.closedness as usize;

    for knight in knights {
        let attacks = knight_attacks(knight);
        moves(Piece::Knight, KNIGHT_MOBILITY, attacks, us, board, maps, sum, attack, trace);
        minor(board, us, knight, 0, pawns, maps, sum, trace);
        sum.add(trace, KNIGHT_CLOSEDNESS, closedness);
    }
    for bishop in bishops {
        // Own queens do not stand in the way: they point the same way.
        let attacks = bishop_attacks(bishop, occupied ^ queens);
        moves(Piece::Bishop, BISHOP_MOBILITY, attacks, us, board, maps, sum, attack, trace);
        minor(board, us, bishop, 1, pawns, maps, sum, trace);
        let same = board.pieces(us, Piece::Pawn) & same_color(bishop);
        sum.add_times(trace, BISHOP_PAWNS, 0, same.count());
        sum.add_times(trace, BISHOP_PAWNS, 1, (same & occupied.forward(!us)).count());
        let seen = bishop_attacks(bishop, board.kind(Piece::Pawn)) & CENTRE;
        if seen.many() {
            sum.add(trace, BISHOP_LONG_DIAGONAL, 0);
        }
    }
    if (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any() {
        sum.add(trace, BISHOP_PAIR, 0);
    }
    for rook in rooks {
        let attacks = rook_attacks(rook, occupied ^ queens ^ rooks);
        let mobility =
            moves(Piece::Rook, ROOK_MOBILITY, attacks, us, board, maps, sum, attack, trace);
        rook_place(board, us, rook, mobility, sum, trace);
        sum.add(trace, ROOK_CLOSEDNESS, closedness);
    }
    for queen in board.pieces(us, Piece::Queen) {
        let attacks = queen_attacks(queen, occupied);
        moves(Piece::Queen, QUEEN_MOBILITY, attacks, us, board, maps, sum, attack, trace);
        if is_xrayed(board, us, queen, occupied) {
            sum.add(trace, QUEEN_XRAYED, 0);
        }
    }
}

/// Mobility and the part in the attack on the king; returns the number of squares.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one loop body shared by four kinds of pieces")]
fn moves(
    piece: Piece,
    group: Group,
    attacks: Bitboard,
    us: Color,
    board: &Board,
    maps: &mut Maps,
    sum: &mut Sum,
    attack: &mut Sum,
    trace: &mut impl Trace,
) -> u32 {
    let (side, other) = (us.index(), (!us).index());
    maps.add(us, piece, attacks);
    let mobility = (attacks & maps.mobility_area[side]).count();
    sum.add(trace, group, mobility as usize);
    if (attacks & maps.king_ring[other] & maps.mobility_area[side]).any() {
        maps.ring_attackers[side] += 1;
        maps.ring_attacks[side] += (attacks & king_attacks(board.king(!us))).count();
        attack.add(trace, SAFETY_ATTACKER, piece.index() - 1);
    }
    mobility
}

/// What knights and bishops (`kind` 0 and 1) have in common.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one loop body shared by two kinds of pieces")]
fn minor(
    board: &Board,
    us: Color,
    square: Square,
    kind: usize,
    pawns: &PawnInfo,
    maps: &Maps,
    sum: &mut Sum,
    trace: &mut impl Trace,
) {
    if square.forward(us).bitboard().0 & board.kind(Piece::Pawn).0 != 0 {
        sum.add(trace, MINOR_BEHIND_PAWN, kind);
    }
    let far = distance(square, board.king(us)) as u32;
    sum.add_times(trace, MINOR_KING_DISTANCE, kind, far);
    let rank = rank_of(us, square);
    if (3..=5).contains(&rank) && !pawns.span[(!us).index()].contains(square) {
        let defended = maps.by(us, Piece::Pawn).contains(square);
        let group = if kind == 0 { KNIGHT_OUTPOST } else { BISHOP_OUTPOST };
        sum.add(trace, group, usize::from(defended) + 2 * usize::from(WINGS.contains(square)));
    }
}

/// Open files, the seventh rank, and the corner from which the king's own walk keeps it.
#[inline(always)]
fn rook_place(
    board: &Board,
    us: Color,
    rook: Square,
    mobility: u32,
    sum: &mut Sum,
    trace: &mut impl Trace,
) {
    let file = rook.file().bitboard();
    let own_pawns = board.pieces(us, Piece::Pawn);
    if (file & own_pawns).is_empty() {
        let open = (file & board.kind(Piece::Pawn)).is_empty();
        sum.add(trace, ROOK_FILE, usize::from(open));
    } else if mobility <= 3 {
        let king = board.king(us);
        let (king_file, rook_file) = (king.file().index(), rook.file().index());
        let outside = if king_file >= 4 { rook_file > king_file } else { rook_file < king_file };
        if outside && rank_of(us, king) == 0 {
            sum.add(trace, ROOK_SHUT_IN, 0);
        }
    }
    let seventh = Rank::Seventh.relative_to(us).bitboard();
    let eighth = Rank::Eighth.relative_to(us).bitboard();
    let prey = board.pieces(!us, Piece::Pawn) & seventh | board.pieces(!us, Piece::King) & eighth;
    if seventh.contains(rook) && prey.any() {
        sum.add(trace, ROOK_SEVENTH, 0);
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
