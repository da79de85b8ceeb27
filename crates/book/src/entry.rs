//! One line of a book: sixteen bytes, big-endian.
//!
//! | bytes | meaning                                  |
//! |-------|------------------------------------------|
//! | 0-7   | key of the position                      |
//! | 8-9   | the move, fifteen bits                   |
//! | 10-11 | weight: how often it should be chosen    |
//! | 12-15 | for learning; kept, not used             |
//!
//! A move is `promotion << 12 | from << 6 | to`, a square `rank << 3 | file`, and castling is the
//! king taking its rook.

use chess::{Board, Move, Piece};

/// A line of a book.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub struct Entry {
    /// The position.
    pub key: u64,
    /// The move in the format's encoding; only a board can say if it is legal.
    pub mv: u16,
    /// How good or frequent the move is, relative to the position's others.
    pub weight: u16,
    /// Left to programs that learn.
    pub learn: u32,
}

impl Entry {
    /// Bytes of an entry in a file.
    pub const SIZE: usize = 16;

    /// Reads an entry.
    pub fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let bits = u128::from_be_bytes(bytes);
        Self {
            key: (bits >> 64) as u64,
            mv: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    /// Writes it.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let bits = u128::from(self.key) << 64
            | u128::from(self.mv) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        bits.to_be_bytes()
    }
}

/// A legal move that a book gives for a position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its weight.
    pub weight: u16,
}

/// The pieces a pawn may become, as the format numbers them from 1.
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// A move in the format's encoding.
pub fn encode_move(mv: Move) -> u16 {
    let promotion = mv
        .promoted()
        .and_then(|piece| PROMOTIONS.iter().position(|&known| known == piece))
        .map_or(0, |index| index as u16 + 1);
    promotion << 12 | (mv.from().index() as u16) << 6 | mv.to().index() as u16
}

/// The legal move of the board that this encoding means, if there is one.
///
/// Castling written as the king's two squares, as some old programs did, is understood as well.
pub fn decode_move(board: &Board, bits: u16) -> Option<Move> {
    let moves = board.legal_moves();
    let exact = moves.iter().find(|&&mv| encode_move(mv) == bits);
    let king_steps = |mv: Move| encode_move(Move::normal(mv.from(), mv.arrival()));
    let castling = moves.iter().find(|mv| mv.is_castling() && king_steps(**mv) == bits);
    exact.or(castling).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_there_and_back() {
        let entry = Entry { key: 0x0123_4567_89ab_cdef, mv: 0x031c, weight: 258, learn: 7 };
        let bytes = entry.to_bytes();
        assert_eq!(bytes[..12], [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 3, 0x1c, 1, 2]);
        assert_eq!(Entry::from_bytes(bytes), entry);
    }

    #[test]
    fn every_legal_move_survives_the_encoding() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        ] {
            let board: Board = fen.parse().expect("legal");
            for &mv in board.legal_moves().iter() {
                assert_eq!(decode_move(&board, encode_move(mv)), Some(mv), "{mv} in {fen}");
            }
        }
    }

    #[test]
    fn castling_is_king_takes_rook_but_two_steps_are_understood() {
        let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("legal");
        let castling = board.parse_uci("e1g1").expect("legal");
        assert_eq!(encode_move(castling), 4 << 6 | 7);
        assert_eq!(decode_move(&board, 4 << 6 | 6), Some(castling));
    }

    #[test]
    fn illegal_encodings_are_no_moves() {
        let board = Board::default();
        let legal = (0..=u16::MAX).filter(|&bits| decode_move(&board, bits).is_some()).count();
        assert_eq!(legal, 20);
    }
}
