//! `brier-lab genfens`: random openings as OpenBench asks for them.
//!
//! OpenBench starts data generation by asking for N openings with a seed and reads lines that
//! begin with `info string genfens`.

use data::Rng;

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
    for number in 0..args.count {
        let board = openings.draw(&mut Rng::stream(args.openings.seed(), number));
        println!("info string genfens {board}");
    }
    Ok(())
}
