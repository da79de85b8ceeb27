//! Which pieces stand where, and what they attack: all that the inputs depend on.
//!
//! Smaller than a `Board` and free of rules, so that a stack can keep one for each move, the
//! trainer can fill one from a record, and pieces that no game could bring about are no error.

use chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, piece_attacks, rook_attacks,
};
use chess::{Bitboard, Board, Color, Piece, Square};
use simd::threats::EMPTY;

/// Pieces on squares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    /// The same by square.
    codes: [u8; 64],
}

/// The code of a piece: its kind, and 6 more if it is Black's.
#[inline]
pub(crate) const fn code(color: Color, piece: Piece) -> u8 {
    (color.index() * 6 + piece.index()) as u8
}

/// A piece on a square.
pub(crate) type Placed = (Color, Piece, Square);

impl Placement {
    /// An empty board.
    pub const EMPTY: Self =
        Self { kinds: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2], codes: [EMPTY; 64] };

    /// The pieces of a board.
    #[inline]
    pub fn of(board: &Board) -> Self {
        let mut placement = Self::sets_of(board);
        for color in Color::ALL {
            for square in board.color(color) {
                if let Some(piece) = board.piece_at(square) {
                    placement.codes[square.index()] = code(color, piece);
                }
            }
        }
        placement
    }

    /// The pieces of a board as sets alone: enough where nobody asks what stands on a square.
    #[inline]
    pub(crate) fn sets_of(board: &Board) -> Self {
        let kinds = Piece::ALL.map(|piece| board.kind(piece));
        Self { kinds, colors: Color::ALL.map(|color| board.color(color)), ..Self::EMPTY }
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, color: Color, piece: Piece, square: Square) {
        debug_assert_eq!(self.at(square), None);
        self.kinds[piece.index()] |= square.bitboard();
        self.colors[color.index()] |= square.bitboard();
        self.codes[square.index()] = code(color, piece);
    }

    /// Takes a piece away from its square.
    #[inline]
    pub fn take(&mut self, color: Color, piece: Piece, square: Square) {
        debug_assert_eq!(self.at(square), Some((color, piece)));
        self.kinds[piece.index()] &= !square.bitboard();
        self.colors[color.index()] &= !square.bitboard();
        self.codes[square.index()] = EMPTY;
    }

    /// What stands on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        let code = self.code_at(square) as usize;
        (code < EMPTY as usize).then(|| (Color::ALL[code / 6], Piece::ALL[code % 6]))
    }

    /// The code of what stands on a square, [`EMPTY`] if nothing does.
    #[inline]
    pub(crate) fn code_at(&self, square: Square) -> u8 {
        self.codes[square.index()]
    }

    /// The same of every square.
    #[inline]
    pub(crate) fn codes(&self) -> &[u8; 64] {
        &self.codes
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

    /// Pieces other than kings.
    #[inline]
    pub(crate) fn victims(&self) -> Bitboard {
        self.occupied() & !self.kinds[Piece::King.index()]
    }

    /// Squares that a piece on a square attacks.
    #[inline]
    pub(crate) fn attacks(&self, color: Color, piece: Piece, square: Square) -> Bitboard {
        match piece {
            Piece::Pawn => pawn_attacks(color, square),
            _ => piece_attacks(piece, square, self.occupied()),
        }
    }

    /// What is seen from a square.
    #[inline]
    pub(crate) fn sight(&self, square: Square) -> Sight {
        let occupied = self.occupied();
        let diagonal = bishop_attacks(square, occupied);
        Sight { square, diagonal, straight: rook_attacks(square, occupied) }
    }

    /// Pawns, knights and kings of either color that attack a square.
    #[inline]
    pub(crate) fn steppers(&self, square: Square) -> Bitboard {
        let [pawns, knights, .., kings] = self.kinds;
        let [white, black] = self.colors;
        // A white pawn attacks a square from where a black pawn on the square would attack it.
        let pawns = pawns
            & (pawn_attacks(Color::Black, square) & white
                | pawn_attacks(Color::White, square) & black);
        pawns | knight_attacks(square) & knights | king_attacks(square) & kings
    }

    /// Bishops, rooks and queens of either color that attack the square of a sight.
    #[inline]
    pub(crate) fn sliders(&self, sight: &Sight) -> Bitboard {
        let [_, _, bishops, rooks, queens, _] = self.kinds;
        sight.diagonal & (bishops | queens) | sight.straight & (rooks | queens)
    }
}

/// Squares seen from one square along diagonals, ranks and files, up to the first piece on each.
pub(crate) struct Sight {
    square: Square,
    diagonal: Bitboard,
    straight: Bitboard,
}

impl Sight {
    /// Squares that a piece on the square would attack.
    #[inline]
    pub(crate) fn attacks(&self, color: Color, piece: Piece) -> Bitboard {
        match piece {
            Piece::Pawn => pawn_attacks(color, self.square),
            Piece::Knight => knight_attacks(self.square),
            Piece::Bishop => self.diagonal,
            Piece::Rook => self.straight,
            Piece::Queen => self.diagonal | self.straight,
            Piece::King => king_attacks(self.square),
        }
    }

    /// Squares seen on the other side, looking away from a slider that sees the square.
    #[inline]
    pub(crate) fn beyond(&self, slider: Square) -> Bitboard {
        (self.diagonal | self.straight) & line(slider, self.square) & !slider.bitboard()
    }
}

impl FromIterator<(Color, Piece, Square)> for Placement {
    fn from_iter<I: IntoIterator<Item = (Color, Piece, Square)>>(pieces: I) -> Self {
        let mut placement = Self::EMPTY;
        for (color, piece, square) in pieces {
            if let Some((color, piece)) = placement.at(square) {
                placement.take(color, piece, square);
            }
            placement.put(color, piece, square);
        }
        placement
    }
}
