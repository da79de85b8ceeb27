//! The values of a run and the file they are kept in.
//!
//! ```text
//! pairs 1240 decided 803
//! rfp_margin 78.314
//! …
//! ```

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::plan::Plan;

/// How far a run has come.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// Pairs begun, the ones under way included.
    pub(crate) begun: u64,
    /// Pairs played to the end.
    pub(crate) pairs: u64,
    /// Pairs that one side won.
    pub(crate) decided: u64,
    /// A value for each parameter of the plan.
    pub(crate) values: Vec<f64>,
}

impl State {
    /// Reads the file, or starts with the values the engine is built with if there is none.
    pub(crate) fn load(path: &Path, plan: &Plan) -> anyhow::Result<Self> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text, plan)
                .with_context(|| format!("cannot go on with {}", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let values = plan.parameters.iter().map(|p| f64::from(p.default)).collect();
                Ok(Self { begun: 0, pairs: 0, decided: 0, values })
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    fn parse(text: &str, plan: &Plan) -> anyhow::Result<Self> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let words: Vec<_> = first.split_whitespace().collect();
        let ["pairs", pairs, "decided", decided] = words[..] else {
            bail!("expected a first line like \"pairs 12 decided 7\", got {first:?}");
        };
        let number = |word: &str| word.parse().with_context(|| format!("a count, got {word:?}"));
        let (pairs, decided) = (number(pairs)?, number(decided)?);
        let mut values = Vec::new();
        for parameter in &plan.parameters {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix(parameter.name).and_then(|rest| rest.trim().parse().ok());
            let value: f64 = value.with_context(|| {
                format!("expected a value of {}, got {line:?}: other parameters?", parameter.name)
            })?;
            let bounds = f64::from(parameter.min)..=f64::from(parameter.max);
            ensure!(bounds.contains(&value), "{} {value} is out of bounds", parameter.name);
            values.push(value);
        }
        if let Some(line) = lines.find(|line| !line.trim().is_empty()) {
            bail!("expected nothing more, got {line:?}: other parameters?");
        }
        Ok(Self { begun: pairs, pairs, decided, values })
    }

    /// Writes beside the file and renames, so that a kill leaves the old one or the new one.
    pub(crate) fn save(&self, path: &Path, plan: &Plan) -> anyhow::Result<()> {
        files::replace(path, self.text(plan).as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn text(&self, plan: &Plan) -> String {
        let mut text = format!("pairs {} decided {}\n", self.pairs, self.decided);
        for (parameter, value) in plan.parameters.iter().zip(&self.values) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{} {value:.3}", parameter.name);
        }
        text
    }

    /// A pair is over.
    pub(crate) fn learn(&mut self, plan: &Plan, signs: &[f64], pair: u64, points: i32) {
        plan.learn(&mut self.values, signs, pair, points);
        self.pairs += 1;
        self.decided += u64::from(points != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Schedule;
    use super::*;

    fn plan() -> Plan {
        let names = ["rfp_margin".to_owned(), "doubt_rfp".to_owned()];
        Plan::new(&names, &[], Schedule { pairs: 9, pull: 0.1 }).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let plan = plan();
        let mut state = State { begun: 4, pairs: 3, decided: 1, values: vec![80.5, 33.125] };
        state.learn(&plan, &[1.0, -1.0], 3, 0);
        assert_eq!(State::parse(&state.text(&plan), &plan).unwrap(), state);
    }

    #[test]
    fn files_of_other_runs_are_refused() {
        let plan = plan();
        for (text, reason) in [
            ("", "first line"),
            ("pairs x decided 1\n", "a count"),
            ("pairs 1 decided 1\nrfp_margin 80\n", "doubt_rfp"),
            ("pairs 1 decided 1\nrfp_margin 80\ndoubt_rfp many\n", "doubt_rfp"),
            ("pairs 1 decided 1\nrfp_margin 1e9\ndoubt_rfp 40\n", "out of bounds"),
            ("pairs 1 decided 1\nrfp_margin 80\ndoubt_rfp 40\nlmp_base 3\n", "nothing more"),
        ] {
            let error = State::parse(text, &plan).unwrap_err().to_string();
            assert!(error.contains(reason), "{text:?}: {error}");
        }
    }
}
