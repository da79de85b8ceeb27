//! The steps of a long run: one list, run to its end whatever fails, and the table that sums it up.

use std::time::{Duration, Instant};

use crate::need::{self, Need};

/// How much a run does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What every change must pass.
    Usual,
    /// The long tests as well.
    Full,
}

/// How a step ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It did its work and found nothing wrong.
    Passed,
    /// It was meant to do its work, all of it, and could not; the reason is for the reader.
    NotRun(String),
    /// It found something wrong.
    Failed(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Self {
        match result {
            Ok(()) => Outcome::Passed,
            Err(reason) => Outcome::Failed(reason),
        }
    }
}

/// One step.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    name: &'static str,
    /// Without these it cannot run.
    needs: &'static [Need],
    /// Without these it runs in part.
    uses: &'static [Need],
    least: Depth,
    run: fn(Depth) -> Outcome,
}

impl Step {
    /// A step that needs nothing and is part of every run.
    pub(crate) const fn new(name: &'static str, run: fn(Depth) -> Outcome) -> Step {
        Step { name, needs: &[], uses: &[], least: Depth::Usual, run }
    }

    /// It cannot run without these.
    pub(crate) const fn needs(self, needs: &'static [Need]) -> Step {
        Step { needs, ..self }
    }

    /// It leaves something out without these.
    pub(crate) const fn uses(self, uses: &'static [Need]) -> Step {
        Step { uses, ..self }
    }

    /// It is part of full runs only.
    pub(crate) const fn full(self) -> Step {
        Step { least: Depth::Full, ..self }
    }

    fn outcome(&self, depth: Depth) -> Outcome {
        if let Some(missing) = need::missing(self.needs) {
            return Outcome::NotRun(format!("without {missing}"));
        }
        let outcome = (self.run)(depth);
        match need::missing(self.uses) {
            Some(missing) if outcome == Outcome::Passed => {
                Outcome::NotRun(format!("in part: without {missing}"))
            }
            _ => outcome,
        }
    }
}

/// The steps of a run of this depth.
pub(crate) fn chosen(steps: &[Step], depth: Depth) -> Vec<Step> {
    steps.iter().copied().filter(|step| step.least == Depth::Usual || step.least == depth).collect()
}

/// Everything that some steps need or use, each once.
pub(crate) fn all_needs(steps: &[Step]) -> Vec<Need> {
    let mut needs = Vec::new();
    for &need in steps.iter().flat_map(|step| step.needs.iter().chain(step.uses)) {
        if !needs.contains(&need) {
            needs.push(need);
        }
    }
    needs
}

struct Row {
    name: &'static str,
    outcome: Outcome,
    time: Duration,
}

/// Runs all the steps and prints the table. The error counts those that failed; if `strict`,
/// those that could not run count as well.
pub(crate) fn run(steps: &[Step], depth: Depth, strict: bool) -> Result<(), String> {
    let begin = Instant::now();
    let mut rows = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let minutes = begin.elapsed().as_secs_f64() / 60.0;
        println!("\n== {} of {}: {} (after {minutes:.1} min)", index + 1, steps.len(), step.name);
        let start = Instant::now();
        let outcome = step.outcome(depth);
        match &outcome {
            Outcome::Passed => {}
            Outcome::NotRun(reason) => println!("{} not run: {reason}", step.name),
            Outcome::Failed(reason) => eprintln!("{} failed: {reason}", step.name),
        }
        rows.push(Row { name: step.name, outcome, time: start.elapsed() });
    }
    let (text, verdict) = summary(&rows, strict);
    print!("\n{text}");
    verdict
}

/// The table, what was not run below it, and whether the run is good.
fn summary(rows: &[Row], strict: bool) -> (String, Result<(), String>) {
    let mut text = format!("{:<14} {:>8}  result\n", "step", "time");
    let mut not_run = String::new();
    let (mut failures, mut gaps) = (0, 0);
    for row in rows {
        let result = match &row.outcome {
            Outcome::Passed => "ok".to_owned(),
            Outcome::NotRun(reason) => {
                gaps += 1;
                not_run += &format!("NOT RUN: {}, {reason}\n", row.name);
                "NOT RUN".to_owned()
            }
            Outcome::Failed(reason) => {
                failures += 1;
                format!("FAILED: {}", reason.lines().next().unwrap_or_default())
            }
        };
        text += &format!("{:<14} {:>6.1} s  {result}\n", row.name, row.time.as_secs_f64());
    }
    let total: Duration = rows.iter().map(|row| row.time).sum();
    text += &format!("{:<14} {:>6.1} s\n{not_run}", "total", total.as_secs_f64());
    let count = rows.len();
    let verdict = match (failures, gaps) {
        (0, 0) => Ok(()),
        (0, _) if !strict => Ok(()),
        (0, _) => Err(format!("{gaps} of {count} steps were not run, and CI=true wants all")),
        _ => Err(format!("{failures} of {count} steps failed, {gaps} were not run")),
    };
    (text, verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: Need = Need::Program { name: "no-such-program", package: "nothing" };

    fn row(outcome: Outcome) -> Row {
        Row { name: "neon", outcome, time: Duration::ZERO }
    }

    #[test]
    fn a_step_that_could_not_run_is_in_the_last_lines_and_fails_a_strict_run() {
        let rows = [row(Outcome::NotRun("without qemu".into())), row(Outcome::Passed)];
        let (text, verdict) = summary(&rows, false);
        assert!(text.ends_with("NOT RUN: neon, without qemu\n"), "{text}");
        assert_eq!(verdict, Ok(()));
        assert!(summary(&rows, true).1.unwrap_err().contains("1 of 2 steps were not run"));
    }

    #[test]
    fn a_failure_is_an_error() {
        let rows = [row(Outcome::Failed("no\nmore".into()))];
        let (text, verdict) = summary(&rows, false);
        assert!(text.contains("FAILED: no\n"), "{text}");
        assert!(verdict.is_err());
        assert_eq!(summary(&[row(Outcome::Passed)], true).1, Ok(()));
    }

    #[test]
    fn a_missing_need_stops_a_step_and_a_missing_use_cuts_it_short() {
        let never = Step::new("never", |_| panic!("it ran")).needs(&[NOWHERE]);
        assert!(matches!(never.outcome(Depth::Usual), Outcome::NotRun(_)));
        let part = Step::new("part", |_| Outcome::Passed).uses(&[NOWHERE]);
        assert!(matches!(part.outcome(Depth::Usual), Outcome::NotRun(_)));
        let bad = Step::new("bad", |_| Outcome::Failed("x".into())).uses(&[NOWHERE]);
        assert_eq!(bad.outcome(Depth::Usual), Outcome::Failed("x".into()));
    }

    #[test]
    fn full_steps_belong_to_full_runs() {
        let steps = [
            Step::new("a", |_| Outcome::Passed),
            Step::new("b", |_| Outcome::Passed).full().needs(&[NOWHERE]),
        ];
        assert_eq!(chosen(&steps, Depth::Usual).len(), 1);
        assert!(all_needs(&chosen(&steps, Depth::Usual)).is_empty());
        assert!(all_needs(&chosen(&steps, Depth::Full)) == [NOWHERE]);
    }
}
