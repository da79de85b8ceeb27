//! The attack on the enemy king: many small signs that count together, not one by one.
//!
//! The signs are summed like any other terms and the sum is then squared (middlegame) or cut off
//! below zero (endgame), because two attackers are worth more than twice one.

use chess::attacks::{bishop_attacks, knight_attacks, rook_attacks};
use chess::{Bitboard, Board, Color, File, Piece, Rank};

use super::layout::{
    KING_DEFENDERS, SAFETY_ATTACKS, SAFETY_BAD_CHECK, SAFETY_BASE, SAFETY_CHECK, SAFETY_FLANK,
    SAFETY_KNIGHT_GUARD, SAFETY_NO_QUEEN, SAFETY_WEAK_RING,
};
use super::maps::Maps;
use super::tapered::Tapered;
use super::trace::{Side, Sum, Trace};

/// The middlegame sum is squared and divided by this.
pub const SAFETY_MG_DIVISOR: i32 = 720;
/// The endgame sum is divided by this.
pub const SAFETY_EG_DIVISOR: i32 = 20;

/// No attack has more signs than this, so that its square stays within a [`Tapered`] half.
pub const SAFETY_LIMIT: i32 = 1500;

/// Turns the signs of an attack into its worth.
#[inline(always)]
fn worth(signs: Tapered) -> Tapered {
    let (mg, eg) = (signs.mg().clamp(0, SAFETY_LIMIT), signs.eg().clamp(0, SAFETY_LIMIT));
    Tapered::new(mg * mg / SAFETY_MG_DIVISOR, eg / SAFETY_EG_DIVISOR)
}

/// How many friends stand beside our king.
#[inline(always)]
pub(super) fn defenders(side: &mut Side<'_, impl Trace>, maps: &Maps) {
    let (board, us) = (side.board, side.us);
    let friends = board.color(us)
        & (board.kind(Piece::Pawn) | board.kind(Piece::Knight) | board.kind(Piece::Bishop));
    let near = (friends & maps.king_ring[us.index()]).count() as usize;
    side.sum.add(KING_DEFENDERS, near.min(KING_DEFENDERS.len - 1));
}

/// Judges our attack on their king, if there is one to speak of.
#[inline(always)]
pub(super) fn attack(side: &mut Side<'_, impl Trace>, maps: &Maps) {
    if is_attack(side.board, side.us, maps) {
        add_signs(side.board, side.us, maps, &mut side.attack);
        side.sum.total += worth(side.attack.total);
    }
}

/// Adds the signs of our attack on their king.
#[inline(always)]
fn add_signs(board: &Board, us: Color, maps: &Maps, attack: &mut Sum<'_, impl Trace>) {
    let them = !us;
    let king = board.king(them);
    let ring = maps.king_ring[them.index()];
    let queens = board.pieces(us, Piece::Queen);
    let attacked = maps.all(us);
    // Held by nobody, or once by the king or queen, which are poor defenders.
    let weak = attacked
        & !maps.twice(them)
        & (!maps.all(them) | maps.by(them, Piece::King) | maps.by(them, Piece::Queen));

    attack.add_times(SAFETY_ATTACKS, 0, maps.ring_attacks[us.index()]);
    attack.add_times(SAFETY_WEAK_RING, 0, (ring & weak).count());
    if queens.is_empty() {
        attack.add(SAFETY_NO_QUEEN, 0);
    }

    let occupied = board.occupied();
    let safe = !board.color(us) & (!maps.all(them) | weak & maps.twice(us));
    let straight = rook_attacks(king, occupied);
    let diagonal = bishop_attacks(king, occupied);
    let from = [
        knight_attacks(king) & maps.by(us, Piece::Knight),
        diagonal & maps.by(us, Piece::Bishop),
        straight & maps.by(us, Piece::Rook),
        (straight | diagonal) & maps.by(us, Piece::Queen),
    ];
    let mut bad = Bitboard::EMPTY;
    for (kind, checks) in from.into_iter().enumerate() {
        attack.add_times(SAFETY_CHECK, kind, (checks & safe).count());
        bad |= checks & !safe & !board.color(us);
    }
    attack.add_times(SAFETY_BAD_CHECK, 0, bad.count());

    let flank = flank(king.file()) & camp(them);
    attack.add_times(SAFETY_FLANK, 0, (flank & attacked).count());
    attack.add_times(SAFETY_FLANK, 1, (flank & maps.twice(us)).count());
    attack.add_times(SAFETY_FLANK, 2, (flank & maps.all(them)).count());
    if (maps.by(them, Piece::Knight) & board.pieces(them, Piece::King)).any() {
        attack.add(SAFETY_KNIGHT_GUARD, 0);
    }
    attack.add(SAFETY_BASE, 0);
}

/// Is there enough of an attack to look closer? One piece is enough if there is a queen.
#[inline(always)]
fn is_attack(board: &Board, us: Color, maps: &Maps) -> bool {
    let queen = board.pieces(us, Piece::Queen).any();
    maps.ring_attackers[us.index()] >= if queen { 1 } else { 2 }
}

/// The files of the king's wing.
fn flank(king: File) -> Bitboard {
    const LEFT: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    const MIDDLE: u64 = 0x3c3c_3c3c_3c3c_3c3c;
    match king {
        File::A | File::B | File::C => Bitboard(LEFT),
        File::D | File::E => Bitboard(MIDDLE),
        File::F | File::G | File::H => Bitboard(!LEFT),
    }
}

/// The five ranks on a side's own half.
fn camp(color: Color) -> Bitboard {
    let far = [Rank::Sixth, Rank::Seventh, Rank::Eighth];
    !far.into_iter().fold(Bitboard::EMPTY, |set, r| set | r.relative_to(color).bitboard())
}
