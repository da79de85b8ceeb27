//! Test positions, and whether the engine solves them.
//!
//! An EPD position counts as solved if the move played is among its best moves (`bm`), not among
//! its moves to avoid (`am`), or if the mate it names (`bm #5`, `bm #-3`) is found in that many
//! moves or fewer. Positions without any of these are counted as left out, not as solved. A puzzle
//! is solved if every move of its line is found, or a mate in its place.

mod epd;
mod puzzles;

use std::fmt;

use chess::{Board, Move};
use engine::{Answer, Engine, Limits, Position, score};

/// What a position asks for.
pub enum Task {
    /// One of these moves.
    Best(Vec<Move>),
    /// None of these moves.
    Avoid(Vec<Move>),
    /// A mate in at most this many moves; a negative number is a mate of the side to move.
    Mate(i32),
    /// Every other move is to be found, the first one included.
    Line(Vec<Move>),
}

/// A position to solve, with a name for the report.
pub struct Problem {
    /// What it is called.
    pub name: String,
    /// Where it begins.
    pub board: Board,
    /// What it asks for.
    pub task: Task,
    /// How hard it is, on the scale of its players.
    pub rating: Option<u32>,
}

/// What a file holds.
pub struct Problems {
    /// In the order of the file.
    pub problems: Vec<Problem>,
    /// Lines that ask for nothing.
    pub left_out: usize,
}

/// All problems of a file. A table of puzzles begins with the names of its columns.
pub fn read(text: &str) -> Result<Problems, String> {
    match text.lines().next() {
        Some(first) if first.contains(',') => puzzles::read(first, text),
        _ => epd::read(text),
    }
}

/// Lets the engine solve a problem; says what it did instead if it failed.
pub fn attempt(engine: &mut Engine, problem: &Problem, limits: &Limits) -> Option<String> {
    engine.new_game();
    let mut board = problem.board.clone();
    let Task::Line(line) = &problem.task else {
        let answer = engine.ask(&Position::new(board.clone()), limits);
        return (!is_solved(&problem.task, &answer)).then(|| describe(&board, &answer));
    };
    for (i, &mv) in line.iter().enumerate() {
        if i % 2 == 0 {
            let answer = engine.ask(&Position::new(board.clone()), limits);
            if answer.best.is_some_and(|mv| board.after(mv).is_checkmate()) {
                return None;
            }
            if answer.best != Some(mv) {
                return Some(format!("{} at move {}", describe(&board, &answer), i / 2 + 1));
            }
        }
        board = board.after(mv);
    }
    None
}

/// Does one answer do? A line takes several.
fn is_solved(task: &Task, answer: &Answer) -> bool {
    let Some(best) = answer.best else { return false };
    match task {
        Task::Best(moves) => moves.contains(&best),
        Task::Line(_) => false,
        Task::Avoid(moves) => !moves.contains(&best),
        &Task::Mate(distance) => {
            answer.score().and_then(score::mate_distance).is_some_and(|found| {
                found.signum() == distance.signum() && found.abs() <= distance.abs()
            })
        }
    }
}

fn describe(board: &Board, answer: &Answer) -> String {
    let mv = answer.best.map_or_else(|| "no move".to_owned(), |mv| board.san(mv).to_string());
    match answer.score().and_then(score::mate_distance) {
        Some(distance) => format!("{mv} (mate {distance})"),
        None => {
            let score = answer.score().unwrap_or(score::DRAW);
            format!("{mv} ({:+.2})", f64::from(score) / 100.0)
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let san = |moves: &[Move]| {
            let names: Vec<_> = moves.iter().map(|&mv| self.board.san(mv).to_string()).collect();
            names.join(" or ")
        };
        write!(f, "{} {}: expected ", self.name, self.board)?;
        match &self.task {
            Task::Best(moves) => f.write_str(&san(moves)),
            Task::Avoid(moves) => write!(f, "anything but {}", san(moves)),
            Task::Mate(distance) => write!(f, "mate {distance}"),
            Task::Line(moves) => {
                let names: Vec<_> = moves.iter().map(Move::to_string).collect();
                f.write_str(&names.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Source;

    fn unsolved(text: &str) -> Vec<Option<String>> {
        let builder = Engine::builder().evaluator(Source::Classical).hash_mb(1);
        let mut engine = builder.build().unwrap();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let problems = read(text).unwrap().problems;
        problems.iter().map(|problem| attempt(&mut engine, problem, &limits)).collect()
    }

    #[test]
    fn solves_and_fails_honestly() {
        let found = unsolved(
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm #1;\n\
             6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Kf1;\n\
             6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd8;\n",
        );
        let mate = Some("Rd8# (mate 1)".to_owned());
        assert_eq!(found, [None, mate.clone(), mate]);
    }

    #[test]
    fn a_puzzle_is_its_whole_line_or_a_mate_instead() {
        let found = unsolved(
            "PuzzleId,FEN,Moves,Rating\n\
             found,6k1/p4ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1,a7a6 d1d8,900\n\
             mate,6k1/p4ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1,a7a6 g1f1,900\n\
             later,6k1/p4ppp/8/8/8/8/5PPP/1r1R2K1 b - - 0 1,a7a6 d1b1 h7h6 g1h1,2000\n",
        );
        assert_eq!(found[..2], [None, None]);
        assert!(found[2].as_ref().unwrap().ends_with("at move 2"));
    }
}
