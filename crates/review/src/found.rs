//! How hard a better move was to find: the chance that a player of the mover's rating plays it.
//!
//! docs/people.md says how far that can be believed.

use std::fmt;

use chess::{Board, Color, Move};
use eval::People;
use pgn::Game;

use crate::marks::Mark;
use crate::review::Step;

/// The rating of players whose own is not known.
const USUAL: u32 = 1500;

/// How likely the better move is found.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Found {
    /// By a player of this rating: the mover's own, or 1500 if it is not known.
    pub rating: u32,
    /// From 0 to 1.
    pub chance: f64,
}

/// `found by 23 % at 1500`
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found by {:.0} % at {}", 100.0 * self.chance, self.rating)
    }
}

/// Asks about the better moves of all that is marked.
pub(crate) fn ask(people: &dyn People, game: &Game, steps: &mut [Step]) {
    let played: Vec<Move> = game.moves.iter().map(|played| played.mv).collect();
    for (ply, step) in steps.iter_mut().enumerate() {
        let Some(better) = step.better().filter(|_| step.mark != Mark::Fine) else { continue };
        let rating = rating(game, &step.before).unwrap_or(USUAL);
        let chance = people.finds(&step.before, &played[..ply], rating, better);
        step.found = Some(Found { rating, chance });
    }
}

/// The rating of the player who is to move.
fn rating(game: &Game, board: &Board) -> Option<u32> {
    let tag = if board.side_to_move() == Color::White { "WhiteElo" } else { "BlackElo" };
    game.tag(tag)?.trim().parse().ok().filter(|&rating| rating > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::review;

    /// Finds moves the more often the higher the rating is and the more moves were played.
    struct Crowd;

    impl People for Crowd {
        fn shares(&self, _: &Board, _: &[Move], _: u32, moves: &[Move]) -> Vec<f32> {
            vec![1.0 / moves.len() as f32; moves.len()]
        }

        fn finds(&self, _: &Board, played: &[Move], rating: u32, _: Move) -> f64 {
            f64::from(rating) / 1e4 + played.len() as f64 / 1e2
        }
    }

    #[test]
    fn marked_moves_are_asked_about_with_the_rating_of_their_player() {
        let moves = [("e4", 30, "e4"), ("f6", 130, "e5"), ("g4", -300, "d4")];
        let mut review =
            review(&Board::default(), &[("BlackElo", "2100"), ("WhiteElo", "?")], &moves);
        ask(&Crowd, &review.game, &mut review.steps);
        let found: Vec<_> = review.steps.iter().map(|step| step.found).collect();
        assert_eq!(found[0], None);
        assert_eq!(found[1], Some(Found { rating: 2100, chance: 0.22 }));
        assert_eq!(
            found[2].map(|found| found.to_string()),
            Some("found by 17 % at 1500".to_owned())
        );
    }
}
