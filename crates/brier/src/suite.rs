//! `brier suite`: solves test positions and says how many.
//!
//! A position of the EPD file counts as solved if the move played is among its best moves (`bm`),
//! not among its moves to avoid (`am`), or if the mate it names (`bm #5`, `bm #-3`) is found in
//! that many moves or fewer. Positions without any of these are counted as left out, not as solved.

use std::fmt;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use chess::notation::epd::Epd;
use chess::{Board, Move};
use clap::Args;
use eval::{Score, score};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::{Engine, Event, Limits, Position, Settings};

use crate::evaluator::{AnyEvaluator, Source};
use crate::{Failure, output};

/// Which positions to solve, and how long to think about each.
#[derive(Args)]
pub(crate) struct SuiteArguments {
    /// A file of EPD lines with `bm`, `am`, or mates as `bm #N`
    file: PathBuf,
    /// Milliseconds for each position; the default if no other limit is given
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Threads to search with
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// Size of the table in megabytes
    #[arg(long, default_value_t = 16, value_name = "MB")]
    hash: usize,
    /// The evaluator, as the option EvalFile names it
    #[arg(long, default_value = "<default>", value_name = "FILE")]
    eval_file: String,
    /// Only the first so many positions
    #[arg(long, value_name = "N")]
    first: Option<usize>,
}

/// What a position asks for.
enum Task {
    Best(Vec<Move>),
    Avoid(Vec<Move>),
    Mate(i32),
}

/// A position to solve, with a name for the report.
struct Problem {
    name: String,
    board: Board,
    task: Task,
}

/// What the engine answered.
struct Answer {
    best: Option<Move>,
    score: Score,
}

/// Runs the suite and prints the unsolved positions and the count.
pub(crate) fn run(arguments: &SuiteArguments) -> Result<(), Failure> {
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::Other(format!("{}: {error}", arguments.file.display())))?;
    let source = Source::from_option(&arguments.eval_file)
        .map_err(|error| Failure::Other(format!("{}: {error}", arguments.eval_file)))?;
    let (problems, left_out) = read(&text).map_err(Failure::Other)?;
    let problems = &problems[..arguments.first.unwrap_or(usize::MAX).min(problems.len())];
    let engine = Engine::new(move || source.evaluator(), arguments.hash, arguments.threads);
    let mut engine = engine.map_err(|error| Failure::Other(error.to_string()))?;
    let bar = progress(problems.len());
    let mut solved = 0;
    for problem in problems {
        let answer = solve(&mut engine, &problem.board, limits(arguments));
        if is_solved(problem, &answer) {
            solved += 1;
        } else {
            let line = format!("not solved: {problem} got {}", describe(&problem.board, &answer));
            bar.suspend(|| output::line(line)).map_err(Failure::Output)?;
        }
        bar.set_message(format!("{solved} solved"));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if left_out > 0 {
        let line = format!("left out: {left_out} lines without bm or am");
        output::line(line).map_err(Failure::Output)?;
    }
    output::line(format_args!("solved {solved} of {}", problems.len())).map_err(Failure::Output)
}

fn limits(arguments: &SuiteArguments) -> Limits {
    let &SuiteArguments { movetime, nodes, depth, .. } = arguments;
    let unlimited = nodes.is_none() && depth.is_none();
    let movetime = movetime.or(unlimited.then_some(1000));
    Limits { depth, nodes, move_time: movetime.map(Duration::from_millis), ..Limits::default() }
}

fn progress(count: usize) -> ProgressBar {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len}  {msg}  {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// All problems of a file, and how many lines asked for nothing.
fn read(text: &str) -> Result<(Vec<Problem>, usize), String> {
    let mut problems = Vec::new();
    let mut left_out = 0;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |reason: &dyn fmt::Display| format!("line {}: {reason}", index + 1);
        let epd = Epd::parse(line).map_err(|error| at(&error))?;
        let name = epd.string("id").map_or_else(|| format!("line {}", index + 1), str::to_owned);
        match task(&epd).map_err(|reason| at(&reason))? {
            Some(task) => problems.push(Problem { name, board: epd.board.clone(), task }),
            None => left_out += 1,
        }
    }
    Ok((problems, left_out))
}

fn task(epd: &Epd<'_>) -> Result<Option<Task>, String> {
    for opcode in ["bm", "am"] {
        let Some(operation) = epd.operation(opcode) else { continue };
        let words: Vec<&str> = operation.operands().collect();
        if let Some(distance) = words.first().and_then(|word| word.strip_prefix('#')) {
            let distance = distance
                .parse()
                .map_err(|_| format!("expected a mate like #5 or #-5, got \"#{distance}\""))?;
            return Ok(Some(Task::Mate(distance)));
        }
        let moves = words
            .iter()
            .map(|word| epd.board.parse_san(word).map_err(|error| format!("{word}: {error}")))
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(Some(if opcode == "bm" { Task::Best(moves) } else { Task::Avoid(moves) }));
    }
    Ok(None)
}

fn solve(engine: &mut Engine<AnyEvaluator>, board: &Board, limits: Limits) -> Answer {
    let (sender, events) = mpsc::channel();
    engine.new_game();
    engine.go(&Position::new(board.clone()), limits, Settings::default(), move |event| {
        // The receiver outlives the search.
        let _ = sender.send(event);
    });
    engine.wait();
    let mut answer = Answer { best: None, score: score::DRAW };
    for event in events {
        match event {
            Event::Info(info) if info.multi_pv == 1 => answer.score = info.score,
            Event::BestMove { best, .. } => answer.best = best,
            _ => {}
        }
    }
    answer
}

fn is_solved(problem: &Problem, answer: &Answer) -> bool {
    let Some(best) = answer.best else { return false };
    match &problem.task {
        Task::Best(moves) => moves.contains(&best),
        Task::Avoid(moves) => !moves.contains(&best),
        &Task::Mate(distance) => score::mate_distance(answer.score).is_some_and(|found| {
            found.signum() == distance.signum() && found.abs() <= distance.abs()
        }),
    }
}

fn describe(board: &Board, answer: &Answer) -> String {
    let mv = answer.best.map_or_else(|| "no move".to_owned(), |mv| board.san(mv).to_string());
    match score::mate_distance(answer.score) {
        Some(distance) => format!("{mv} (mate {distance})"),
        None => format!("{mv} ({:+.2})", f64::from(answer.score) / 100.0),
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_moves_and_mates() {
        let text = "# a comment\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"back rank\";\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am h3;\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm #1;\n\
            6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -\n";
        let (problems, left_out) = read(text).unwrap();
        assert_eq!((problems.len(), left_out), (3, 1));
        assert_eq!(problems[0].name, "back rank");
        assert!(matches!(problems[2].task, Task::Mate(1)));
    }

    #[test]
    fn faults_name_their_line() {
        let faulty = "6k1/8/8/8/8/8/8/3R2K1 w - - bm Re8;";
        assert!(read(faulty).err().unwrap().starts_with("line 1: Re8"));
        assert!(read("nonsense").err().unwrap().starts_with("line 1: "));
    }

    #[test]
    fn solves_and_fails_honestly() {
        let (problems, _) = read(
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm #1;\n\
             6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Kf1;\n\
             6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd8;\n",
        )
        .unwrap();
        let mut engine = Engine::new(|| Source::Classical.evaluator(), 1, 1).unwrap();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let solved: Vec<bool> = problems
            .iter()
            .map(|problem| is_solved(problem, &solve(&mut engine, &problem.board, limits.clone())))
            .collect();
        assert_eq!(solved, [true, false, false]);
    }
}
