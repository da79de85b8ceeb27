//! A second look at moves that may deserve a mark.
//!
//! Before anything is said against a move, the position is searched again for the engine's choice,
//! and then the positions after that choice and after the move each alone: all from an empty table
//! and about four times as long, the conditions under which forecasts were fitted. Nothing of the
//! first look enters but that it asked for a second one; so reviews whose limits differ a little,
//! and with them their first choices, still say the same of a move.

use chess::Move;
use engine::Position;

use crate::searcher::{Line, Searcher, THOROUGH};

/// A better line has at least this many half-moves, unless the game ends before.
const LEAST: usize = 6;

/// A move of a game and the engine's choice, searched alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondLook {
    /// The engine's choice, what follows, and what it is worth.
    pub best: Line,
    /// The move that was played.
    pub played: Line,
}

impl SecondLook {
    /// How many positions of a game take as long: three, each searched thoroughly.
    pub const POSITIONS: usize = 3 * THOROUGH as usize;

    /// Looks for the best move, then at it and at the one played.
    pub(crate) fn new(position: &Position, played: Move, searcher: &mut Searcher) -> Self {
        let choice = searcher.thorough(position);
        match choice.moves.first() {
            Some(&best) if best != played => {
                let mut look = Self::compare(position, best, played, searcher);
                // The search for the choice knows how sure it is and what else is plausible, not
                // that of the position after it.
                (look.best.confidence, look.best.shares) = (choice.confidence, choice.shares);
                look
            }
            // After all, the move was the best, or there was nothing to choose.
            _ => Self { best: choice.clone(), played: choice },
        }
    }

    /// Searches both moves alone.
    fn compare(position: &Position, best: Move, played: Move, searcher: &mut Searcher) -> Self {
        let best = alone(position, best, searcher);
        Self { best: complete(position, best, searcher), played: alone(position, played, searcher) }
    }
}

/// What a move is worth, by a search of the position after it.
fn alone(position: &Position, mv: Move, searcher: &mut Searcher) -> Line {
    let mut after = position.clone();
    after.play(mv);
    let mut line = searcher.thorough(&after);
    line.moves.insert(0, mv);
    line.shares.clear();
    line
}

/// Adds moves to a line that ends too early: the table may know a position's worth without the way.
fn complete(position: &Position, mut line: Line, searcher: &mut Searcher) -> Line {
    let mut end = position.clone();
    line.moves.iter().for_each(|&mv| end.play(mv));
    while line.moves.len() < LEAST {
        let more = searcher.best(&end, false).moves;
        if more.is_empty() {
            break;
        }
        more.iter().for_each(|&mv| end.play(mv));
        line.moves.extend(more);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_lines_are_lines() {
        let mut searcher = Searcher::test(200);
        let position = Position::default();
        let legal = position.board().legal_moves();
        for &mv in &legal[..6] {
            let look = SecondLook::compare(&position, mv, legal[7], &mut searcher);
            assert_eq!((look.best.moves[0], look.played.moves[0]), (mv, legal[7]));
            assert!(look.best.moves.len() >= LEAST);
            let mut board = position.board().clone();
            for &mv in &look.best.moves {
                assert!(board.is_legal(mv));
                board = board.after(mv);
            }
        }
    }

    #[test]
    fn a_line_may_end_with_the_game() {
        let mut position = Position::default();
        for mv in ["f2f3", "e7e5", "g2g4"] {
            position.play(position.board().parse_uci(mv).unwrap());
        }
        let [mate, other] = ["d8h4", "a7a6"].map(|mv| position.board().parse_uci(mv).unwrap());
        let mut searcher = Searcher::test(200);
        let look = SecondLook::new(&position, other, &mut searcher);
        assert_eq!(look.best.moves, [mate]);
        assert!(look.best.verdict.score < -30_000, "for White");
        assert_eq!(look.played.moves[0], other);
        // The mate itself is its own alternative.
        let look = SecondLook::new(&position, mate, &mut searcher);
        assert_eq!((look.best.moves[0], look.played.moves[0]), (mate, mate));
    }
}
