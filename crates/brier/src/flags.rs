//! The flags of commands that search positions one after the other: with what, and how long.

use std::time::Duration;

use clap::Args;
use clap::builder::RangedI64ValueParser;
use engine::options::Row;
use engine::{Builder, Engine, Limits};

/// How long to think about each position.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct LimitArguments {
    /// Milliseconds for each position; without any limit 1000 in suites
    #[arg(long, value_name = "MS")]
    pub(crate) movetime: Option<u64>,
    /// Nodes for each position; without any limit 100,000 in games, a million with --fen
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
    /// Less than that if the engine is this sure of its move, in percent
    #[arg(long, value_name = "PERCENT")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) until_sure: Option<u16>,
}

impl LimitArguments {
    /// All limits that are given, or the usual milliseconds if there are none.
    pub(crate) fn limits(&self, usual_ms: u64) -> Limits {
        let &Self { movetime, nodes, depth, until_sure } = self;
        let unlimited = nodes.is_none() && depth.is_none();
        let move_time = movetime.or(unlimited.then_some(usual_ms)).map(Duration::from_millis);
        let sure = until_sure.map(|percent| 10 * percent);
        Limits { depth, nodes, move_time, sure, ..Limits::default() }
    }
}

/// Megabytes of a table if nothing is said.
const USUAL_HASH: usize = 64;

/// What to think with.
#[derive(Args, Clone)]
pub(crate) struct EngineArguments {
    /// Threads to search with, usually 1; `analyze` searches as many games or positions at once, one
    /// for each core if nothing is said
    #[arg(long, value_name = "N")]
    #[arg(value_parser = number_of("Threads"))]
    pub(crate) threads: Option<u16>,
    /// Size of the table of a search in megabytes, usually 64; in `analyze` 16 for each game
    #[arg(long, value_name = "MB")]
    pub(crate) hash: Option<usize>,
    /// The evaluator, as the option EvalFile names it
    #[arg(long, default_value = "<default>", value_name = "FILE")]
    pub(crate) eval_file: String,
    /// Folders with Syzygy tablebases, separated as in PATH
    #[arg(long, value_name = "PATH")]
    pub(crate) syzygy: Option<String>,
    /// Any other option of the engine, as NAME=VALUE; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub(crate) options: Vec<(String, String)>,
}

/// Reads a number that is within the bounds of an option.
pub(crate) fn number_of(option: &str) -> RangedI64ValueParser<u16> {
    let bounds = Row::find(option).and_then(Row::bounds);
    RangedI64ValueParser::new().range(bounds.unwrap_or(0..=i64::from(u16::MAX)))
}

/// Splits `NAME=VALUE`.
fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, got no =")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

impl EngineArguments {
    /// The threads of one search.
    pub(crate) fn threads(&self) -> u16 {
        self.threads.unwrap_or(1)
    }

    /// The megabytes of one search's table.
    pub(crate) fn hash(&self) -> usize {
        self.hash.unwrap_or(USUAL_HASH)
    }

    /// Loads the evaluator and starts the threads.
    pub(crate) fn engine(&self) -> Result<Engine, String> {
        let builder = Engine::builder().threads(usize::from(self.threads())).hash_mb(self.hash());
        self.build(builder)
    }

    /// Engines of one thread each that share what can be shared; for many searches at once.
    pub(crate) fn engines(&self, count: usize, hash: usize) -> Result<Vec<Engine>, String> {
        let first = self.build(Engine::builder().hash_mb(hash))?;
        let source = first.source().clone();
        let others = (1..count)
            .map(|_| self.build(Engine::builder().hash_mb(hash).evaluator(source.clone())));
        std::iter::once(Ok(first)).chain(others).collect()
    }

    fn build(&self, mut builder: Builder) -> Result<Engine, String> {
        builder = builder.option("EvalFile", &self.eval_file);
        if let Some(folders) = &self.syzygy {
            builder = builder.option("SyzygyPath", folders);
        }
        for (name, value) in &self.options {
            builder = builder.option(name, value);
        }
        builder.build().map_err(|error| error.to_string())
    }

    /// One thread, a small table, the usual network.
    #[cfg(test)]
    pub(crate) fn test() -> Self {
        Self {
            threads: None,
            hash: Some(1),
            eval_file: "<default>".to_owned(),
            syzygy: None,
            options: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_time_only_without_another_limit() {
        let none = LimitArguments::default();
        assert_eq!(none.limits(200).move_time, Some(Duration::from_millis(200)));
        let nodes = LimitArguments { nodes: Some(7), ..none };
        assert_eq!((nodes.limits(200).nodes, nodes.limits(200).move_time), (Some(7), None));
        let both = LimitArguments { movetime: Some(5), depth: Some(3), ..none };
        let limits = both.limits(200);
        assert_eq!((limits.move_time, limits.depth), (Some(Duration::from_millis(5)), Some(3)));
    }

    #[test]
    fn an_engine_says_why_it_does_not_start() {
        let wrong =
            EngineArguments { eval_file: "no/such.nnue".to_owned(), ..EngineArguments::test() };
        let reason = wrong.engine().err().unwrap();
        assert!(reason.starts_with("EvalFile: no/such.nnue: expected a network file"), "{reason}");
    }

    #[test]
    fn numbers_have_the_bounds_of_their_options() {
        for (option, most) in [("Threads", 1024), ("MultiPV", 500)] {
            assert_eq!(Row::find(option).and_then(Row::bounds), Some(1..=most), "{option}");
        }
    }

    #[test]
    fn any_option_can_be_given() {
        let with = |text: &str| {
            let options = vec![name_and_value(text).unwrap()];
            EngineArguments { options, ..EngineArguments::test() }.engine()
        };
        assert_eq!(with("Risk=-50").unwrap().options().risk, -50);
        assert_eq!(with("Risk=-500").err().unwrap(), "Risk: expected -100 to 100, got \"-500\"");
        assert!(name_and_value("Risk").is_err());
    }
}
