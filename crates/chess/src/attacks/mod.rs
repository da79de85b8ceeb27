//! Where pieces attack, from tables built at compile time.
//!
//! Sliders come from `magic` tables (feature `magics`, 0.8 MB) or from `hyperbola`
//! arithmetic (2 KB): same functions, same answers, chosen at compile time.

mod leapers;
mod lines;
mod rays;

#[cfg(any(test, not(feature = "magics")))]
#[cfg_attr(feature = "magics", expect(unreachable_pub, reason = "only the tests compare it"))]
mod hyperbola;
#[cfg(feature = "magics")]
mod magic;
#[cfg(feature = "magics")]
mod magic_numbers;

#[cfg(not(feature = "magics"))]
pub use hyperbola::{bishop_attacks, rook_attacks};
#[cfg(feature = "magics")]
pub use magic::{bishop_attacks, rook_attacks};

pub use leapers::{king_attacks, knight_attacks, pawn_attacks, pawn_attacks_from};
pub use lines::{between, line};

use crate::{Bitboard, Piece, Square};

/// The squares a queen attacks.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// The squares a piece other than a pawn attacks.
#[inline]
pub fn piece_attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Knight => knight_attacks(square),
        Piece::Bishop => bishop_attacks(square, occupied),
        Piece::Rook => rook_attacks(square, occupied),
        Piece::Queen => queen_attacks(square, occupied),
        Piece::King => king_attacks(square),
        Piece::Pawn => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::{bishop_attacks, hyperbola, rays, rook_attacks};
    use crate::{Bitboard, Rng, Square};

    /// Three implementations agree on many random occupancies of every square.
    #[test]
    fn sliders_agree_with_walking_the_rays() {
        let mut rng = Rng::new(1);
        for square in Square::all() {
            for _ in 0..if cfg!(miri) { 5 } else { 2000 } {
                // An eighth of the squares on average.
                let occupied = rng.next_u64() & rng.next_u64() & rng.next_u64();
                let rook = Bitboard(rays::rook(square.index(), occupied));
                let bishop = Bitboard(rays::bishop(square.index(), occupied));
                let occupied = Bitboard(occupied);
                assert_eq!(rook_attacks(square, occupied), rook);
                assert_eq!(bishop_attacks(square, occupied), bishop);
                assert_eq!(hyperbola::rook_attacks(square, occupied), rook);
                assert_eq!(hyperbola::bishop_attacks(square, occupied), bishop);
            }
        }
    }
}
