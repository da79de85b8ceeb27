//! A whole game under review: the game, what the engine answered, and what follows for each move.

use chess::{Board, Color, Move};
use eval::score::{MATE, MATE_IN_MAX, Score};
use pgn::Game;

use crate::answers::{Answers, Tick};
use crate::clock::{self, Time};
use crate::found::{self, Found};
use crate::marks::{self, Claim, Mark};
use crate::searcher::{Line, Searcher};
use crate::summary::Summary;
use crate::theory::{Known, Theory};
use crate::verdict::Verdict;

/// A game and what is thought of it.
pub struct Review {
    /// The game.
    pub game: Game,
    /// Its opening, and how far it is known.
    pub known: Known,
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
    /// The probability that the mark is right, by the forecasts; for an unclear move, that it was an
    /// inaccuracy at least.
    pub sure: f64,
    /// How hard the engine's move was to find, where this one is marked.
    pub found: Option<Found>,
    /// A move of theory, which is not judged.
    pub is_book: bool,
    /// What is known about the clock.
    pub time: Time,
}

impl Review {
    /// Searches every position of a game; `tick` is called after each, and its error ends the review.
    pub fn new<E>(
        game: Game,
        searcher: &mut Searcher,
        tick: impl FnMut(Tick) -> Result<(), E>,
    ) -> Result<Self, E> {
        let answers = Answers::search(&game, searcher, tick)?;
        Ok(Self::judge(game, &answers, &Theory::default()))
    }

    /// Judges a game by what the engine answered about its positions.
    pub fn judge(game: Game, answers: &Answers, theory: &Theory) -> Self {
        let boards: Vec<Board> = game.positions().collect();
        let mut known = theory.look_up(&game, &boards);
        let mut steps = Vec::with_capacity(game.moves.len());
        let times = clock::times(&game);
        for (ply, (played, pair)) in game.moves.iter().zip(boards.windows(2)).enumerate() {
            let (before, after) = (pair[0].clone(), pair[1].clone());
            let (mut best, mut verdict) =
                (answers.lines[ply].clone(), answers.lines[ply + 1].verdict);
            let second_look = answers.second_looks.get(&ply);
            if let Some(look) = second_look {
                (best, verdict) = (look.best.clone(), look.played.verdict);
            }
            let mut step = Step::new(before, after, played.mv, best, verdict);
            if !step.agrees() {
                let claim = step.claim();
                step.mark(if second_look.is_some() { claim } else { claim.at_first_sight() });
            }
            step.time = times[ply];
            if ply < known.plies {
                match step.mark >= Mark::Mistake {
                    // Theory ends with the first mistake.
                    true => known.plies = ply,
                    false => step.set_book(),
                }
            }
            steps.push(step);
        }
        if let Some(people) = engine::people() {
            found::ask(people.as_ref(), &game, &mut steps);
        }
        Self { game, known, start: answers.lines[0].verdict, steps }
    }

    /// How one side did.
    pub fn summary(&self, side: Color) -> Summary {
        Summary::of(self.steps_of(side))
    }

    /// The moves of one side.
    pub fn steps_of(&self, side: Color) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.before.side_to_move() == side)
    }
}

impl Step {
    fn new(before: Board, after: Board, mv: Move, best: Line, verdict: Verdict) -> Self {
        let san = before.san(mv).to_string();
        let side = before.side_to_move();
        // The engine's own choice cannot be worse than itself, whatever a later search says.
        let is_other = best.moves.first().is_some_and(|&choice| choice != mv);
        let (choice, played) = (best.verdict.seen_by(side), verdict.seen_by(side));
        let loss = if is_other { marks::loss(&before, &choice, &played) } else { 0.0 };
        let (mark, sure, found, is_book) = (Mark::Fine, 0.0, None, false);
        let time = Time::default();
        Self { before, after, mv, san, best, verdict, loss, mark, sure, found, is_book, time }
    }

    /// What the verdicts say about the move.
    fn claim(&self) -> Claim {
        let side = self.before.side_to_move();
        let (best, played) = (self.best.verdict.seen_by(side), self.verdict.seen_by(side));
        Claim::new(&self.before, &best, &played)
    }

    fn mark(&mut self, Claim { mark, probability }: Claim) {
        (self.mark, self.sure) = (mark, probability);
    }

    /// A known move is not judged.
    fn set_book(&mut self) {
        (self.is_book, self.loss, self.mark, self.sure) = (true, 0.0, Mark::Fine, 0.0);
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
            let best = Line {
                moves: line,
                verdict: before,
                depth: 9,
                nodes: 900,
                confidence: None,
                shares: Vec::new(),
            };
            let verdict = Verdict::around(*score, &shape);
            let mut step = Step::new(board, after.clone(), mv, best, verdict);
            if !step.agrees() {
                step.mark(step.claim());
            }
            steps.push(step);
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
        Review { game, known: Known::default(), start: first, steps }
    }

    /// The shortest game, won by Black, in which White has this name.
    pub(crate) fn fools_mate(white: &str) -> Review {
        let moves =
            [("f3", -30, "e4"), ("e5", -30, "e5"), ("g4", -31_999, "e4"), ("Qh4#", -32_000, "Qh4")];
        review(&Board::default(), &[("White", white), ("Black", "C")], &moves)
    }

    #[test]
    fn losses_belong_to_the_side_that_moved() {
        let review = review(
            &Board::default(),
            &[],
            &[("e4", 30, "e4"), ("f6", 100, "e5"), ("d4", 110, "Nc3"), ("g5", 31_999, "e6")],
        );
        let (white, black) = (review.summary(Color::White), review.summary(Color::Black));
        assert_eq!((white.moves, white.agreed, white.loss.sum()), (2, 1, 0.0));
        assert_eq!((black.moves, black.agreed, black.blunders), (2, 0, 1));
        assert_eq!(black.mistakes + black.inaccuracies, 1);
        assert!(black.mean_loss() > 0.15 && black.unclear == 0);
        assert_eq!(review.steps[3].label(), "2... g5??");
        assert_eq!(review.steps[2].better(), None);
    }
}
