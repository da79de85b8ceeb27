//! `brier-lab import`: engine games in PGN become training games.

use std::path::PathBuf;

/// Options of `brier-lab import`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// PGN files, or folders with them.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

/// Reads all games of the inputs.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    anyhow::bail!("cannot read {} inputs yet", args.inputs.len())
}
