//! A list of steps that runs to its end whatever fails, and the table that sums it up.

use std::time::{Duration, Instant};

/// How a step ended.
pub(crate) enum Outcome {
    /// It did its work and found nothing wrong.
    Passed,
    /// It could not or need not do its work; the reason is for the reader.
    Skipped(String),
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

struct Row {
    name: &'static str,
    outcome: Outcome,
    time: Duration,
}

/// The steps run so far.
#[derive(Default)]
pub(crate) struct Steps {
    rows: Vec<Row>,
}

impl Steps {
    /// Runs one step and remembers how it ended.
    pub(crate) fn run<O: Into<Outcome>>(&mut self, name: &'static str, step: impl FnOnce() -> O) {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = step().into();
        if let Outcome::Failed(reason) = &outcome {
            eprintln!("{name} failed: {reason}");
        }
        self.rows.push(Row { name, outcome, time: start.elapsed() });
    }

    /// Prints the table; the error counts the steps that failed.
    pub(crate) fn finish(self) -> Result<(), String> {
        println!("\n{:<12} {:>8}  result", "step", "time");
        let mut failed = 0;
        let mut total = Duration::ZERO;
        for row in &self.rows {
            let result = match &row.outcome {
                Outcome::Passed => "ok".to_owned(),
                Outcome::Skipped(reason) => format!("skipped: {reason}"),
                Outcome::Failed(reason) => {
                    failed += 1;
                    format!("FAILED: {}", reason.lines().next().unwrap_or_default())
                }
            };
            println!("{:<12} {:>6.1} s  {result}", row.name, row.time.as_secs_f64());
            total += row.time;
        }
        println!("{:<12} {:>6.1} s", "total", total.as_secs_f64());
        match failed {
            0 => Ok(()),
            _ => Err(format!("{failed} of {} steps failed", self.rows.len())),
        }
    }
}
