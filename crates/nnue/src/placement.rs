//! Which pieces stand where, and what they attack: all that the inputs depend on.
//!
//! Smaller than a `Board` and free of rules, so that a stack can keep one for each move, the
//! trainer can fill one from a record, and pieces that no game could bring about are no error.

use chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, piece_attacks, rook_attacks,
};
use chess::{Bitboard, Board, Color, Piece, Square};

/// Pieces on squares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Placement {
    /// An empty board.
    pub const EMPTY: Self = Self { kinds: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// The pieces of a board.
    #[inline]
    pub fn of(board: &Board) -> Self {
        let kinds = Piece::ALL.map(|piece| board.kind(piece));
        Self { kinds, colors: Color::ALL.map(|color| board.color(color)) }
    }

    /// Puts a piece on a square; what stood there is gone.
    #[inline]
    pub fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.clear(square);
        self.kinds[piece.index()] |= square.bitboard();
        self.colors[color.index()] |= square.bitboard();
    }

    /// Takes away what stands on a square.
    #[inline]
    pub fn clear(&mut self, square: Square) {
        for pieces in self.kinds.iter_mut().chain(&mut self.colors) {
            *pieces &= !square.bitboard();
        }
    }

    /// What stands on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        let piece =
            Piece::ALL.into_iter().find(|kind| self.kinds[kind.index()].contains(square))?;
        let white = self.colors[Color::White.index()].contains(square);
        Some((if white { Color::White } else { Color::Black }, piece))
    }

    /// The pieces of one kind and color.
    #[inline]
    pub(crate) fn of_kind(&self, color: Color, piece: Piece) -> Bitboard {
        self.kinds[piece.index()] & self.colors[color.index()]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Every piece.
    pub fn pieces(&self) -> impl Iterator<Item = (Color, Piece, Square)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| self.at(square).map(|(color, piece)| (color, piece, square)))
    }

    /// Squares on which the two differ.
    #[inline]
    pub(crate) fn changed(&self, other: &Self) -> Bitboard {
        let pairs =
            self.kinds.iter().zip(&other.kinds).chain(self.colors.iter().zip(&other.colors));
        pairs.fold(Bitboard::EMPTY, |changed, (a, b)| changed | Bitboard(a.0 ^ b.0))
    }

    /// Pieces other than kings, of either color, that the piece on a square attacks or defends.
    #[inline]
    pub(crate) fn victims(&self, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let attacked = match self.at(square) {
            None => return Bitboard::EMPTY,
            Some((color, Piece::Pawn)) => pawn_attacks(color, square),
            Some((_, piece)) => piece_attacks(piece, square, occupied),
        };
        Bitboard(attacked.0 & occupied.0 & !self.kinds[Piece::King.index()].0)
    }

    /// Pieces of either color that attack a square.
    #[inline]
    pub(crate) fn attackers(&self, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        let [white, black] = self.colors;
        // A white pawn attacks a square from where a black pawn on the square would attack it.
        let pawns = pawns
            & (pawn_attacks(Color::Black, square) & white
                | pawn_attacks(Color::White, square) & black);
        pawns
            | knight_attacks(square) & knights
            | king_attacks(square) & kings
            | bishop_attacks(square, occupied) & (bishops | queens)
            | rook_attacks(square, occupied) & (rooks | queens)
    }
}

impl FromIterator<(Color, Piece, Square)> for Placement {
    fn from_iter<I: IntoIterator<Item = (Color, Piece, Square)>>(pieces: I) -> Self {
        let mut placement = Self::EMPTY;
        for (color, piece, square) in pieces {
            placement.put(color, piece, square);
        }
        placement
    }
}
