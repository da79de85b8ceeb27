//! `brier-lab chances`: how games end that stand like this, and what the engine says about it.
//!
//! `collect` takes positions of finished games and searches them; `fit` finds the curves of
//! `eval::Chances` that make the results likeliest; `report` holds what is said against what came.

mod collect;
mod fit;
mod report;
mod sample;

use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Search positions of finished games of one time control and write down score, band and the game's result. Goes
    /// on where an earlier run stopped.
    Collect(collect::Args),
    /// Fit the curves to such positions and print them; every fourth game is left out.
    Fit(fit::Args),
    /// Compare the chances that the engine gives with how the games that the fit left out ended.
    Report(report::Args),
}

pub(crate) fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Collect(args) => collect::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Report(args) => report::run(args),
    }
}
