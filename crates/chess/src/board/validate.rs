//! From a [`Setup`] to a [`Board`]: one check for each rule, one error for each check.

use core::fmt;

use super::placement::Placement;
use super::{Board, Setup, zobrist};
use crate::{Bitboard, Color, File, Piece, Rank, Square, Wing};

/// Why a setup is not a legal position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum SetupError {
    /// A side must have exactly one king.
    Kings(Color, usize),
    /// A pawn stands on the first or eighth rank.
    PawnOnLastRank(Square),
    /// A side has more than eight pawns.
    TooManyPawns(Color, usize),
    /// A side has more pieces than promotions can explain.
    TooManyPieces(Color, usize),
    /// The side that is not to move is in check.
    OpponentInCheck(Color),
    /// More pieces give check than any move can bring about.
    TooManyCheckers(u32),
    /// A castling right whose king is not on its first rank between the corners.
    CastlingKing(Color),
    /// A castling right without its rook.
    CastlingRook(Color, Wing, File),
    /// The en passant square is not on the sixth rank of the side to move.
    EnPassantRank(Square, Rank),
    /// There is no pawn in front of the en passant square, or the squares behind it are not empty.
    EnPassantPawn(Square),
    /// Move numbers start at 1.
    FullmoveZero,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings(color, n) => write!(f, "expected one king for {color}, got {n}"),
            Self::PawnOnLastRank(square) => {
                write!(f, "expected pawns on ranks 2 to 7 only, got one on {square}")
            }
            Self::TooManyPawns(color, n) => {
                write!(f, "expected at most 8 pawns for {color}, got {n}")
            }
            Self::TooManyPieces(color, n) => write!(
                f,
                "expected at most 8 promoted or remaining pawns for {color}, the pieces need {n}"
            ),
            Self::OpponentInCheck(color) => {
                write!(f, "expected {color}, who is not to move, not to be in check")
            }
            Self::TooManyCheckers(n) => write!(f, "expected at most 2 checking pieces, got {n}"),
            Self::CastlingKing(color) => {
                write!(f, "expected {color}'s king on its first rank for castling")
            }
            Self::CastlingRook(color, wing, file) => {
                let side = if wing == Wing::King { "king's" } else { "queen's" };
                let letter = file.letter();
                write!(
                    f,
                    "expected {color}'s castling rook on the {letter}-file, on the {side} side"
                )
            }
            Self::EnPassantRank(square, rank) => {
                write!(f, "expected an en passant square on rank {}, got {square}", rank.digit())
            }
            Self::EnPassantPawn(square) => {
                write!(f, "expected a pawn that has just passed {square}, got none")
            }
            Self::FullmoveZero => f.write_str("expected a move number from 1, got 0"),
        }
    }
}

impl core::error::Error for SetupError {}

impl Board {
    /// Checks every rule a legal position must keep, and builds the board.
    ///
    /// An en passant square where no capture is legal is accepted and dropped.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        // Pieces are counted on bitboards, of which any setup has some.
        let mut placement = Placement::EMPTY;
        for square in Square::all() {
            if let Some((color, piece)) = setup.at(square) {
                placement.add(color, piece, square);
            }
        }
        for color in Color::ALL {
            check_material(&placement, color)?;
        }
        check_pawns(&placement)?;
        check_castling(setup)?;
        check_en_passant(setup)?;
        if setup.fullmove_number == 0 {
            return Err(SetupError::FullmoveZero);
        }

        let mut board = Self {
            placement,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: setup.castling,
            en_passant: None,
            side: setup.side,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        if setup.side == Color::Black {
            board.placement.fold(zobrist::BLACK_TO_MOVE);
        }
        for (color, _, file) in setup.castling.iter() {
            board.placement.fold(zobrist::castling(color, file));
        }
        board.find_checks_and_pins();
        if board.is_attacked(board.king(!setup.side), setup.side, board.occupied()) {
            return Err(SetupError::OpponentInCheck(!setup.side));
        }
        if board.checkers.count() > 2 {
            return Err(SetupError::TooManyCheckers(board.checkers.count()));
        }
        if let Some(target) = setup.en_passant {
            board.keep_en_passant_if_legal(target);
        }
        Ok(board)
    }

    /// The position as plain data.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup {
            squares: [None; 64],
            side: self.side,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        };
        for square in self.occupied() {
            setup.squares[square.index()] = self.color_at(square).zip(self.piece_at(square));
        }
        setup
    }
}

fn check_material(placement: &Placement, color: Color) -> Result<(), SetupError> {
    let of_color = placement.color(color);
    let count = |piece| (placement.kind(piece) & of_color).count() as usize;
    if count(Piece::King) != 1 {
        return Err(SetupError::Kings(color, count(Piece::King)));
    }
    let pawns = count(Piece::Pawn);
    if pawns > 8 {
        return Err(SetupError::TooManyPawns(color, pawns));
    }
    let promoted = [(Piece::Knight, 2), (Piece::Bishop, 2), (Piece::Rook, 2), (Piece::Queen, 1)]
        .into_iter()
        .map(|(piece, at_start)| count(piece).saturating_sub(at_start))
        .sum::<usize>();
    if pawns + promoted > 8 {
        return Err(SetupError::TooManyPieces(color, pawns + promoted));
    }
    Ok(())
}

fn check_pawns(placement: &Placement) -> Result<(), SetupError> {
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    let misplaced = (placement.kind(Piece::Pawn) & last_ranks).into_iter().next();
    misplaced.map_or(Ok(()), |square| Err(SetupError::PawnOnLastRank(square)))
}

fn check_castling(setup: &Setup) -> Result<(), SetupError> {
    for (color, wing, file) in setup.castling.iter() {
        let rank = Rank::First.relative_to(color);
        let on = |file| setup.at(Square::new(file, rank));
        let king = File::ALL.into_iter().find(|&file| on(file) == Some((color, Piece::King)));
        let Some(king) = king else { return Err(SetupError::CastlingKing(color)) };
        let right_side = match wing {
            Wing::King => file > king,
            Wing::Queen => file < king,
        };
        if !right_side || on(file) != Some((color, Piece::Rook)) {
            return Err(SetupError::CastlingRook(color, wing, file));
        }
    }
    Ok(())
}

fn check_en_passant(setup: &Setup) -> Result<(), SetupError> {
    let Some(target) = setup.en_passant else { return Ok(()) };
    let (us, them) = (setup.side, !setup.side);
    let rank = Rank::Sixth.relative_to(us);
    if target.rank() != rank {
        return Err(SetupError::EnPassantRank(target, rank));
    }
    let passed = setup.at(target.forward(them)) == Some((them, Piece::Pawn));
    if !passed || setup.at(target).is_some() || setup.at(target.forward(us)).is_some() {
        return Err(SetupError::EnPassantPawn(target));
    }
    Ok(())
}
