//! The vocabulary: which number stands for which move or which piece on which square.
//!
//! A token is a cell of a table of 64 squares × 72 planes (4608 cells). A move takes the cell of
//! its from-square and a plane:
//!
//! - planes 0–63 are the to-squares. Castling is written king-takes-rook, which no other move
//!   can be, so it also works with the rooks of Chess960. A promotion to a queen is the plain
//!   pawn move.
//! - planes 64–66 are promotions to knight, bishop and rook. A pawn on the seventh rank has three
//!   ways to go and only its own row of cells, so the row gives the direction: the seventh
//!   rank for a push, the sixth for a capture towards the a-file, the fifth towards the h-file.
//!   For a pawn coming down the board the same holds from the other side: second, third, fourth.
//! - planes 67–71 are never moves.
//!
//! That uses 1924 cells, all moves any piece can make on any board. The 2684 others cannot be
//! moves, so they are free for the position: the first 960, in increasing order, are *something
//! on a square* (15 kinds × 64 squares), and the next one, [`GO`], ends the position and asks for
//! a move. A rook that may still castle and a pawn that may be taken en passant are kinds of their
//! own, so castling and en passant need no further tokens.
//!
//! Squares are those seen by the side to move in the position that begins the sequence (a1 = 0,
//! mirrored top to bottom for Black), and stay so for all its moves. So there is no token for the
//! side to move: a position and its mirror image are the same sequence.
//!
//! Only numbers live here. Turning a board into a sequence is the job of [`crate::sequence`].

/// A number below [`VOCAB`].
pub type Token = u16;

/// Size of the vocabulary.
pub const VOCAB: usize = 64 * PLANES;

/// Cells per square.
pub const PLANES: usize = 72;

/// How many tokens are moves.
pub const MOVES: usize = 1924;

/// What can stand on a square, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Occupant {
    /// A pawn of the side to move.
    OurPawn,
    /// A knight of the side to move.
    OurKnight,
    /// A bishop of the side to move.
    OurBishop,
    /// A rook of the side to move that may not castle.
    OurRook,
    /// A queen of the side to move.
    OurQueen,
    /// The king of the side to move.
    OurKing,
    /// A pawn of the opponent.
    TheirPawn,
    /// A knight of the opponent.
    TheirKnight,
    /// A bishop of the opponent.
    TheirBishop,
    /// A rook of the opponent that may not castle.
    TheirRook,
    /// A queen of the opponent.
    TheirQueen,
    /// The king of the opponent.
    TheirKing,
    /// A rook of the side to move that may still castle.
    OurCastlingRook,
    /// A rook of the opponent that may still castle.
    TheirCastlingRook,
    /// A pawn of the opponent that may be taken en passant now.
    TheirEnPassantPawn,
}

/// Kinds of [`Occupant`].
const OCCUPANTS: usize = 15;

/// Promotions that have cells of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Underpromotion {
    /// To a knight.
    Knight,
    /// To a bishop.
    Bishop,
    /// To a rook.
    Rook,
}

/// The token of a move from one square to another (0–63, seen by the side to move).
///
/// Castling is king-takes-rook; a promotion to a queen has no `underpromotion`.
///
/// # Panics
/// If a square is not below 64, or an underpromotion is not a step of a pawn to its last rank.
pub const fn move_token(from: u8, to: u8, underpromotion: Option<Underpromotion>) -> Token {
    assert!(from < 64 && to < 64);
    match underpromotion {
        None => from as Token * PLANES as Token + to as Token,
        Some(piece) => {
            let back = match (from / 8, to / 8) {
                (6, 7) => -8,
                (1, 0) => 8,
                _ => panic!("a pawn promotes from the last rank but one to the last"),
            };
            let steps = match to as i8 % 8 - from as i8 % 8 {
                0 => 0,
                -1 => 1,
                1 => 2,
                _ => panic!("a pawn promotes straight ahead or one file beside"),
            };
            let row = from as i8 + steps * back;
            row as Token * PLANES as Token + 64 + piece as Token
        }
    }
}

/// The token of an occupant on a square (0–63, seen by the side to move).
///
/// # Panics
/// If the square is not below 64.
pub const fn occupant_token(occupant: Occupant, square: u8) -> Token {
    assert!(square < 64);
    RESERVED[occupant as usize * 64 + square as usize]
}

/// Ends the position and asks for a move.
pub const GO: Token = RESERVED[OCCUPANTS * 64];

/// All move tokens in increasing order.
pub const MOVE_TOKENS: [Token; MOVES] = cells::<MOVES>(true);

const RESERVED: [Token; VOCAB - MOVES] = cells::<{ VOCAB - MOVES }>(false);

/// Whether some piece could make the move this cell stands for.
const fn is_move(cell: usize) -> bool {
    let (square, plane) = (cell / PLANES, cell % PLANES);
    let (file, rank) = ((square % 8) as i8, square / 8);
    match plane {
        0..64 => {
            let df = (plane % 8).abs_diff(square % 8);
            let dr = (plane / 8).abs_diff(rank);
            let queen = (df == 0) != (dr == 0) || (df == dr && df != 0);
            queen || (df == 1 && dr == 2) || (df == 2 && dr == 1)
        }
        64..67 => match rank {
            6 | 1 => true,
            5 | 2 => file > 0,
            4 | 3 => file < 7,
            _ => false,
        },
        _ => false,
    }
}

const fn cells<const N: usize>(moves: bool) -> [Token; N] {
    let mut list = [0; N];
    let (mut cell, mut n) = (0, 0);
    while cell < VOCAB {
        if is_move(cell) == moves {
            list[n] = cell as Token;
            n += 1;
        }
        cell += 1;
    }
    assert!(n == N);
    list
}
