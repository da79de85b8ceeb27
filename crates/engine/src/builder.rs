//! Setting up an engine.

use std::fmt;

use search::EngineError;
use simd::Kernels;

use crate::options::{OptionError, Options, Row};
use crate::{Engine, Source};

/// Collects what an engine is to have; see [`Engine::builder`].
#[derive(Clone)]
#[must_use]
pub struct Builder {
    options: Vec<(String, String)>,
    source: Option<Source>,
    kernels: &'static Kernels,
}

/// Why there is no engine.
#[derive(Debug)]
pub enum BuildError {
    /// An option was refused.
    Option(OptionError),
    /// No memory for the hash table, or the system did not start all threads.
    Engine(EngineError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(error) => error.fmt(f),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<OptionError> for BuildError {
    fn from(error: OptionError) -> Self {
        Self::Option(error)
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self { options: Vec::new(), source: None, kernels: simd::kernels() }
    }
}

impl Builder {
    /// Sets any option of [`TABLE`](crate::options::TABLE) by its name; the last value counts.
    pub fn option(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.options.push((name.into(), value.to_string()));
        self
    }

    /// The number of threads (`Threads`).
    pub fn threads(self, count: usize) -> Self {
        self.option("Threads", count)
    }

    /// The size of the hash table in megabytes (`Hash`).
    pub fn hash_mb(self, megabytes: usize) -> Self {
        self.option("Hash", megabytes)
    }

    /// How many best lines to find (`MultiPV`).
    pub fn lines(self, count: usize) -> Self {
        self.option("MultiPV", count)
    }

    /// An evaluator that is already in memory, shared rather than loaded again.
    pub fn evaluator(mut self, source: Source) -> Self {
        self.source = Some(source);
        self
    }

    /// Vector kernels of the caller's choice; they change the speed and nothing else.
    pub fn kernels(mut self, kernels: &'static Kernels) -> Self {
        self.kernels = kernels;
        self
    }

    /// Loads what the options name and starts the threads.
    pub fn build(self) -> Result<Engine, BuildError> {
        let mut options = Options::default();
        for (name, value) in &self.options {
            options.store(name, Some(value))?;
        }
        let source = match self.source {
            Some(source) => source,
            None => Source::from_option(&options.eval_file).map_err(|error| {
                let reason = format!("{}: {error}", options.eval_file);
                BuildError::Option(OptionError::Refused { name: "EvalFile", reason })
            })?,
        };
        let mut engine =
            Engine::with_options(options, source, self.kernels).map_err(BuildError::Engine)?;
        // Size, threads and evaluator are there; what else was named is loaded now.
        for name in ["BookFile", "PolicyFile", "SyzygyPath", "MCTS"] {
            let is_named = self.options.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
            if let Some(row) = Row::find(name).filter(|_| is_named) {
                engine.act(row)?;
            }
        }
        Ok(engine)
    }
}
