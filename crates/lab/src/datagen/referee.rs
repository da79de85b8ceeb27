//! When a game is over: by the rules of chess, or because nothing will happen any more.

use chess::Color;
use data::Outcome;
use engine::Position;

/// When to call a game before its end.
#[derive(Copy, Clone, Debug, clap::Args)]
pub(crate) struct Rules {
    /// A game is won when the score has been beyond this for --win-plies plies.
    #[arg(long, default_value_t = 1200)]
    win_score: i16,
    /// See --win-score; 0 plays on to mate.
    #[arg(long, default_value_t = 5)]
    win_plies: usize,
    /// A game is drawn when the score has been within this for --draw-plies plies.
    #[arg(long, default_value_t = 4)]
    draw_score: i16,
    /// See --draw-score; 0 plays on.
    #[arg(long, default_value_t = 12)]
    draw_plies: usize,
    /// Not before this ply of the game.
    #[arg(long, default_value_t = 70)]
    draw_from: usize,
    /// A longer game is a draw.
    #[arg(long, default_value_t = 400)]
    max_plies: usize,
    /// Openings that the first search thinks worse than this for either side are not played.
    #[arg(long, default_value_t = 800)]
    max_opening: i16,
}

impl Rules {
    /// Is an opening with this first score worth playing?
    pub(crate) fn playable(&self, score: i16) -> bool {
        score.unsigned_abs() <= self.max_opening.unsigned_abs()
    }
}

/// Watches one game.
#[derive(Debug)]
pub(crate) struct Referee {
    rules: Rules,
    plies: usize,
    /// How long White's score has been beyond the limit; negative for Black's.
    winning: i64,
    level: usize,
}

impl Referee {
    pub(crate) fn new(rules: Rules) -> Self {
        Self { rules, plies: 0, winning: 0, level: 0 }
    }

    /// The result by the rules of chess alone.
    pub(crate) fn by_rules(position: &Position) -> Option<Outcome> {
        position.board().outcome(position.keys()).map(Outcome::from)
    }

    /// The result by the score (White's) of the move that is about to be played.
    pub(crate) fn by_score(&mut self, score: i16) -> Option<Outcome> {
        self.plies += 1;
        let beyond = score.unsigned_abs() >= self.rules.win_score.unsigned_abs();
        let sign = i64::from(score.signum());
        self.winning = match beyond {
            true if self.winning * sign >= 0 => self.winning + sign,
            true => sign,
            false => 0,
        };
        let level = score.unsigned_abs() <= self.rules.draw_score.unsigned_abs();
        self.level = if level { self.level + 1 } else { 0 };

        let enough = |count: u64, needed: usize| needed > 0 && count >= needed as u64;
        if enough(self.winning.unsigned_abs(), self.rules.win_plies) {
            let winner = if self.winning > 0 { Color::White } else { Color::Black };
            return Some(Outcome::win(winner));
        }
        let quiet =
            enough(self.level as u64, self.rules.draw_plies) && self.plies >= self.rules.draw_from;
        (quiet || self.plies >= self.rules.max_plies).then_some(Outcome::Draw)
    }
}

#[cfg(test)]
pub(crate) const TEST_RULES: Rules = Rules {
    win_score: 1200,
    win_plies: 5,
    draw_score: 4,
    draw_plies: 12,
    draw_from: 70,
    max_plies: 400,
    max_opening: 800,
};

#[cfg(test)]
mod tests {
    use super::*;

    fn after(scores: impl IntoIterator<Item = i16>) -> (usize, Option<Outcome>) {
        let mut referee = Referee::new(TEST_RULES);
        let mut count = 0;
        for score in scores {
            count += 1;
            if let Some(outcome) = referee.by_score(score) {
                return (count, Some(outcome));
            }
        }
        (count, None)
    }

    #[test]
    fn a_won_game_is_called() {
        assert_eq!(after([1300; 9]), (5, Some(Outcome::WhiteWins)));
        assert_eq!(after([-30_000; 9]), (5, Some(Outcome::BlackWins)));
        let wavering = [1300, 1300, -1300, -1300, 100, 1300, 1300, 1300, 1300];
        assert_eq!(after(wavering), (9, None));
    }

    #[test]
    fn a_dead_game_is_called_late_only() {
        assert_eq!(after([0; 200]), (70, Some(Outcome::Draw)));
        let lively = (0..1000).map(|ply| if ply % 10 == 0 { 50 } else { 0 });
        assert_eq!(after(lively), (400, Some(Outcome::Draw)));
    }

    #[test]
    fn the_rules_of_chess_come_first() {
        let result = |fen: &str| Referee::by_rules(&Position::new(fen.parse().unwrap()));
        assert_eq!(result("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Some(Outcome::WhiteWins));
        assert_eq!(result("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Outcome::Draw));
        assert_eq!(result("7k/8/6K1/8/8/8/8/R7 w - - 100 90"), Some(Outcome::Draw));
        assert_eq!(result("7k/8/6K1/8/8/8/8/8 w - - 0 1"), Some(Outcome::Draw));
    }
}
