//! What the engine knows without thinking: opening books and endgame tables.
//!
//! The session tells when an option has changed and asks before a search; when books are silent
//! is decided here.

use std::env;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use book::{Book, Shelf, Variety};
use chess::{Board, Move};
use eval::Tablebase;
use search::Limits;
use tablebase::{SyzygyTables, TableKind};
use uci::Options;

/// The name of the book inside the program, alone or in a list.
const BUILT_IN: &str = "<default>";

/// Books and tables as the options name them.
pub(crate) struct Knowledge {
    shelf: Shelf,
    tables: Option<Arc<SyzygyTables>>,
}

impl Default for Knowledge {
    fn default() -> Self {
        Self { shelf: Shelf::new(vec![book::embedded()]), tables: None }
    }
}

impl Knowledge {
    /// Opens the books of a list like PATH, the most important first. On a fault nothing changes.
    pub(crate) fn open_books(&mut self, list: &str) -> Result<(), String> {
        let open = |path: &Path| match path.as_os_str() == BUILT_IN {
            true => Ok(book::embedded()),
            false => Book::open(path).map_err(|error| error.to_string()),
        };
        let books: Result<Vec<Book>, String> =
            env::split_paths(list).map(|path| open(&path)).collect();
        self.shelf = Shelf::new(books?);
        Ok(())
    }

    /// A book's move for the position, if a book may be asked at all.
    pub(crate) fn book_move(
        &mut self,
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
        self.shelf.max_ply = u32::try_from(options.book_depth).unwrap_or(0);
        self.shelf.variety = Variety::percent(u8::try_from(options.book_variety).unwrap_or(100));
        self.shelf.choose(board, random())
    }

    /// Looks for tables in the folders of a list like PATH; `<empty>` forgets them.
    ///
    /// Says what was found and what is wrong.
    pub(crate) fn open_tables(&mut self, list: &str) -> Vec<String> {
        if list == "<empty>" {
            self.tables = None;
            return Vec::new();
        }
        let folders: Vec<_> = env::split_paths(list).collect();
        let tables = SyzygyTables::open(&folders);
        let found = format!(
            "found {} WDL and {} DTZ tables, up to {} men",
            tables.inventory().count(TableKind::Wdl),
            tables.inventory().count(TableKind::Dtz),
            tables.max_men()
        );
        self.tables = Some(Arc::new(tables));
        [vec![found], self.complaints()].concat()
    }

    /// The tables for the search.
    pub(crate) fn tables(&self) -> Option<Arc<dyn Tablebase>> {
        self.tables.clone().map(|tables| tables as Arc<dyn Tablebase>)
    }

    /// What has gone wrong with tables since the last call.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let problems = self.tables.iter().flat_map(|tables| tables.take_problems());
        problems.map(|problem| problem.to_string()).collect()
    }
}

/// A number that differs from game to game.
fn random() -> u64 {
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
        let mut knowledge = Knowledge::default();
        let start = Board::default();
        let timed = Limits { depth: Some(1), ..Limits::default() };
        let mv = knowledge.book_move(&start, &playing(), &timed).expect("the start is known");
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
            assert_eq!(knowledge.book_move(&start, &options, &limits), None, "{limits:?}");
        }
    }

    #[test]
    fn without_variety_the_heaviest_move_is_played() {
        let mut knowledge = Knowledge::default();
        let options = Options { book_variety: 0, ..playing() };
        let start = Board::default();
        let heaviest = book::embedded().moves(&start)[0].mv;
        for _ in 0..20 {
            let found = knowledge.book_move(&start, &options, &Limits::default());
            assert_eq!(found, Some(heaviest));
        }
    }

    #[test]
    fn a_wrong_list_of_books_changes_nothing() {
        let mut knowledge = Knowledge::default();
        let error = knowledge.open_books(&list(["<default>", "/nowhere/at/all.bin"])).unwrap_err();
        assert!(error.contains("/nowhere/at/all.bin"), "{error}");
        let found = knowledge.book_move(&Board::default(), &playing(), &Limits::default());
        assert!(found.is_some());
        knowledge.open_books(&list(["<default>"; 2])).expect("both are built in");
    }

    #[test]
    fn a_wrong_folder_of_tables_is_told() {
        let mut knowledge = Knowledge::default();
        let said = knowledge.open_tables("/nowhere/at/all");
        assert_eq!(said[0], "found 0 WDL and 0 DTZ tables, up to 0 men");
        assert!(said[1].contains("/nowhere/at/all"), "{said:?}");
        assert!(knowledge.tables().is_some());
        assert!(knowledge.open_tables("<empty>").is_empty());
        assert!(knowledge.tables().is_none());
    }
}
