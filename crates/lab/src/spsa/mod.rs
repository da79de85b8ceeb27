//! `brier-lab spsa`: tunes the numbers of the search by games.
//!
//! Each step moves all chosen parameters a little at once, each up or down at random, and lets the
//! engine so changed play a pair of games against the engine changed the other way. Whoever wins
//! pulls the values a little to its side (simultaneous perturbation stochastic approximation).
//!
//! ```text
//! Plan (which, how far) ──▶ State: values ──▶ Duel: a pair of games ──▶ State: new values ──▶ file
//! ```

mod duel;
mod plan;
mod state;

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use anyhow::ensure;
use chess::Rng;
use indicatif::ProgressBar;

use crate::datagen::OpeningArgs;
use crate::datagen::play::Pace;
use crate::datagen::referee::Rules;
use crate::progress;
use crate::workers;
use plan::{Plan, Schedule};
use state::State;

/// Options of `brier-lab spsa`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The engine, built with `--features tune`: program and arguments.
    #[arg(long, value_name = "CMD")]
    engine: String,
    /// An option of the engine for all games, as Name=Value; may be given more than once.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Parameters to tune: names, or beginnings of names with a star, separated by commas.
    #[arg(long, value_name = "NAMES", default_value = "*", value_delimiter = ',')]
    tune: Vec<String>,
    /// Parameters to leave alone, written in the same way.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    skip: Vec<String>,
    /// Where the values are kept; a run found there goes on.
    #[arg(short, long)]
    output: PathBuf,
    /// Pairs of games in all.
    #[arg(short, long, default_value_t = 10_000)]
    pairs: u64,
    /// Stop after this many minutes; a later run goes on.
    #[arg(long)]
    minutes: Option<f64>,
    /// Nodes a move.
    #[arg(short, long, default_value_t = 5000)]
    nodes: u64,
    /// How many pairs to play at once; each takes one thread.
    #[arg(short, long, default_value_t = 1)]
    threads: usize,
    /// Megabytes of hash table for each engine.
    #[arg(long, default_value_t = 8)]
    hash: usize,
    /// How far a won pair pulls at the end of the run, as a share of the parameter's step.
    #[arg(long, default_value_t = 0.006)]
    pull: f64,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    rules: Rules,
}

/// What all threads share.
struct Shared<'a> {
    args: &'a Args,
    plan: Plan,
    openings: data::Openings,
    pace: Pace,
    deadline: Option<Instant>,
    state: Mutex<State>,
    bar: ProgressBar,
}

/// Tunes until enough pairs have been played.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.threads > 0, "expected at least one thread, got 0");
    ensure!(args.pairs > 0, "expected at least one pair, got 0");
    ensure!(args.pull > 0.0 && args.pull < 1.0, "--pull: expected 0 to 1, got {}", args.pull);
    let plan = Plan::new(&args.tune, &args.skip, Schedule { pairs: args.pairs, pull: args.pull })?;
    let state = State::load(&args.output, &plan)?;
    let bar = progress::counter("pairs", args.pairs).with_position(state.pairs);
    bar.reset_eta();
    let shared = Shared {
        args,
        plan,
        openings: args.openings.load()?,
        pace: Pace { nodes: args.nodes, rules: args.rules },
        deadline: workers::deadline(args.minutes)?,
        state: Mutex::new(state),
        bar,
    };
    let outcome = workers::work(args.threads, || play_pairs(&shared));
    shared.bar.finish();
    let state = shared.state();
    if state.pairs > 0 {
        state.save(&args.output, &shared.plan)?;
        show(&shared.plan, &state);
    }
    outcome
}

impl Shared<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that broke down has left whole values behind.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// One thread: pair after pair.
fn play_pairs(shared: &Shared<'_>) -> anyhow::Result<()> {
    let args = shared.args;
    let mut duel = duel::start(&args.engine, args.hash, &args.options, &shared.plan)?;
    loop {
        let late = shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let (number, values) = {
            let mut state = shared.state();
            if late || state.begun >= args.pairs {
                return Ok(());
            }
            let number = state.begun;
            state.begun += 1;
            (number, state.values.clone())
        };
        let mut rng = Rng::stream(args.openings.seed(), number);
        let signs = shared.plan.signs(&mut rng);
        duel::set(&mut duel, &shared.plan, &shared.plan.tried(&values, &signs, number))?;
        let start = shared.openings.draw(&mut rng);
        let points = duel.pair(&start, &shared.pace)?.into_iter().sum();

        let mut state = shared.state();
        state.learn(&shared.plan, &signs, number, points);
        if state.pairs.is_multiple_of(20) {
            state.save(&args.output, &shared.plan)?;
        }
        shared.bar.set_position(state.pairs);
        shared.bar.set_message(shared.plan.furthest(&state.values));
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
