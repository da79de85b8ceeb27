//! What openings are called: names and ECO codes of some thousand positions.
//!
//! The list is in `data/openings.tsv`, with its source. A name belongs to a position, however it
//! was reached, so a game's opening is the last of its positions that has one.

use std::collections::HashMap;
use std::sync::OnceLock;

use chess::Board;

const LIST: &str = include_str!("../data/openings.tsv");

/// An opening.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, as `C65`.
    pub eco: &'static str,
    /// As `Ruy Lopez: Berlin Defense`.
    pub name: &'static str,
}

/// The name of a position, if it has one.
pub fn opening(board: &Board) -> Option<Opening> {
    static NAMES: OnceLock<HashMap<u64, Opening>> = OnceLock::new();
    NAMES.get_or_init(|| entries().filter_map(named).collect()).get(&board.key()).copied()
}

/// The opening of a game whose positions are these, from the first to the last.
pub fn opening_of(boards: impl IntoIterator<Item = Board>) -> Option<Opening> {
    boards.into_iter().filter_map(|board| opening(&board)).last()
}

/// The fields of each line.
fn entries() -> impl Iterator<Item = [&'static str; 3]> {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.splitn(3, '\t').collect::<Vec<_>>().try_into().ok())
}

/// The position that a line names.
fn named([eco, name, moves]: [&'static str; 3]) -> Option<(u64, Opening)> {
    let mut board = Board::default();
    for word in moves.split(' ').filter(|word| !word.ends_with('.')) {
        let mv = board.parse_san(word).ok()?;
        board.make_move(mv, &mut ());
    }
    Some((board.key(), Opening { eco, name }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boards of a game.
    fn boards(moves: &str) -> Vec<Board> {
        let mut boards = vec![Board::default()];
        for word in moves.split(' ') {
            let mut next = boards.last().unwrap().clone();
            next.make_move(next.parse_san(word).unwrap(), &mut ());
            boards.push(next);
        }
        boards
    }

    #[test]
    fn every_line_names_a_position() {
        let count = LIST.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(entries().filter_map(named).count(), count);
        assert!(count > 3000, "{count}");
    }

    #[test]
    fn the_last_named_position_counts_however_it_was_reached() {
        let name = |moves| opening_of(boards(moves)).map(|opening| (opening.eco, opening.name));
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5"), Some(("C60", "Ruy Lopez")));
        let usual = name("d4 Nf6 c4 e6 Nc3 Bb4");
        assert_eq!(usual, name("c4 e6 d4 Nf6 Nc3 Bb4"));
        assert!(usual.unwrap().1.starts_with("Nimzo-Indian Defense"));
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5 h5 h4 Rh6").unwrap().0, "C60");
        assert_eq!(opening(&Board::default()), None);
    }
}
