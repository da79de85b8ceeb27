//! `cargo xtask torture`: faults of the system, made on purpose, around the real binary.
//!
//! Each trial counts its cases and those that were not clean. Clean means: the program ends by
//! itself with a status, not by a signal; what was there before is there still or has been
//! replaced whole; nothing is left beside it. Where a case concerns any UCI engine, Stockfish goes
//! through it as well and is judged by the same rule; its faults are only counted. Limits are set
//! by the shell that starts the program. The numbers in `docs/reliability.md` are printed by this
//! command.

mod book;
mod place;
mod report;
mod session;
mod talk;
mod time;

use std::path::Path;

use self::place::Place;
use crate::need::{Need, STOCKFISH};
use crate::shell;

/// What the trials use besides the engine.
pub(crate) const NEEDS: &[Need] =
    &[STOCKFISH, Need::Program { name: "faketime", package: "faketime" }];

/// What one trial gave.
struct Trial {
    name: &'static str,
    cases: u32,
    faults: Vec<String>,
    /// Cases that Stockfish went through, and its faults.
    stockfish: (u32, u32),
}

/// A trial to be run.
type Run = fn(&Place) -> Result<Trial, String>;

impl Trial {
    fn new(name: &'static str) -> Trial {
        Trial { name, cases: 0, faults: Vec::new(), stockfish: (0, 0) }
    }

    /// Counts one case; an error is a fault.
    fn count(&mut self, case: &str, outcome: Result<(), String>) {
        self.cases += 1;
        if let Err(reason) = outcome {
            self.faults.push(format!("{case}: {reason}"));
        }
    }

    /// A case that both engines go through.
    fn compare(
        &mut self,
        place: &Place,
        case: &str,
        outcome: impl Fn(&Path) -> Result<(), String>,
    ) {
        self.count(case, outcome(&place.brier));
        self.stockfish.0 += 1;
        self.stockfish.1 += u32::from(outcome(&place.stockfish).is_err());
    }

    fn row(&self) -> String {
        let clean = self.cases as usize - self.faults.len();
        let (cases, faults) = self.stockfish;
        let stockfish = if cases > 0 { (cases - faults).to_string() } else { String::new() };
        format!("{:<26} {:>6} {clean:>6} {stockfish:>10}", self.name, self.cases)
    }
}

/// Runs every trial and prints a row for each; the error counts the faults.
pub(crate) fn run() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("expected Linux: the faults are made with its limits".into());
    }
    shell::run(&mut shell::cargo(&["build", "--package", "brier"]))?;
    let place = Place::new()?;
    let trials: [Run; 13] = [
        book::full_disk,
        book::read_only,
        book::killed,
        report::full_disk,
        report::read_only,
        report::killed,
        session::little_memory,
        session::few_descriptors,
        session::malformed,
        session::reader_gone,
        time::stopped,
        time::wall_clock_jumps,
        time::every_clock_jumps,
    ];
    println!("{:<26} {:>6} {:>6} {:>10}", "trial", "cases", "clean", "Stockfish");
    let (mut cases, mut faults) = (0, Vec::new());
    for trial in trials {
        let trial = trial(&place)?;
        println!("{}", trial.row());
        cases += trial.cases;
        faults.extend(trial.faults.iter().map(|fault| format!("{}, {fault}", trial.name)));
    }
    println!("{:<26} {cases:>6} {:>6}", "all", cases as usize - faults.len());
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!("{} cases were not clean:\n{}", faults.len(), faults.join("\n"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_counted_with_its_case() {
        let mut trial = Trial::new("x");
        trial.count("a", Ok(()));
        trial.count("b", Err("broken".into()));
        assert_eq!((trial.cases, &trial.faults), (2, &vec!["b: broken".to_owned()]));
        assert_eq!(trial.row().split_whitespace().collect::<Vec<_>>(), ["x", "2", "1"]);
        trial.stockfish = (3, 2);
        assert_eq!(trial.row().split_whitespace().last(), Some("1"));
    }
}
