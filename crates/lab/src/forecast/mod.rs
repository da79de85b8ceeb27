//! `brier-lab forecast`: collect pairs of a short search and a long one, fit the model that
//! foresees the long one from the short one, and report how well it does.
//!
//! After a change of the network or the search, once: `collect`, `fit`, `report`, as
//! `docs/quantiles.md` has them.

mod boost;
mod collect;
mod correct;
mod fit;
mod judge;
mod lines;
mod marks;
mod positions;
mod report;
mod sample;
mod sure;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Subcommand;
use forecast::Model;

use sample::{Part, Sample};

/// What a model is judged or corrected by.
#[derive(clap::Args)]
struct Given {
    /// Files of `forecast collect`
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// The model; the shipped one if none is named
    #[arg(long)]
    model: Option<PathBuf>,
}

impl Given {
    /// The samples of one part.
    fn samples(&self, part: Part) -> anyhow::Result<Vec<Sample>> {
        let mut samples = sample::read(&self.samples)?;
        samples.retain(|sample| sample.part() == part);
        Ok(samples)
    }

    fn model(&self) -> anyhow::Result<Arc<Model>> {
        let read = self.model.as_deref().map(read_model).transpose()?;
        Ok(read.map_or_else(Model::embedded, Arc::new))
    }
}

fn read_model(path: &Path) -> anyhow::Result<Model> {
    let context = || format!("cannot read the model {}", path.display());
    let bytes = std::fs::read(path).with_context(context)?;
    Model::from_bytes(&bytes).with_context(context)
}

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Take a position of each game, of players whose games no training has seen, to collect at.
    Positions(positions::Args),
    /// Search positions for a while and then 64 times as long, and write down what each search
    /// knew. Goes on where an earlier run stopped.
    Collect(collect::Args),
    /// Fit the model to such pairs and write its file.
    Fit(fit::Args),
    /// Correct a model's bands and confidence by pairs of the search as it is now; its trees stay.
    Correct(correct::Args),
    /// Judge a model on pairs that its fit has not seen.
    Report(report::Args),
    /// Judge the bands and confidences of several lines.
    Lines(lines::Args),
    /// Review games and see whether the marks hold in searches 64 times as long, and in a second
    /// review that is a tenth longer.
    Marks(marks::Args),
    /// See what it saves to think until sure, and which moves that changes.
    Sure(sure::Args),
}

pub(crate) fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Positions(args) => positions::run(args),
        Command::Collect(args) => collect::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Correct(args) => correct::run(args),
        Command::Report(args) => report::run(args),
        Command::Lines(args) => lines::run(args),
        Command::Marks(args) => marks::run(args),
        Command::Sure(args) => sure::run(args),
    }
}
