//! Two players against each other, in pairs of games with the colours changed.

use chess::{Board, Color};
use data::{Game, Outcome};
use engine::Position;

use super::play::{self, Pace};
use super::player::{Choice, Player};

/// Both players.
pub(crate) struct Duel<P> {
    players: [P; 2],
    /// Who of them has White.
    white: usize,
}

impl<P: Player> Duel<P> {
    pub(crate) fn new(players: [P; 2]) -> Self {
        Self { players, white: 0 }
    }

    pub(crate) fn players_mut(&mut self) -> &mut [P; 2] {
        &mut self.players
    }

    /// Plays an opening with both colours: each game's result for the first player, 1 for a win and
    /// -1 for a loss.
    pub(crate) fn pair(&mut self, start: &Board, pace: &Pace) -> anyhow::Result<[i32; 2]> {
        let mut results = [0; 2];
        for (white, result) in results.iter_mut().enumerate() {
            self.white = white;
            self.new_game()?;
            // An opening that is no game at all counts as a draw.
            let game = play::play_from(self, Position::new(start.clone()), pace)?;
            let for_white = match game.map(|game| game.outcome) {
                Some(Outcome::WhiteWins) => 1,
                Some(Outcome::BlackWins) => -1,
                Some(Outcome::Draw) | None => 0,
            };
            *result = if white == 0 { for_white } else { -for_white };
        }
        Ok(results)
    }
}

impl<P: Player> Player for Duel<P> {
    fn new_game(&mut self) -> anyhow::Result<()> {
        self.players.iter_mut().try_for_each(Player::new_game)
    }

    fn choose(&mut self, game: &Game, position: &Position, nodes: u64) -> anyhow::Result<Choice> {
        let white = position.board().side_to_move() == Color::White;
        let player = if white { self.white } else { 1 - self.white };
        self.players[player].choose(game, position, nodes)
    }
}
