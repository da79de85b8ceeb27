//! Complete games of the engine against itself, with all assertions of a debug build on.

use chess::notation::uci::CastlingForm;
use chess::{Board, Move, Rng};
use engine::Position;

use crate::driver::Engine;

/// Far longer than games between people; no game needs to be cut off to stay within the limits.
const LONGEST: usize = 600;

/// Plays until the rules end the game or it is very long; returns the number of half-moves.
fn play(engine: &mut Engine, start: &str, go: &str) -> usize {
    engine.send("ucinewgame");
    let mut position = Position::new(start.parse().expect("a legal start"));
    let mut moves: Vec<String> = Vec::new();
    while !is_over(&position) && moves.len() < LONGEST {
        let played =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let answer = engine.search(&format!("position fen {start}{played}"), go);
        let best = answer.best.expect("a move, since the game is not over");
        let mv = position.board().parse_uci(&best).expect("a legal move");
        position.play(mv);
        moves.push(best);
    }
    moves.len()
}

fn is_over(position: &Position) -> bool {
    position.board().outcome(position.keys()).is_some()
}

#[test]
fn eight_games_in_one_process() {
    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bq1rk1/ppp2ppp/2nbp3/8/1PPPp3/P3PN2/5PPP/R1BQKB1R w KQ - 0 1",
        "rnbqkb1r/pp1pppp1/5n2/2p4p/5P2/2PP4/PP2P1PP/RNBQKBNR w KQkq - 0 4",
        "2k4r/1pp1q3/p3p1pb/4Nb1p/1PR5/P2r1Q2/5PPP/2R3K1 w - - 4 28",
        "8/p3kp2/1p5p/2QP1Bp1/2P2n2/5P2/P1K2P1P/8 b - - 0 39",
        "8/2p1kppp/1p6/6P1/1PPKPr1P/8/8/7R w - - 0 34",
    ];
    const CHESS960: [&str; 2] = [
        "qnrbknbr/pppppppp/8/8/8/8/PPPPPPPP/QNRBKNBR w HChc - 0 1",
        "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEhb - 0 1",
    ];
    let mut engine = Engine::start();
    let mut plies = 0;
    for start in STARTS {
        plies += play(&mut engine, start, "go nodes 1500");
    }
    engine.send("setoption name UCI_Chess960 value true");
    for start in CHESS960 {
        plies += play(&mut engine, start, "go nodes 1500");
    }
    assert!(plies > 100, "only {plies} half-moves in eight games");
}

/// A game of 300 moves as a GUI sends it: the whole list with every command.
#[test]
fn a_game_of_three_hundred_moves() {
    let mut position = Position::new(Board::default());
    let mut moves: Vec<String> = Vec::new();
    // A random walk that takes nothing and moves a pawn only to put off the fifty-move rule.
    let mut rng = Rng::new(12345);
    while moves.len() < 600 {
        let board = position.board();
        let is_wanted = |mv: &Move| {
            let resets = board.after(*mv).halfmove_clock() == 0;
            let takes = board.captured(*mv).is_some();
            resets == (board.halfmove_clock() >= 90) && !takes
        };
        let mut choice: Vec<_> = board.legal_moves().iter().copied().collect();
        choice.retain(|mv| board.after(*mv).has_legal_move());
        if choice.iter().any(is_wanted) {
            choice.retain(is_wanted);
        }
        let Some(&mv) = rng.pick(&choice) else { panic!("the walk is stuck at {board}") };
        moves.push(mv.uci(CastlingForm::Standard).to_string());
        position.play(mv);
    }
    let mut engine = Engine::start();
    for length in [100, 299, 300, 450, 599, 600] {
        let command = format!("position startpos moves {}", moves[..length].join(" "));
        let answer = engine.search(&command, "go nodes 500");
        assert!(answer.best.is_some());
    }
}
