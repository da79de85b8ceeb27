//! What the opponent attacks, and with what at least.

use chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks_from, queen_attacks, rook_attacks,
};
use chess::{Bitboard, Board, Piece};

use crate::params::order;

/// Squares the side not to move attacks, cheapest attackers first: each set holds the one before.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Threats {
    by_pawn: Bitboard,
    by_minor: Bitboard,
    by_rook: Bitboard,
    /// By anything.
    pub(crate) all: Bitboard,
}

impl Threats {
    pub(crate) fn new(board: &Board) -> Self {
        let them = !board.side_to_move();
        let occupied = board.occupied();
        let by_pawn = pawn_attacks_from(them, board.pieces(them, Piece::Pawn));
        let mut by_minor = by_pawn;
        for square in board.pieces(them, Piece::Knight) {
            by_minor |= knight_attacks(square);
        }
        for square in board.pieces(them, Piece::Bishop) {
            by_minor |= bishop_attacks(square, occupied);
        }
        let mut by_rook = by_minor;
        for square in board.pieces(them, Piece::Rook) {
            by_rook |= rook_attacks(square, occupied);
        }
        let mut all = by_rook | king_attacks(board.king(them));
        for square in board.pieces(them, Piece::Queen) {
            all |= queen_attacks(square, occupied);
        }
        Self { by_pawn, by_minor, by_rook, all }
    }

    /// Where a piece would be attacked by something cheaper, and what that matters to the order of
    /// moves, in units of history.
    #[inline]
    pub(crate) fn danger(&self, piece: Piece) -> (Bitboard, i32) {
        match piece {
            Piece::Knight | Piece::Bishop => (self.by_pawn, order::escape_minor()),
            Piece::Rook => (self.by_minor, order::escape_rook()),
            Piece::Queen => (self.by_rook, order::escape_queen()),
            _ => (Bitboard::EMPTY, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Threats;
    use chess::Board;

    #[test]
    fn all_threats_are_all_attacks() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            let threats = Threats::new(&board);
            assert_eq!(threats.all, board.attacks_of(!board.side_to_move()));
            let sets = [threats.by_pawn, threats.by_minor, threats.by_rook, threats.all];
            assert!(sets.windows(2).all(|pair| pair[0] & pair[1] == pair[0]));
        }
    }
}
