//! Who attacks what: computed once for a position, read by every term.

use chess::attacks::{king_attacks, pawn_attacks_from};
use chess::{Bitboard, Board, Color, Piece, Rank, Square};

/// The attack maps of both sides, filled by [`pieces`](super::pieces) as it goes.
pub(super) struct Maps {
    /// What a side's pieces of a kind attack.
    pub(super) by: [[Bitboard; 6]; 2],
    /// What a side attacks at all.
    pub(super) all: [Bitboard; 2],
    /// What a side attacks twice or more.
    pub(super) twice: [Bitboard; 2],
    /// Where moving counts as mobility.
    pub(super) mobility_area: [Bitboard; 2],
    /// The squares around a side's king that the other side wants.
    pub(super) king_ring: [Bitboard; 2],
    /// How many pieces of a side attack the other king's ring.
    pub(super) ring_attackers: [u32; 2],
    /// How many attacks of a side fall on squares next to the other king.
    pub(super) ring_attacks: [u32; 2],
}

impl Maps {
    /// The maps of pawns and kings; pieces add themselves with [`Maps::add`].
    #[inline(always)]
    pub(super) fn new(board: &Board) -> Self {
        let mut maps = Self {
            by: [[Bitboard::EMPTY; 6]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            mobility_area: [Bitboard::EMPTY; 2],
            king_ring: [Bitboard::EMPTY; 2],
            ring_attackers: [0; 2],
            ring_attacks: [0; 2],
        };
        maps.add_pawns_and_king(board, Color::White);
        maps.add_pawns_and_king(board, Color::Black);
        maps.mark_areas(board, Color::White);
        maps.mark_areas(board, Color::Black);
        maps
    }

    #[inline(always)]
    fn add_pawns_and_king(&mut self, board: &Board, us: Color) {
        let pawns = board.pieces(us, Piece::Pawn);
        let ahead = pawns.forward(us);
        let by_pawns = pawn_attacks_from(us, pawns);
        let by_king = king_attacks(board.king(us));
        let side = us.index();
        self.by[side][Piece::Pawn.index()] = by_pawns;
        self.by[side][Piece::King.index()] = by_king;
        self.all[side] = by_pawns | by_king;
        self.twice[side] = ahead.east() & ahead.west() | by_pawns & by_king;
    }

    /// Mobility leaves out squares the enemy's pawns hold, our king, and our own pawns that are
    /// blocked or still at home. The ring reaches one rank ahead of the king's neighbours.
    #[inline(always)]
    fn mark_areas(&mut self, board: &Board, us: Color) {
        let (side, other) = (us.index(), (!us).index());
        let pawns = board.pieces(us, Piece::Pawn);
        let early =
            Rank::Second.relative_to(us).bitboard() | Rank::Third.relative_to(us).bitboard();
        let stuck = pawns & (early | board.occupied().forward(!us));
        let king = board.king(us);
        self.mobility_area[side] = !(self.by[other][Piece::Pawn.index()] | stuck | king.bitboard());

        let near = king_attacks(king) | king.bitboard();
        let ahead = pawns.forward(us);
        self.king_ring[side] = (near | near.forward(us)) & !(ahead.east() & ahead.west());
    }

    /// Notes what a piece other than a pawn or king attacks.
    #[inline(always)]
    pub(super) fn add(&mut self, us: Color, piece: Piece, attacks: Bitboard) {
        let side = us.index();
        self.by[side][piece.index()] |= attacks;
        self.twice[side] |= self.all[side] & attacks;
        self.all[side] |= attacks;
    }

    /// What our pieces of one kind attack.
    #[inline(always)]
    pub(super) fn by(&self, us: Color, piece: Piece) -> Bitboard {
        self.by[us.index()][piece.index()]
    }

    /// What we attack.
    #[inline(always)]
    pub(super) fn all(&self, us: Color) -> Bitboard {
        self.all[us.index()]
    }

    /// What we attack at least twice.
    #[inline(always)]
    pub(super) fn twice(&self, us: Color) -> Bitboard {
        self.twice[us.index()]
    }
}

/// Squares of the color of this square.
#[inline(always)]
pub(super) fn same_color(square: Square) -> Bitboard {
    if Bitboard::DARK.contains(square) { Bitboard::DARK } else { Bitboard::LIGHT }
}
