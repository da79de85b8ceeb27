//! One game from opening to result.

use chess::{Color, Rng};
use data::{Game, Openings, Outcome, ScoredMove};
use engine::Position;

use anyhow::ensure;

use super::player::Player;
use super::referee::{Referee, Rules};

/// How a game is played.
pub(crate) struct Pace {
    /// Nodes a move.
    pub(crate) nodes: u64,
    /// When it is over.
    pub(crate) rules: Rules,
}

/// Openings to try before giving up: if this many are bad, the options leave no good ones.
const TRIES: usize = 1000;

/// Plays a game from an opening that is not lost for either side.
pub(crate) fn play(
    player: &mut dyn Player,
    openings: &Openings,
    rng: &mut Rng,
    pace: &Pace,
) -> anyhow::Result<Game> {
    for _ in 0..TRIES {
        let start = openings.draw(rng);
        let position = Position::new(start);
        if Referee::by_rules(&position).is_some() {
            continue;
        }
        player.new_game()?;
        if let Some(game) = play_from(player, position, pace)? {
            return Ok(game);
        }
    }
    anyhow::bail!(
        "expected a playable opening, got none in {TRIES} tries: fewer random plies or a larger \
         --max-opening may help"
    )
}

/// Plays a game; none if the first search thinks the opening decided.
pub(crate) fn play_from(
    player: &mut dyn Player,
    mut position: Position,
    pace: &Pace,
) -> anyhow::Result<Option<Game>> {
    let mut game = Game::new(position.board().clone(), Outcome::Draw);
    let mut referee = Referee::new(pace.rules);
    loop {
        let board = position.board();
        let choice = player.choose(&game, &position, pace.nodes)?;
        ensure!(
            board.is_legal(choice.mv),
            "expected a legal move in {board}, the engine played {}",
            choice.mv
        );
        let white = board.side_to_move() == Color::White;
        let score = if white { choice.score } else { choice.score.saturating_neg() };
        if game.moves.is_empty() && !pace.rules.playable(score) {
            return Ok(None);
        }
        game.moves.push(ScoredMove { mv: choice.mv, score });
        position.play(choice.mv);
        let by_score = referee.by_score(score);
        if let Some(outcome) = Referee::by_rules(&position).or(by_score) {
            game.outcome = outcome;
            return Ok(Some(game));
        }
    }
}
