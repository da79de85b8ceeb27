//! How far a game follows known openings, and what its opening is called.
//!
//! A move is known if it leads to a position of the list of openings (crate `book`), or lies on the
//! way to one, or if a Polyglot book of the user has it. Theory ends with the first mistake: the
//! list names traps and blunders too.

use book::{Book, Opening};
use chess::Board;
use pgn::Game;

/// The list of openings, and maybe a book beside it.
#[derive(Default)]
pub struct Theory {
    book: Option<Book>,
}

/// What is known of a game.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Known {
    /// The last name on its way.
    pub opening: Option<Opening>,
    /// Half-moves that are known.
    pub plies: usize,
}

impl Theory {
    /// The list of openings and a book.
    pub fn with_book(book: Book) -> Self {
        Self { book: Some(book) }
    }

    /// Looks a game up. The boards are those of its positions, the first one included.
    pub fn look_up(&self, game: &Game, boards: &[Board]) -> Known {
        let mut named =
            boards.iter().enumerate().filter_map(|(ply, board)| Some((ply, book::opening(board)?)));
        let (named, opening) = named.next_back().unzip();
        let in_book = self.book.as_ref().map(|book| {
            let pairs = boards.iter().zip(&game.moves);
            let knows = |(board, played): &(&Board, &pgn::Played)| {
                book.moves(board).iter().any(|found| found.mv == played.mv)
            };
            pairs.take_while(knows).count()
        });
        Known { opening, plies: named.unwrap_or(0).max(in_book.unwrap_or(0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(theory: &Theory, text: &str) -> Known {
        let game = pgn::Reader::new(text.as_bytes()).games().next().unwrap().unwrap();
        let boards: Vec<Board> = game.positions().collect();
        theory.look_up(&game, &boards)
    }

    #[test]
    fn names_and_books_are_looked_up_by_position() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 h5 4. a3 *";
        let found = known(&Theory::default(), text);
        assert_eq!((found.opening.unwrap().name, found.plies), ("Ruy Lopez", 5));
        let found = known(&Theory::with_book(book::embedded()), text);
        assert!(found.plies >= 5 && found.plies < 7, "{found:?}");
        let late = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *";
        assert_eq!(known(&Theory::default(), late), Known::default());
    }
}
