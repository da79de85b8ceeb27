//! Does a move give check? Known before it is made.

use super::Board;
use crate::attacks::{between, bishop_attacks, knight_attacks, line, pawn_attacks, rook_attacks};
use crate::{Bitboard, Move, MoveKind, Piece, Square};

/// From where the side to move checks its opponent's king; worth making once for all moves.
#[derive(Clone, Debug)]
pub struct CheckSquares {
    king: Square,
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    /// Our pieces that stand alone between one of our sliders and the king.
    discoverers: Bitboard,
}

impl CheckSquares {
    /// Looks from the king outwards.
    pub fn new(board: &Board) -> Self {
        let (us, them) = (board.side_to_move(), !board.side_to_move());
        let king = board.king(them);
        let occupied = board.occupied();
        let ours = board.color(us);
        let theirs = board.color(them);
        let mut discoverers = Bitboard::EMPTY;
        let snipers = rook_attacks(king, theirs) & board.straight_sliders(us)
            | bishop_attacks(king, theirs) & board.diagonal_sliders(us);
        for sniper in snipers {
            let blockers = between(king, sniper) & occupied;
            if blockers.any() && !blockers.many() {
                discoverers |= blockers & ours;
            }
        }
        Self {
            king,
            pawn: pawn_attacks(them, king),
            knight: knight_attacks(king),
            bishop: bishop_attacks(king, occupied),
            rook: rook_attacks(king, occupied),
            discoverers,
        }
    }

    /// Does this legal move of the board give check?
    pub fn gives_check(&self, board: &Board, mv: Move) -> bool {
        if mv.kind() != MoveKind::Normal {
            // Rare, and too many lines change at once: look at the position after it.
            let next = board.after(mv);
            return next.in_check();
        }
        let (from, to) = (mv.from(), mv.to());
        self.gives_direct_check(board, mv) || self.discovers(from, to)
    }

    /// Does a plain move open a line to the king?
    #[inline]
    pub fn discovers(&self, from: Square, to: Square) -> bool {
        self.discoverers.contains(from) && !line(self.king, from).contains(to)
    }

    /// Does a plain move give check by the piece that moves?
    #[inline]
    fn gives_direct_check(&self, board: &Board, mv: Move) -> bool {
        board.piece_at(mv.from()).is_some_and(|piece| self.from(piece).contains(mv.to()))
    }

    /// The squares on which a piece of this kind gives check.
    #[inline]
    pub fn from(&self, piece: Piece) -> Bitboard {
        match piece {
            Piece::Pawn => self.pawn,
            Piece::Knight => self.knight,
            Piece::Bishop => self.bishop,
            Piece::Rook => self.rook,
            Piece::Queen => self.bishop | self.rook,
            Piece::King => Bitboard::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CheckSquares;
    use crate::Board;

    /// The prediction equals the position after the move, for all moves of a small tree.
    fn compare(board: &Board, depth: u32) -> u32 {
        let checks = CheckSquares::new(board);
        let mut count = 0;
        for mv in &board.legal_moves() {
            let next = board.after(mv);
            assert_eq!(checks.gives_check(board, mv), next.in_check(), "{mv} in {board}");
            count += u32::from(next.in_check());
            if depth > 1 {
                count += compare(&next, depth - 1);
            }
        }
        count
    }

    #[test]
    fn predictions_come_true() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "3k4/8/8/8/8/3N4/3R4/3K4 w - - 0 1",
        ] {
            assert!(compare(&fen.parse().unwrap(), 3) > 10, "{fen}");
        }
    }
}
