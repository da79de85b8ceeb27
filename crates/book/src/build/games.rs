//! One game of a PGN text: is it wanted, and which moves does it add?

use chess::{Board, Color};
use pgn::{GameResult, Item, RawGame};

use super::counts::{Counts, Table};
use super::{BuildOptions, Summary};
use crate::{encode_move, key};

/// Counts the moves of games.
pub(super) struct GameCounter<'a> {
    pub(super) options: &'a BuildOptions,
    pub(super) table: &'a mut Table,
    pub(super) summary: &'a mut Summary,
}

impl GameCounter<'_> {
    /// Counts a game, or what of it can be read, or leaves it out.
    pub(super) fn count(&mut self, game: &RawGame<'_>) {
        let result = game.result();
        if result == GameResult::Unknown || !self.is_wanted(game) {
            self.summary.left_out += 1;
            return;
        }
        let Ok(line) = game.main_line() else {
            self.summary.left_out += 1;
            return;
        };
        self.summary.games += 1;
        let mut board = Board::default();
        let mut position = key(&board);
        let mut plies = 0;
        for item in line {
            if plies == self.options.max_ply {
                return;
            }
            let mv = match item {
                Ok(Item::Move(mv)) => mv,
                Ok(_) => continue,
                Err(_) => {
                    self.summary.broken += 1;
                    return;
                }
            };
            let side = board.side_to_move();
            if self.options.side.is_none_or(|wanted| wanted == side) {
                self.table.add(position, encode_move(mv), counts_for(result, side));
            }
            let after = board.after(mv);
            position = crate::key_after(&board, mv, &after);
            board = after;
            plies += 1;
        }
    }

    /// Standard chess from its usual start, by players of the ratings that are asked for.
    fn is_wanted(&self, game: &RawGame<'_>) -> bool {
        let is_standard = |name: &str| name.eq_ignore_ascii_case("standard");
        game.tag("FEN").is_none()
            && game.tag("Variant").is_none_or(|variant| is_standard(&variant))
            && self.is_rated(game, "WhiteElo")
            && self.is_rated(game, "BlackElo")
    }

    fn is_rated(&self, game: &RawGame<'_>, tag: &str) -> bool {
        match game.tag(tag).and_then(|value| value.trim().parse().ok()) {
            Some(elo) => (self.options.min_elo..=self.options.max_elo).contains(&elo),
            None => self.options.min_elo == 0,
        }
    }
}

fn counts_for(result: GameResult, side: Color) -> Counts {
    let mut counts = Counts::default();
    match (result, side) {
        (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => {
            counts.wins = 1;
        }
        (GameResult::Draw | GameResult::Unknown, _) => counts.draws = 1,
        _ => counts.losses = 1,
    }
    counts
}
