//! The files of games that a command is given.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use pgn::{Game, Reader};

/// Where games come from.
#[derive(clap::Args)]
pub(crate) struct PgnFiles {
    /// PGN files, or folders of them.
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

impl PgnFiles {
    /// See [`find`].
    pub(crate) fn find(&self) -> anyhow::Result<Vec<PathBuf>> {
        find(&self.games)
    }

    /// Calls `take` with each game.
    pub(crate) fn for_each(
        &self,
        mut take: impl FnMut(Game) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for path in self.find()? {
            let context = || format!("cannot read {}", path.display());
            for game in Reader::new(File::open(&path).with_context(context)?).games() {
                take(game.with_context(context)?)?;
            }
        }
        Ok(())
    }
}

/// These files, and the `.pgn` files of these folders, in the order of their names.
pub(crate) fn find(inputs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for input in inputs {
        let context = || format!("cannot read {}", input.display());
        found.extend(files::find(input, "pgn").with_context(context)?);
    }
    ensure!(!found.is_empty(), "expected PGN files or folders with some, found none");
    found.sort();
    Ok(found)
}
