//! A whole game under review: every position searched, every move judged.
//!
//! The search goes from the last position to the first. So, when the engine looks for the best
//! move, its table already knows what became of the one that was played, and the two scores that
//! are compared seldom contradict each other.

use chess::{Board, Color, Move};
use engine::Position;
use eval::score::{MATE, MATE_IN_MAX, Score};
use pgn::Game;

use crate::marks::{self, Mark};
use crate::searcher::{Line, Searcher};
use crate::verdict::Verdict;

/// A game and what is thought of it.
pub struct Review {
    /// The game.
    pub game: Game,
    /// The position before the first move.
    pub start: Verdict,
    /// A step for each move.
    pub steps: Vec<Step>,
}

/// A move of the game.
pub struct Step {
    /// The board before it.
    pub before: Board,
    /// The board after it.
    pub after: Board,
    /// The move that was played.
    pub mv: Move,
    /// Its name.
    pub san: String,
    /// The engine's line and verdict in its place.
    pub best: Line,
    /// What the position after the move is worth.
    pub verdict: Verdict,
    /// Expected points lost, for the mover.
    pub loss: f64,
    /// What it deserves.
    pub mark: Mark,
}

/// The sum over one side's moves.
#[derive(Debug, Default, PartialEq)]
pub struct Summary {
    /// Moves of the side.
    pub moves: usize,
    /// Expected points lost by all moves together.
    pub lost: f64,
    /// Moves that were the engine's choice.
    pub agreed: usize,
    /// Moves too close to call.
    pub unclear: usize,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
}

impl Review {
    /// Searches every position of a game; `tick` hears of each, and its error ends the review.
    pub fn new<E>(
        game: Game,
        searcher: &mut Searcher,
        mut tick: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        searcher.new_game();
        let boards: Vec<Board> = game.positions().collect();
        let mut after = searcher.best(&with_past(&game, &boards, game.moves.len()), true);
        tick()?;
        let mut steps = Vec::with_capacity(game.moves.len());
        for (ply, (played, pair)) in game.moves.iter().zip(boards.windows(2)).enumerate().rev() {
            let best = searcher.best(&with_past(&game, &boards, ply), false);
            tick()?;
            let (before, now) = (pair[0].clone(), pair[1].clone());
            steps.push(Step::new(before, now, played.mv, best.clone(), after.verdict));
            after = best;
        }
        steps.reverse();
        Ok(Self { game, start: after.verdict, steps })
    }

    /// How one side did.
    pub fn summary(&self, side: Color) -> Summary {
        let mut summary = Summary::default();
        for step in self.steps.iter().filter(|step| step.before.side_to_move() == side) {
            summary.moves += 1;
            summary.lost += step.loss;
            summary.agreed += usize::from(step.agrees());
            match step.mark {
                Mark::Fine => {}
                Mark::Unclear => summary.unclear += 1,
                Mark::Inaccuracy => summary.inaccuracies += 1,
                Mark::Mistake => summary.mistakes += 1,
                Mark::Blunder => summary.blunders += 1,
            }
        }
        summary
    }
}

/// The position after this many half-moves, with as much of the game as can come again.
fn with_past(game: &Game, boards: &[Board], ply: usize) -> Position {
    let first = ply.saturating_sub(usize::from(boards[ply].halfmove_clock()));
    let mut position = Position::new(boards[first].clone());
    for played in &game.moves[first..ply] {
        position.play(played.mv);
    }
    position
}

impl Summary {
    /// Points lost per move.
    pub fn mean_loss(&self) -> f64 {
        self.lost / self.moves.max(1) as f64
    }
}

impl Step {
    fn new(before: Board, after: Board, mv: Move, best: Line, verdict: Verdict) -> Self {
        let san = before.san(mv).to_string();
        let (mut loss, mut mark) = (0.0, Mark::Fine);
        // The engine's own choice cannot be worse than itself, whatever a later search says.
        if best.moves.first().is_some_and(|&choice| choice != mv) {
            let side = before.side_to_move();
            let (choice, played) = (best.verdict.seen_by(side), verdict.seen_by(side));
            loss = marks::loss(&before, &choice, &played);
            mark = Mark::new(loss, &choice, &played);
        }
        Self { before, after, mv, san, best, verdict, loss, mark }
    }

    /// Was it the engine's choice?
    pub fn agrees(&self) -> bool {
        self.best.moves.first() == Some(&self.mv)
    }

    /// The engine's move, if the one played lost something that shows in hundredths of a point.
    pub fn better(&self) -> Option<Move> {
        self.best.moves.first().copied().filter(|_| !self.agrees() && self.loss >= 0.005)
    }

    /// What a mate in the air has to do with it, in words.
    pub fn mate(&self) -> Option<String> {
        let side = self.before.side_to_move();
        let (best, played) =
            (self.best.verdict.seen_by(side).score, self.verdict.seen_by(side).score);
        let moves = |score: Score| (MATE - score.abs() + 1) / 2;
        if self.agrees() {
            None
        } else if played <= -MATE_IN_MAX && best > -MATE_IN_MAX {
            Some(format!("walks into mate in {}", moves(played)))
        } else if best >= MATE_IN_MAX && played < MATE_IN_MAX {
            Some(format!("misses mate in {}", moves(best)))
        } else {
            None
        }
    }

    /// `4... Bg4?!`
    pub fn label(&self) -> String {
        format!("{} {}{}", pgn::move_number(&self.before), self.san, self.mark.symbol())
    }

    /// Expected points for White after the move.
    pub fn points(&self) -> f64 {
        self.verdict.points(&self.after)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use eval::Quantiles;
    use pgn::{GameResult, Played};

    use super::*;

    /// A review without a search: the scores after each move, for White, and the engine's choices.
    pub(crate) fn review(
        start: &Board,
        tags: &[(&str, &str)],
        moves: &[(&str, i32, &str)],
    ) -> Review {
        let shape = Quantiles::from_gaps(0, [10, 10, 10, 10]);
        let mut board = start.clone();
        let first = Verdict::around(20, &shape);
        let mut before = first;
        let (mut steps, mut played) = (Vec::new(), Vec::new());
        for (san, score, choice) in moves {
            let mv = board.parse_san(san).unwrap();
            let after = board.after(mv);
            let line = vec![board.parse_san(choice).unwrap()];
            let best = Line { moves: line, verdict: before, depth: 9, confidence: None };
            let verdict = Verdict::around(*score, &shape);
            steps.push(Step::new(board, after.clone(), mv, best, verdict));
            played.push(Played::new(mv));
            (board, before) = (after, verdict);
        }
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let game = Game {
            number: 1,
            tags: tags.iter().map(own).collect(),
            start: start.clone(),
            moves: played,
            result: GameResult::Unknown,
            ..Game::default()
        };
        Review { game, start: first, steps }
    }

    #[test]
    fn losses_belong_to_the_side_that_moved() {
        let review = review(
            &Board::default(),
            &[],
            &[("e4", 30, "e4"), ("f6", 150, "e5"), ("d4", 160, "Nc3"), ("g5", 31_999, "e6")],
        );
        let (white, black) = (review.summary(Color::White), review.summary(Color::Black));
        assert_eq!((white.moves, white.agreed, white.lost), (2, 1, 0.0));
        assert_eq!((black.moves, black.agreed, black.blunders), (2, 0, 1));
        assert_eq!(black.mistakes + black.inaccuracies, 1);
        assert!(black.mean_loss() > 0.15 && black.unclear == 0);
        assert_eq!(review.steps[3].label(), "2... g5??");
        assert_eq!(review.steps[2].better(), None);
    }
}
