//! Games of random moves, the same for the same seed.
//!
//! Random play meets what masters avoid: underpromotions, captures en passant, pinned pawns, lost
//! castling rights.

use chess::{Board, Color, Rng};

/// Games in a collection.
pub(crate) const COUNT: u64 = 200;

/// Half-moves of a game.
const LENGTH: usize = 64;

/// Plays the games of a seed; `visit` sees the number of the game, the board and the move's text.
fn play(seed: u64, mut visit: impl FnMut(u64, &Board, &str)) {
    let mut rng = Rng::new(seed);
    for game in 0..COUNT {
        let mut board = Board::default();
        for _ in 0..LENGTH {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Few first moves to choose from, so that games meet again.
            let choices = if board.fullmove_number() < 3 { 3 } else { moves.len() };
            let mv = moves[rng.below(choices.min(moves.len()))];
            visit(game, &board, &board.san(mv).to_string());
            board.make_move(mv, &mut ());
        }
    }
}

/// The games as PGN, with all three results.
pub(crate) fn pgn(seed: u64) -> String {
    let mut text = String::new();
    let result = |game: u64| ["1-0", "0-1", "1/2-1/2"][game as usize % 3];
    let mut current = None;
    play(seed, |game, board, san| {
        if current != Some(game) {
            if let Some(ended) = current {
                text += &format!("{}\n\n", result(ended));
            }
            text += &format!(
                "[Event \"Random\"]\n[Round \"{game}\"]\n[Result \"{}\"]\n\n",
                result(game)
            );
            current = Some(game);
        }
        if board.side_to_move() == Color::White {
            text += &format!("{}. ", board.fullmove_number());
        }
        text += &format!("{san}\n");
    });
    text + result(COUNT - 1) + "\n"
}

/// Every position of the games up to a half-move.
pub(crate) fn positions(seed: u64, max_ply: u32) -> Vec<Board> {
    let mut boards = Vec::new();
    play(seed, |_, board, _| {
        if u32::from(board.fullmove_number()) * 2 <= max_ply {
            boards.push(board.clone());
        }
    });
    boards
}
