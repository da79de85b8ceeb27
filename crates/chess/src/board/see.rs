//! Static exchange evaluation: who wins the captures on one square?

use super::Board;
use crate::attacks::{bishop_attacks, rook_attacks};
use crate::{Color, Move, MoveKind, Piece, Square};

/// What a piece is worth in exchanges, in centipawns. The king is never captured.
#[inline]
pub const fn see_value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 0,
    }
}

impl Board {
    /// Does a legal move win at least `threshold` centipawns by the exchanges on its target square?
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let victim = self.piece_at(to).map_or(0, see_value);
        let (gain, standing) = match mv.kind() {
            MoveKind::Castling => return threshold <= 0,
            MoveKind::EnPassant => (see_value(Piece::Pawn), Piece::Pawn),
            MoveKind::Promotion(piece) => {
                (victim + see_value(piece) - see_value(Piece::Pawn), piece)
            }
            MoveKind::Normal => (victim, self.piece_at(from).unwrap_or(Piece::Pawn)),
        };
        // Even if nothing is taken back it is too little.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        // Even if the moved piece is lost for nothing it is enough.
        balance -= see_value(standing);
        if balance >= 0 {
            return true;
        }
        self.exchange(mv, balance)
    }

    /// Plays the captures out, cheapest piece first; `balance` is the mover's if its piece is lost.
    fn exchange(&self, mv: Move, mut balance: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        if mv.is_en_passant() {
            occupied ^= to.forward(!self.side).bitboard();
        }
        let diagonal = self.kind(Piece::Bishop) | self.kind(Piece::Queen);
        let straight = self.kind(Piece::Rook) | self.kind(Piece::Queen);
        let mut attackers = self.attackers(to, occupied);
        let mut side = !self.side;
        loop {
            attackers.0 &= occupied.0;
            let ours = attackers & self.color(side);
            let Some((piece, square)) = self.cheapest(ours, side) else { break };
            if piece == Piece::King && (attackers & self.color(!side)).any() {
                break; // the king may not capture what is still defended
            }
            occupied ^= square.bitboard();
            if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
                attackers |= bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(piece, Piece::Rook | Piece::Queen) {
                attackers |= rook_attacks(to, occupied) & straight;
            }
            side = !side;
            // The capturer stands to lose its piece in turn; if even so it is not behind, it has won.
            balance = -balance - 1 - see_value(piece);
            if balance >= 0 {
                break;
            }
        }
        side != self.side
    }

    #[inline]
    fn cheapest(&self, among: crate::Bitboard, side: Color) -> Option<(Piece, Square)> {
        debug_assert!((among & self.color(!side)).is_empty());
        Piece::ALL
            .into_iter()
            .find_map(|piece| (among & self.kind(piece)).first().map(|square| (piece, square)))
    }
}
