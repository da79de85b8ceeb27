//! Moves as UCI writes them: `e2e4`, `e7e8q`.

use pocket::types::{BISHOP, KNIGHT, QUEEN, ROOK, Square};
use pocket::{Game, Move, Pool};

fn square_name(square: Square) -> [char; 2] {
    [char::from(b'a' + (square & 7)), char::from(b'8' - (square >> 4))]
}

/// The move in UCI notation; `0000` for none.
pub(crate) fn write_move(m: Move) -> String {
    if m == Move::NONE {
        return "0000".into();
    }
    let mut text: String = square_name(m.from()).into_iter().chain(square_name(m.to())).collect();
    if m.is_promotion() {
        text.push(match m.promotion() {
            QUEEN => 'q',
            ROOK => 'r',
            BISHOP => 'b',
            KNIGHT => 'n',
            other => unreachable!("promotion to piece {other}"),
        });
    }
    text
}

/// The legal move that is written so, if there is one.
pub(crate) fn read_move(game: &mut Game, pool: &mut Pool, text: &str) -> Option<Move> {
    pool.clear();
    game.legal_moves(None, pool);
    (0..pool.end()).map(|i| pool.get(i)).find(|&m| write_move(m) == text)
}
