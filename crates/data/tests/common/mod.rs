//! Random games for the tests.

use chess::{Board, Rng};
use data::{Game, Openings, Outcome, ScoredMove};

/// A game of random moves with random scores; half of them Chess960.
pub(crate) fn random_game(seed: u64) -> Game {
    let mut rng = Rng::new(seed);
    let openings = Openings { random_plies: rng.below(12), chess960: 0.5, ..Openings::default() };
    let start = openings.draw(&mut rng);
    let outcome = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins][rng.below(3)];
    let mut game = Game::new(start.clone(), outcome);
    let mut board: Board = start;
    for _ in 0..rng.below(160) {
        let moves = board.legal_moves();
        let Some(&mv) = rng.pick(&moves) else { break };
        let score = rng.next_u64() as i16;
        game.moves.push(ScoredMove { mv, score });
        board.make_move(mv, &mut ());
    }
    game
}
