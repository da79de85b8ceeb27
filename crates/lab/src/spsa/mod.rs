//! `brier-lab spsa`: tunes the numbers of the search by games.
//!
//! Each step moves all chosen parameters a little at once, each up or down at random, and lets the
//! engine so changed play a pair of games against the engine changed the other way. Whoever wins
//! pulls the values a little to its side (simultaneous perturbation stochastic approximation).
//!
//! ```text
//! Plan (which, how far) ──▶ State: values ──▶ a pair of games ──▶ State: new values ──▶ file
//! ```

mod plan;
mod state;

use std::path::PathBuf;

use anyhow::ensure;

use crate::pairs::{PairArgs, Study};
use plan::{Plan, Schedule};
use state::State;

/// Options of `brier-lab spsa`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Parameters to tune: names, or beginnings of names with a star, separated by commas.
    #[arg(long, value_name = "NAMES", default_value = "*", value_delimiter = ',')]
    tune: Vec<String>,
    /// Parameters to leave alone, written in the same way.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    skip: Vec<String>,
    /// Where the values are kept; a run found there goes on.
    #[arg(short, long)]
    output: PathBuf,
    /// How far a won pair pulls at the end of the run, as a share of the parameter's step.
    #[arg(long, default_value_t = 0.006)]
    pull: f64,
    #[command(flatten)]
    pairs: PairArgs,
}

/// A run.
struct Spsa<'a> {
    output: &'a PathBuf,
    plan: Plan,
    state: State,
}

/// Tunes until enough pairs have been played.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.pull > 0.0 && args.pull < 1.0, "--pull: expected 0 to 1, got {}", args.pull);
    let schedule = Schedule { pairs: args.pairs.pairs, pull: args.pull };
    let plan = Plan::new(&args.tune, &args.skip, schedule)?;
    let state = State::load(&args.output, &plan)?;
    let spsa = args.pairs.play(Spsa { output: &args.output, plan, state })?;
    show(&spsa.plan, &spsa.state);
    Ok(())
}

impl Study for Spsa<'_> {
    fn names(&self) -> Vec<String> {
        self.plan.parameters.iter().map(|parameter| parameter.name.to_owned()).collect()
    }

    fn begun(&mut self) -> &mut u64 {
        &mut self.state.begun
    }

    fn done(&self) -> u64 {
        self.state.pairs
    }

    fn values(&self, pair: u64, signs: &[f64]) -> [Vec<String>; 2] {
        let tried = self.plan.tried(&self.state.values, signs, pair);
        tried.map(|values| values.iter().map(i32::to_string).collect())
    }

    fn learn(&mut self, pair: u64, signs: &[f64], points: i32) {
        self.state.learn(&self.plan, signs, pair, points);
    }

    fn save(&self) -> anyhow::Result<()> {
        self.state.save(self.output, &self.plan)
    }

    fn message(&self) -> String {
        self.plan.furthest(&self.state.values)
    }
}

/// The values found, beside those the engine is built with.
#[expect(clippy::print_stdout, reason = "what the command was run for")]
fn show(plan: &Plan, state: &State) {
    println!("{:<28} {:>8} {:>8}", "parameter", "built in", "found");
    for (parameter, value) in plan.parameters.iter().zip(&state.values) {
        println!("{:<28} {:>8} {:>8.0}", parameter.name, parameter.default, value);
    }
    println!("after {} pairs, {} of them decided", state.pairs, state.decided);
}
