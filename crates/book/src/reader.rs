//! One book: its bytes, wherever they are, and the search for a position among them.

use std::cmp::Reverse;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use chess::Board;

use crate::entry::{BookMove, Entry, decode_move, encode_move};
use crate::key::twin_keys;

/// Why a file is not a book.
#[derive(Debug)]
pub enum BookError {
    /// It cannot be read.
    Io(PathBuf, io::Error),
    /// Its size is not a multiple of an entry's.
    Size(PathBuf, u64),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "cannot read the book {}: {error}", path.display()),
            Self::Size(path, bytes) => write!(
                f,
                "expected a Polyglot book, a multiple of 16 bytes; {} has {bytes}",
                path.display()
            ),
        }
    }
}

impl std::error::Error for BookError {}

enum Bytes {
    Static(&'static [u8]),
    Owned(Vec<u8>),
}

/// The longest file that is taken for a book: 64 million entries.
const MOST_BYTES: u64 = 1 << 30;

/// A book in memory.
pub struct Book {
    bytes: Bytes,
}

impl Book {
    /// Reads a file. It is read whole rather than mapped: a map of a file that somebody shortens
    /// would end the program.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let bytes =
            files::read(path, MOST_BYTES).map_err(|error| BookError::Io(path.to_owned(), error))?;
        match bytes.len() % Entry::SIZE {
            0 => Ok(Self::from_bytes(bytes)),
            _ => Err(BookError::Size(path.to_owned(), bytes.len() as u64)),
        }
    }

    /// A book from bytes; what is left after the last whole entry is ignored.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes: Bytes::Owned(bytes) }
    }

    /// A book that is part of the program.
    pub const fn from_static(bytes: &'static [u8]) -> Self {
        Self { bytes: Bytes::Static(bytes) }
    }

    fn entries(&self) -> &[[u8; Entry::SIZE]] {
        let bytes: &[u8] = match &self.bytes {
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        };
        bytes.as_chunks().0
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// All entries in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        self.entries().iter().map(|&bytes| Entry::from_bytes(bytes))
    }

    /// The entries of a key, by binary search; in a file that is not sorted some stay unfound.
    pub fn find(&self, key: u64) -> impl Iterator<Item = Entry> {
        let entries = self.entries();
        let first = entries.partition_point(|&bytes| Entry::from_bytes(bytes).key < key);
        entries[first..]
            .iter()
            .map(|&bytes| Entry::from_bytes(bytes))
            .take_while(move |entry| entry.key == key)
    }

    /// The legal moves the book has for a position, heaviest first, each once.
    ///
    /// Entries of weight 0 are deleted ones by the format's custom.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in twin_keys(board).flat_map(|key| self.find(key)) {
            if entry.weight == 0 {
                continue;
            }
            let Some(mv) = decode_move(board, entry.mv) else { continue };
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(entry.weight),
                None => moves.push(BookMove { mv, weight: entry.weight }),
            }
        }
        // Equal weights in an order of their own, so that it does not matter who wrote the book.
        moves.sort_by_key(|found| (Reverse(found.weight), encode_move(found.mv)));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key;

    fn entry(board: &Board, text: &str, weight: u16) -> Entry {
        let mv = encode_move(board.parse_uci(text).expect("legal"));
        Entry { key: key(board), mv, weight, learn: 0 }
    }

    fn book(entries: &[Entry]) -> Book {
        Book::from_bytes(entries.iter().flat_map(|entry| entry.to_bytes()).collect())
    }

    #[test]
    fn moves_come_by_weight_and_only_legal_ones() {
        let board = Board::default();
        let illegal = Entry { mv: 0x7fff, ..entry(&board, "a2a3", 9) };
        let book = book(&[
            Entry { key: key(&board) - 1, ..illegal },
            entry(&board, "d2d4", 5),
            entry(&board, "e2e4", 7),
            entry(&board, "c2c4", 0),
            entry(&board, "d2d4", 4),
            illegal,
            Entry { key: key(&board) + 1, ..illegal },
        ]);
        let moves: Vec<String> = book
            .moves(&board)
            .iter()
            .map(|found| format!("{} {}", found.mv, found.weight))
            .collect();
        assert_eq!(moves, ["d2d4 9", "e2e4 7"]);
    }

    #[test]
    fn an_empty_or_torn_book_knows_nothing() {
        assert!(Book::from_bytes(vec![1; 15]).moves(&Board::default()).is_empty());
        assert!(Book::from_static(&[]).is_empty());
    }

    #[test]
    fn a_file_of_odd_size_is_refused() {
        let path = std::env::temp_dir().join(format!("brier-odd-{}.bin", std::process::id()));
        std::fs::write(&path, [0; 17]).expect("the temporary folder is writable");
        let error = Book::open(&path).err().map(|error| error.to_string()).unwrap_or_default();
        std::fs::remove_file(&path).expect("just written");
        assert!(error.contains("multiple of 16 bytes") && error.contains("17"), "{error}");
    }
}
