//! Whoever listens to the moves knows the board without looking at it.

use crate::random::random_game;
use crate::support::{for_each_parallel, perft_file};
use chess::{Board, Color, MoveObserver, Piece, Rng, Square};

/// How many pieces of each kind stand on each square, counted from the announcements.
#[derive(PartialEq, Debug)]
struct Listener([[[i8; 64]; 6]; 2]);

impl Listener {
    fn look_at(board: &Board) -> Self {
        let mut listener = Self([[[0; 64]; 6]; 2]);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.pieces(color, piece) {
                    listener.added(color, piece, square);
                }
            }
        }
        listener
    }

    fn count(&mut self, color: Color, piece: Piece, square: Square) -> &mut i8 {
        &mut self.0[color.index()][piece.index()][square.index()]
    }
}

impl MoveObserver for Listener {
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        *self.count(color, piece, square) += 1;
    }

    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        *self.count(color, piece, square) -= 1;
    }

    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.removed(color, piece, from);
        self.added(color, piece, to);
    }
}

#[test]
fn announcements_describe_every_move() {
    for file in ["tricky.epd", "tricky-chess960.epd", "chess960.epd"] {
        for_each_parallel(&perft_file(file), |case| {
            let start = case.board();
            random_game(&start, &mut Rng::new(7), |board, _| {
                for mv in &board.legal_moves() {
                    let mut listener = Listener::look_at(board);
                    let mut next = board.clone();
                    next.make_move(mv, &mut listener);
                    assert!(listener == Listener::look_at(&next), "{mv} in {board}");
                }
            });
        });
    }
}
