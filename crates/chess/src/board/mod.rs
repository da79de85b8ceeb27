//! A legal position.
//!
//! A `Board` is made from a [`Setup`] (or text) by validation and from another `Board` by a legal
//! move; nothing else can make one, so everything here may rely on one king a side, no pawns on
//! the last ranks, and the side that has just moved not being in check.
//!
//! Moves are made on a copy ([`Board::after`], or a clone and [`Board::make_move`] with an
//! observer): the struct is small enough that copying it is cheaper than keeping what an unmake
//! would need.

mod checks;
mod legality;
mod make_move;
mod movegen;
mod placement;
mod see;
mod setup;
mod validate;
pub(crate) mod zobrist;

pub use checks::CheckSquares;
pub use movegen::MoveSink;
pub use placement::Keys;
pub use see::see_value;
pub use setup::Setup;
pub use validate::SetupError;

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_attacks_from,
    piece_attacks, rook_attacks,
};
use crate::{Bitboard, CastlingRights, Color, File, Move, Piece, Square};
use placement::Placement;

/// A legal chess position, standard or Chess960.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Board {
    placement: Placement,
    /// Pieces that give check to the side to move.
    checkers: Bitboard,
    /// Pieces of the side to move that stand alone between their king and an enemy slider.
    pinned: Bitboard,
    castling: CastlingRights,
    /// Set only if a capture en passant is legal, so that equal positions have equal keys.
    en_passant: Option<Square>,
    side: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
}

impl Board {
    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// All pieces of a kind, of both colors.
    #[inline(always)]
    pub fn kind(&self, piece: Piece) -> Bitboard {
        self.placement.kind(piece)
    }

    /// All pieces of a color.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.placement.color(color)
    }

    /// The pieces of one kind and color.
    #[inline(always)]
    pub fn pieces(&self, color: Color, piece: Piece) -> Bitboard {
        self.placement.kind(piece) & self.placement.color(color)
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.placement.color(Color::White) | self.placement.color(Color::Black)
    }

    /// The kind of piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.placement.piece_at(square)
    }

    /// What a legal move captures.
    ///
    /// ```
    /// use chess::{Board, Piece};
    ///
    /// let board: Board = "4k3/8/8/2Pp4/8/8/8/4K2R w K d6 0 1".parse()?;
    /// let captured = |text| board.captured(board.parse_uci(text).expect("a legal move"));
    /// assert_eq!(captured("c5d6"), Some(Piece::Pawn));
    /// assert_eq!(captured("e1g1"), None);
    /// # Ok::<(), chess::notation::fen::FenError>(())
    /// ```
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        if mv.is_en_passant() {
            Some(Piece::Pawn)
        } else if mv.is_castling() {
            None
        } else {
            self.piece_at(mv.to())
        }
    }

    /// Is a legal move a capture or a promotion? [`Board::noisy_moves`] generates these.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        mv.promoted().is_some() || self.captured(mv).is_some()
    }

    /// The color of the piece on a square.
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).contains(square))
    }

    /// The square of `color`'s king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Piece::King).lowest()
    }

    /// Bishops and queens of a color.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.kind(Piece::Bishop) | self.kind(Piece::Queen)) & self.color(color)
    }

    /// Rooks and queens of a color.
    #[inline(always)]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        (self.kind(Piece::Rook) | self.kind(Piece::Queen)) & self.color(color)
    }

    /// Who may still castle with which rook.
    #[inline(always)]
    pub fn castling(&self) -> &CastlingRights {
        &self.castling
    }

    /// Does a castling right need more than `KQkq` means in standard chess?
    pub fn is_chess960(&self) -> bool {
        self.castling.iter().any(|(color, wing, rook)| {
            CastlingRights::STANDARD.rook_file(color, wing) != Some(rook)
                || self.king(color).file() != File::E
        })
    }

    /// The square behind a pawn that may be captured en passant; set only if the capture is legal.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the current move, counted from 1 and up after each move of Black.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The position's hash key.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.placement.keys().position
    }

    /// The position's key and the keys of its parts.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        self.placement.keys()
    }

    /// The pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to move in check?
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that may only move in line with their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Has `color` a piece besides king and pawns?
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        let plain = self.kind(Piece::Pawn) | self.kind(Piece::King);
        (self.color(color) & !plain).any()
    }

    /// Every piece, of both colors, that attacks a square, given these occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.kind(Piece::Bishop) | self.kind(Piece::Queen);
        let straight = self.kind(Piece::Rook) | self.kind(Piece::Queen);
        pawn_attacks(Color::Black, square) & self.pieces(Color::White, Piece::Pawn)
            | pawn_attacks(Color::White, square) & self.pieces(Color::Black, Piece::Pawn)
            | knight_attacks(square) & self.kind(Piece::Knight)
            | king_attacks(square) & self.kind(Piece::King)
            | bishop_attacks(square, occupied) & diagonal
            | rook_attacks(square, occupied) & straight
    }

    /// Does `by` attack the square, given these occupied squares?
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        (pawn_attacks(!by, square) & self.pieces(by, Piece::Pawn)
            | knight_attacks(square) & self.pieces(by, Piece::Knight)
            | king_attacks(square) & self.pieces(by, Piece::King))
        .any()
            || (bishop_attacks(square, occupied) & self.diagonal_sliders(by)).any()
            || (rook_attacks(square, occupied) & self.straight_sliders(by)).any()
    }

    /// Every square that `color` attacks.
    pub fn attacks_of(&self, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut attacks = pawn_attacks_from(color, self.pieces(color, Piece::Pawn));
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King] {
            for square in self.pieces(color, piece) {
                attacks |= piece_attacks(piece, square, occupied);
            }
        }
        attacks
    }

    /// Can neither side ever give mate? Bare kings, one minor piece, or bishops all of one square color.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.kind(Piece::Pawn) | self.kind(Piece::Rook) | self.kind(Piece::Queen);
        if heavy.any() {
            return false;
        }
        let bishops = self.kind(Piece::Bishop);
        let minors = bishops | self.kind(Piece::Knight);
        !minors.many()
            || minors == bishops
                && ((bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty())
    }

    /// Finds checkers and pinned pieces anew; every change of the position ends with it.
    #[inline(always)]
    fn find_checks_and_pins(&mut self) {
        let (us, them) = (self.side, !self.side);
        let king = self.king(us);
        let ours = self.color(us);
        let theirs = self.color(them);
        self.checkers = pawn_attacks(us, king) & self.pieces(them, Piece::Pawn)
            | knight_attacks(king) & self.pieces(them, Piece::Knight);
        self.pinned = Bitboard::EMPTY;
        // Looking through our own pieces finds every slider that is behind at most some of them.
        let snipers = rook_attacks(king, theirs) & self.straight_sliders(them)
            | bishop_attacks(king, theirs) & self.diagonal_sliders(them);
        for sniper in snipers {
            let blockers = between(king, sniper) & ours;
            if blockers.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !blockers.many() {
                self.pinned |= blockers;
            }
        }
    }
}

impl Default for Board {
    /// The normal start position.
    fn default() -> Self {
        Self::from_setup(&Setup::START).expect("the start position is legal")
    }
}
