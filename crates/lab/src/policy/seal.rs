//! `brier-lab policy-seal`: writes the checksum into a model file that has none, or a wrong one.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bitnet::gguf;

/// The file to seal.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The GGUF file; it is replaced
    file: PathBuf,
}

/// Replaces the file by itself with its checksum.
pub(crate) fn run(args: &Args) -> Result<()> {
    let sealed = gguf::seal(&gguf::read_file(&args.file)?)?;
    files::replace(&args.file, &sealed)
        .with_context(|| format!("cannot write {}", args.file.display()))
}
