//! Several books in order of priority, and the rules when they are asked.

use chess::{Board, Color, File, Move, Wing};

use crate::{Book, BookMove, Variety, choose};

/// Books in order of priority.
///
/// The first book that has a legal move for the position decides; the others are not asked.
pub struct Books {
    books: Vec<Book>,
    /// How much the choice may vary.
    pub variety: Variety,
    /// From this half-move of the game on the books are not asked.
    pub max_ply: u32,
}

impl Books {
    /// The customary limit, in half-moves.
    pub const DEFAULT_MAX_PLY: u32 = 30;

    /// Books, the most important first, with full variety and the customary limit.
    pub fn new(books: Vec<Book>) -> Self {
        Self { books, variety: Variety::FULL, max_ply: Self::DEFAULT_MAX_PLY }
    }

    /// The moves of the first book that knows the position, heaviest first; none if the game is
    /// past the limit or the position does not belong to standard chess.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        if ply(board) >= self.max_ply || !has_standard_castling(board) {
            return Vec::new();
        }
        let mut answers = self.books.iter().map(|book| book.moves(board));
        answers.find(|moves| !moves.is_empty()).unwrap_or_default()
    }

    /// A move to play, always legal; `random` is any number.
    pub fn choose(&self, board: &Board, random: u64) -> Option<Move> {
        choose(&self.moves(board), self.variety, random)
    }
}

/// Half-moves from the start, by the number of the move.
fn ply(board: &Board) -> u32 {
    let moves = u32::from(board.fullmove_number()).saturating_sub(1);
    2 * moves + u32::from(board.side_to_move() == Color::Black)
}

/// Could castling rights like these come from the normal start? The format's keys say which wing
/// but not which rook, so that other Chess960 positions would be mistaken for standard ones.
fn has_standard_castling(board: &Board) -> bool {
    board.castling().iter().all(|(color, wing, rook)| {
        let standard = match wing {
            Wing::King => File::H,
            Wing::Queen => File::A,
        };
        rook == standard && board.king(color).file() == File::E
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, encode_move, key};

    fn book(board: &Board, text: &str) -> Book {
        let mv = encode_move(board.parse_uci(text).expect("legal"));
        Book::from_bytes(Entry { key: key(board), mv, weight: 1, learn: 0 }.to_bytes().to_vec())
    }

    #[test]
    fn the_first_book_that_knows_the_position_decides() {
        let start = Board::default();
        let other: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("legal");
        let books =
            Books::new(vec![book(&other, "e2e3"), book(&start, "e2e4"), book(&start, "d2d4")]);
        assert_eq!(books.choose(&start, 0), start.parse_uci("e2e4").ok());
        assert_eq!(books.choose(&other, 0), other.parse_uci("e2e3").ok());
    }

    #[test]
    fn the_limit_counts_half_moves_of_the_game() {
        let board: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 16".parse().expect("legal");
        let mut books = Books::new(vec![book(&board, "e2e3")]);
        assert_eq!(books.choose(&board, 0), None);
        books.max_ply = 31;
        assert!(books.choose(&board, 0).is_some());
    }

    #[test]
    fn only_standard_castling_rights_are_looked_up() {
        let board: Board = "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1".parse().expect("legal");
        let books = Books::new(vec![book(&board, "b1b8")]);
        assert_eq!(books.choose(&board, 0), None);
    }
}
