//! The simplest endgames are won without tables, too; a matter of technique.

use chess::{Color, Piece};

use crate::endgames::{BLACK_KING, PAWN, ROOK, WHITE_KING, win_all};

const QUEEN: [(Color, Piece); 3] = [WHITE_KING, (Color::White, Piece::Queen), BLACK_KING];

#[test]
fn rook_without_tables() {
    win_all(&ROOK, false, "go nodes 20000");
}

#[test]
fn queen_without_tables() {
    win_all(&QUEEN, false, "go nodes 20000");
}

#[test]
fn pawn_without_tables() {
    win_all(&PAWN, false, "go nodes 20000");
}
