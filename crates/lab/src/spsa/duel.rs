//! Two processes of the engine, each with its own values, that play pairs of games.

use chess::{Board, Color};
use data::{Game, Outcome};
use engine::Position;

use super::plan::Plan;
use crate::datagen::play::{self, Pace};
use crate::datagen::player::{Choice, Player};
use crate::datagen::uci::UciPlayer;

/// Both players.
pub(crate) struct Duel {
    players: [UciPlayer; 2],
    /// Who of them has White.
    white: usize,
}

impl Duel {
    /// Starts both and sees that they offer every parameter of the plan.
    pub(crate) fn start(
        command: &str,
        hash: usize,
        options: &[String],
        plan: &Plan,
    ) -> anyhow::Result<Self> {
        let start = || {
            let player = UciPlayer::start(command, hash, options)?;
            for parameter in &plan.parameters {
                anyhow::ensure!(
                    player.offers(parameter.name),
                    "expected an engine with the option {}, got none: was it built with `--features \
                     tune` from these sources?",
                    parameter.name
                );
            }
            Ok(player)
        };
        Ok(Self { players: [start()?, start()?], white: 0 })
    }

    /// Gives each player its values.
    pub(crate) fn set(&mut self, plan: &Plan, values: &[Vec<i32>; 2]) -> anyhow::Result<()> {
        for (player, values) in self.players.iter_mut().zip(values) {
            for (parameter, value) in plan.parameters.iter().zip(values) {
                player.set_option(parameter.name, &value.to_string())?;
            }
        }
        Ok(())
    }

    /// Plays an opening with both colors: the first player's wins less its losses.
    pub(crate) fn pair(&mut self, start: Board, pace: &Pace) -> anyhow::Result<i32> {
        let mut points = 0;
        for white in [0, 1] {
            self.white = white;
            self.new_game()?;
            // An opening that is no game at all counts as a draw.
            let game = play::play_from(self, Position::new(start.clone()), pace)?;
            let for_white = match game.map(|game| game.outcome) {
                Some(Outcome::WhiteWins) => 1,
                Some(Outcome::BlackWins) => -1,
                Some(Outcome::Draw) | None => 0,
            };
            points += if white == 0 { for_white } else { -for_white };
        }
        Ok(points)
    }
}

impl Player for Duel {
    fn new_game(&mut self) -> anyhow::Result<()> {
        self.players.iter_mut().try_for_each(Player::new_game)
    }

    fn choose(&mut self, game: &Game, position: &Position, nodes: u64) -> anyhow::Result<Choice> {
        let white = position.board().side_to_move() == Color::White;
        let player = if white { self.white } else { 1 - self.white };
        self.players[player].choose(game, position, nodes)
    }
}
