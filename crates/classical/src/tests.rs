//! Facts that hold for any weights.

use chess::{Board, Color, Rng, Setup, Square};

use super::Classical;
use eval::{Evaluator, Score};
use positions::POSITIONS;

#[path = "../benches/positions/mod.rs"]
mod positions;

fn evaluate(board: &Board) -> Score {
    let mut evaluator = Classical::new();
    evaluator.reset(board);
    evaluator.evaluate(board).q50
}

/// The same position with the colors exchanged.
fn mirrored(board: &Board) -> Board {
    let mut setup = Setup::EMPTY;
    for square in Square::all() {
        if let (Some(color), Some(piece)) = (board.color_at(square), board.piece_at(square)) {
            setup.squares[square.flip_rank().index()] = Some((!color, piece));
        }
    }
    setup.side = !board.side_to_move();
    for (color, wing, file) in board.castling().iter() {
        setup.castling.set(!color, wing, Some(file));
    }
    setup.en_passant = board.en_passant().map(Square::flip_rank);
    Board::from_setup(&setup).unwrap()
}

/// Walks random games from each position and hands every board to `check`.
fn random_games(mut check: impl FnMut(&Board, &mut Classical)) {
    let mut rng = Rng::new(1);
    for fen in POSITIONS {
        for _ in 0..20 {
            let mut board: Board = fen.parse().unwrap();
            let mut evaluator = Classical::new();
            evaluator.reset(&board);
            for _ in 0..120 {
                check(&board, &mut evaluator);
                let Some(&chosen) = rng.pick(&board.legal_moves()) else { break };
                evaluator.push();
                board.make_move(chosen, &mut evaluator);
            }
        }
    }
}

#[test]
fn exchanging_the_colors_changes_nothing() {
    random_games(|board, _| {
        assert_eq!(evaluate(board), evaluate(&mirrored(board)), "{board}");
    });
}

#[test]
fn following_the_game_equals_starting_afresh() {
    random_games(|board, follower| {
        assert_eq!(follower.evaluate(board).q50, evaluate(board), "{board}");
    });
}

#[test]
fn taking_moves_back_restores_the_sums() {
    for fen in POSITIONS {
        let board: Board = fen.parse().unwrap();
        let mut evaluator = Classical::new();
        evaluator.reset(&board);
        let before = evaluator.evaluate(&board);
        for &mv in board.legal_moves().iter() {
            let mut next = board.clone();
            evaluator.push();
            next.make_move(mv, &mut evaluator);
            evaluator.evaluate(&next);
            evaluator.pop();
        }
        assert_eq!(evaluator.evaluate(&board), before);
    }
}

#[test]
fn more_material_is_better() {
    let evaluate = |fen: &str| evaluate(&fen.parse().unwrap());
    assert!(evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1") > 500);
    assert!(evaluate("4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 b Q - 0 1") < -200);
    let start = evaluate(POSITIONS[0]);
    assert!((0..60).contains(&start), "{start}");
}

#[test]
fn dead_draws_are_zero() {
    for fen in [
        "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/3NKN2 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(evaluate(&fen.parse().unwrap()), 0, "{fen}");
    }
}

#[test]
fn the_side_to_move_is_answered() {
    let white: Board = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1".parse().unwrap();
    assert_eq!(white.side_to_move(), Color::White);
    let black: Board = "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1".parse().unwrap();
    assert_eq!(evaluate(&white), -evaluate(&black));
}
