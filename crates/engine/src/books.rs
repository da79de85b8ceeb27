//! Opening books as the options name them, and when they are asked.

use std::env;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use book::{Book, BookMove, Books, Variety};
use chess::{Board, Move};
use search::Limits;

use crate::Options;

/// The name of the book inside the program, alone or in a list.
const BUILT_IN: &str = "<default>";

/// Opens the books of a list like PATH, the most important first.
pub(crate) fn open(list: &str) -> Result<Books, String> {
    let open = |path: &Path| match path.as_os_str() == BUILT_IN {
        true => Ok(book::embedded()),
        false => Book::open(path).map_err(|error| error.to_string()),
    };
    let books: Result<Vec<Book>, String> = env::split_paths(list).map(|path| open(&path)).collect();
    Ok(Books::new(books?))
}

/// The moves that the books have for a position, heaviest first.
pub(crate) fn moves(books: &mut Books, board: &Board, options: &Options) -> Vec<BookMove> {
    books.max_ply = options.book_depth;
    books.moves(board)
}

/// A book's move for the position, if a book may be asked at all.
pub(crate) fn choose(
    books: &mut Books,
    board: &Board,
    options: &Options,
    limits: &Limits,
) -> Option<Move> {
    let playing = options.own_book && !options.analyse;
    // Who asks for a mate, for some moves only or for endless thought wants a search.
    let searching = limits.infinite
        || limits.ponder
        || limits.mate.is_some()
        || !limits.search_moves.is_empty();
    if !playing || searching {
        return None;
    }
    books.max_ply = options.book_depth;
    books.variety = Variety::percent(options.book_variety);
    books.choose(board, random())
}

/// A number that differs from game to game.
pub(crate) fn random() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // The clock's lowest bits change most; a multiplication carries them to the top.
    (now.as_nanos() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(paths: [&str; 2]) -> String {
        let list = env::join_paths(paths).expect("no separators inside");
        list.into_string().expect("plain text")
    }

    fn playing() -> Options {
        Options { own_book: true, ..Options::default() }
    }

    #[test]
    fn books_answer_only_in_play() {
        let mut books = open("<default>").unwrap();
        let start = Board::default();
        let timed = Limits { depth: Some(1), ..Limits::default() };
        let mv = choose(&mut books, &start, &playing(), &timed).expect("the start is known");
        assert!(start.is_legal(mv));

        let search = Limits { search_moves: vec![mv], ..Limits::default() };
        let silent = [
            (Options::default(), Limits::default()),
            (Options { analyse: true, ..playing() }, Limits::default()),
            (playing(), Limits { infinite: true, ..Limits::default() }),
            (playing(), Limits { ponder: true, ..Limits::default() }),
            (playing(), search),
            (Options { book_depth: 0, ..playing() }, Limits::default()),
        ];
        for (options, limits) in silent {
            assert_eq!(choose(&mut books, &start, &options, &limits), None, "{limits:?}");
        }
    }

    #[test]
    fn without_variety_the_heaviest_move_is_played() {
        let mut books = open("<default>").unwrap();
        let options = Options { book_variety: 0, ..playing() };
        let start = Board::default();
        let heaviest = moves(&mut books, &start, &options)[0].mv;
        for _ in 0..20 {
            let found = choose(&mut books, &start, &options, &Limits::default());
            assert_eq!(found, Some(heaviest));
        }
    }

    #[test]
    fn a_wrong_list_of_books_is_refused() {
        let error = open(&list(["<default>", "/nowhere/at/all.bin"])).err().unwrap();
        assert!(error.contains("/nowhere/at/all.bin"), "{error}");
        open(&list(["<default>"; 2])).expect("both are built in");
    }
}
