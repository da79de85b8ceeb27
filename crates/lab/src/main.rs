//! `brier-lab`: makes training data, trains, calibrates and tunes. One module per command.
//!
//! A command is a module with `Args` (its options, by `clap`) and `run(&Args)`. To add one, add a
//! module, a line in [`Command`] and a line in `main`.

mod calibrate;
mod chances;
mod datagen;
mod explore;
mod forecast;
mod genfens;
mod import;
mod inspect;
mod judge;
mod pairs;
mod people_net;
mod pgn_files;
mod pocket_book;
mod pocket_tune;
mod policy;
mod progress;
mod regression;
mod scatter;
mod screen;
mod shuffle;
mod spsa;
mod statistics;
mod strong_games;
mod svg;
mod train;
mod tune;
mod workers;
mod zero;

use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

/// The workshop of Brier: make data, train, calibrate, tune.
#[derive(Parser)]
#[command(name = "brier-lab", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let an engine play games against itself.
    Datagen(datagen::Args),
    /// Print random openings, as OpenBench asks for them.
    Genfens(genfens::Args),
    /// Turn engine games in PGN, with scores in the comments, into viriformat.
    Import(import::Args),
    /// Train a network on prepared positions.
    Train(train::Args),
    /// Say what is in files of games, and check every move.
    Inspect(inspect::Args),
    /// Take positions of PGN games and positions beside them, to be scored later.
    Scatter(scatter::Args),
    /// Take positions that short searches judge, to be scored later.
    Explore(explore::Args),
    /// Turn games into records for the trainer, in random order.
    Shuffle(shuffle::Args),
    /// Measure how honest a network's doubt is, on held-out games.
    Calibrate(calibrate::Args),
    /// Fit and judge the model that foresees longer searches.
    #[command(subcommand)]
    Forecast(forecast::Command),
    /// Fit and judge the chances of win, draw and loss.
    #[command(subcommand)]
    Chances(chances::Command),
    /// Train a network from random weights by its own games, generation by generation.
    Zero(zero::Args),
    /// Measure a network's static judgement by a file of deep searches.
    Judge(judge::Args),
    /// Write the network of a training checkpoint.
    Quantise(train::finish::Args),
    /// Write a checkpoint to train on from, of a network.
    Dequantise(train::dequantise::Args),
    /// Write the mean of several training checkpoints.
    Blend(train::blend::Args),
    /// Give a training checkpoint more lanes, with the same judgement.
    Widen(train::grow::WidenArgs),
    /// Give a training checkpoint more king buckets, with the same judgement.
    SplitKingBuckets(train::grow::SplitArgs),
    /// Fit the pocket engine's weights to scored games and write its `weights.rs`.
    PocketTune(pocket_tune::Args),
    /// Tune the classical evaluation's weights on positions with known results.
    Tune(tune::Args),
    /// Tune the numbers of the search by games of the engine against itself.
    Spsa(spsa::Args),
    /// Find out what each of many changes of the search is worth, by games of all at once.
    Screen(screen::Args),
    /// Turn PGN games into token records for the trainer of the root policy.
    PolicyData(policy::data::Args),
    /// Say how often the root policy finds the move played in held-out games.
    PolicyAccuracy(policy::accuracy::Args),
    /// Write the checksum into the file of a root policy.
    PolicySeal(policy::seal::Args),
    /// Collect people's games with their ratings from PGN files.
    PeopleData(people_net::data::Args),
    /// Train the network that foresees people's moves.
    PeopleTrain(people_net::train::Args),
    /// Say how often that network is right, and what it thinks of puzzles.
    PeopleJudge(people_net::judge::Args),
    /// Say how likely a player of a given rating finds the engine's move.
    PeopleFind(people_net::find::Args),
    /// Compare levels with people of their rating.
    PeopleLevels(people_net::levels::Args),
    /// Build the pocket engine's opening book from a book in Polyglot's format.
    PocketBook(pocket_book::Args),
}

#[expect(clippy::print_stderr, reason = "the one place where a failed command is reported")]
fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("brier-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Carries a command out that is made of others: the words are those of the command line.
fn call(words: &[&str]) -> anyhow::Result<()> {
    let program = std::iter::once(&"brier-lab");
    run(Cli::try_parse_from(program.chain(words)).context("a step of a longer command")?.command)
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Datagen(args) => datagen::run(&args),
        Command::Genfens(args) => genfens::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Train(args) => train::run(&args).map_err(anyhow::Error::msg),
        Command::Inspect(args) => inspect::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Scatter(args) => scatter::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Shuffle(args) => shuffle::run(&args),
        Command::Calibrate(args) => calibrate::run(&args),
        Command::Forecast(command) => forecast::run(&command),
        Command::Chances(command) => chances::run(&command),
        Command::Quantise(args) => train::finish::run(&args).map_err(anyhow::Error::msg),
        Command::Blend(args) => train::blend::run(&args).map_err(anyhow::Error::msg),
        Command::Dequantise(args) => train::dequantise::run(&args),
        Command::Widen(args) => train::grow::run_widen(&args).map_err(anyhow::Error::msg),
        Command::SplitKingBuckets(args) => {
            train::grow::run_split(&args).map_err(anyhow::Error::msg)
        }
        Command::PocketTune(args) => pocket_tune::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Spsa(args) => spsa::run(&args),
        Command::Screen(args) => screen::run(&args),
        Command::PolicyData(args) => policy::data::run(&args),
        Command::PolicyAccuracy(args) => policy::accuracy::run(&args),
        Command::PolicySeal(args) => policy::seal::run(&args),
        Command::PeopleData(args) => people_net::data::run(&args),
        Command::PeopleTrain(args) => people_net::train::run(&args),
        Command::PeopleJudge(args) => people_net::judge::run(&args),
        Command::PeopleFind(args) => people_net::find::run(&args),
        Command::PeopleLevels(args) => people_net::levels::run(&args),
        Command::PocketBook(args) => pocket_book::run(&args),
        Command::Zero(args) => zero::run(&args),
    }
}
