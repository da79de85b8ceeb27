//! `brier-lab genfens`: random openings as OpenBench asks for them.

use data::GenfensRequest;

use crate::datagen::OpeningArgs;

/// Options of `brier-lab genfens`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many openings.
    count: u64,
    #[command(flatten)]
    openings: OpeningArgs,
}

/// Prints the openings.
#[expect(clippy::print_stdout, reason = "the openings are what the command is for")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let openings = args.openings.load()?;
    let request = GenfensRequest { count: args.count, seed: args.openings.seed(), book: None };
    request.lines(&openings).for_each(|line| println!("{line}"));
    Ok(())
}
