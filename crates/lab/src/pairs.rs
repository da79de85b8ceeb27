//! Pairs of games of an engine against itself, each player with other values of its options: what
//! [`crate::spsa`] and [`crate::screen`] share.
//!
//! A [`Study`] says what both players of a pair are to have and learns from the result. Who does what
//! is drawn at random from the seed and the number of the pair alone.

use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use anyhow::ensure;
use chess::Rng;

use crate::datagen::GameArgs;
use crate::datagen::clock::Control;
use crate::datagen::duel::Duel;
use crate::datagen::play::Pace;
use crate::datagen::uci::UciPlayer;
use crate::{progress, workers};

/// Options that all such commands have.
#[derive(clap::Args)]
pub(crate) struct PairArgs {
    /// The engine, built with `--features tune`: program and arguments.
    #[arg(long, value_name = "CMD")]
    engine: String,
    /// An option of the engine for all games, as Name=Value; may be given more than once.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Pairs of games in all.
    #[arg(short, long, default_value_t = 10_000)]
    pub(crate) pairs: u64,
    /// Stop after this many minutes; a later run goes on.
    #[arg(long)]
    minutes: Option<f64>,
    /// Nodes a move.
    #[arg(short, long, default_value_t = 5000)]
    nodes: u64,
    /// Play by a time control that is counted in nodes instead: base and increment.
    #[arg(long, value_name = "NODES+NODES", conflicts_with = "nodes")]
    clock: Option<Control>,
    /// How many pairs to play at once; each takes one thread.
    #[arg(short, long, default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    common: GameArgs,
}

/// What is found out by pairs of games.
pub(crate) trait Study: Send {
    /// The options that differ between the players.
    fn names(&self) -> Vec<String>;
    /// Pairs begun, the ones under way included.
    fn begun(&mut self) -> &mut u64;
    /// Pairs played to the end.
    fn done(&self) -> u64;
    /// The values of both players in a pair, for signs of 1 and -1, one for each name.
    fn values(&self, pair: u64, signs: &[f64]) -> [Vec<String>; 2];
    /// A pair is over; `points` from -2 (the second player won both games) to 2.
    fn learn(&mut self, pair: u64, signs: &[f64], points: i32);
    /// Keeps what has been learnt.
    fn save(&self) -> anyhow::Result<()>;
    /// How it stands, for the progress bar.
    fn message(&self) -> String;
}

impl PairArgs {
    /// Plays until there are enough pairs or no more time. What was learnt is saved now and then, and at the end.
    pub(crate) fn play<S: Study>(&self, study: S) -> anyhow::Result<S> {
        ensure!(self.threads > 0, "expected at least one thread, got 0");
        ensure!(self.pairs > 0, "expected at least one pair, got 0");
        let names = study.names();
        let bar = progress::counter("pairs", self.pairs).with_position(study.done());
        bar.reset_eta();
        let openings = self.common.openings.load()?;
        let deadline = workers::deadline(self.minutes)?;
        let study = Mutex::new(study);
        let outcome = workers::work(self.threads, || {
            let mut duel = Duel::new([self.start(&names)?, self.start(&names)?]);
            let pace = Pace { nodes: self.nodes, rules: self.common.rules };
            while let Some(pair) = self.next_pair(&study, deadline) {
                let mut rng = Rng::stream(self.common.openings.seed(), pair);
                let signs = signs(&mut rng, names.len());
                let values = lock(&study).values(pair, &signs);
                set(&mut duel, &names, &values)?;
                let start = openings.draw(&mut rng);
                let points = duel.pair(&start, &pace)?.into_iter().sum();

                let mut study = lock(&study);
                study.learn(pair, &signs, points);
                if study.done().is_multiple_of(20) {
                    study.save()?;
                }
                bar.set_position(study.done());
                bar.set_message(study.message());
            }
            Ok(())
        });
        bar.finish();
        let study = study.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if study.done() > 0 {
            study.save()?;
        }
        outcome.map(|()| study)
    }

    /// The number of the next pair, unless it is time to end.
    fn next_pair<S: Study>(&self, study: &Mutex<S>, deadline: Option<Instant>) -> Option<u64> {
        let mut study = lock(study);
        let begun = study.begun();
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        (!late && *begun < self.pairs).then(|| {
            *begun += 1;
            *begun - 1
        })
    }

    /// Starts a player and sees that it offers every option.
    fn start(&self, names: &[String]) -> anyhow::Result<UciPlayer> {
        let mut player = UciPlayer::start(&self.engine, self.common.hash, &self.options)?;
        if let Some(control) = self.clock {
            player.use_clock(control)?;
        }
        for name in names {
            ensure!(
                player.offers(name),
                "expected an engine with the option {name}, got none: was it built with \
                 `--features tune` from these sources?"
            );
        }
        Ok(player)
    }
}

/// As many signs of 1 and -1, drawn at random.
pub(crate) fn signs(rng: &mut Rng, count: usize) -> Vec<f64> {
    (0..count).map(|_| if rng.chance(0.5) { 1.0 } else { -1.0 }).collect()
}

/// A thread that broke down has left whole values behind.
fn lock<S>(study: &Mutex<S>) -> MutexGuard<'_, S> {
    study.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Gives each player its values.
fn set(
    duel: &mut Duel<UciPlayer>,
    names: &[String],
    values: &[Vec<String>; 2],
) -> anyhow::Result<()> {
    for (player, values) in duel.players_mut().iter_mut().zip(values) {
        for (name, value) in names.iter().zip(values) {
            player.set_option(name, value)?;
        }
    }
    Ok(())
}
