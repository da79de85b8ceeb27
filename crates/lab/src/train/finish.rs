//! `brier-lab quantise`: from a checkpoint to a network file.

use std::fs;
use std::path::{Path, PathBuf};

use data::Record;

use super::checkpoint::Checkpoint;
use super::model::Layout;
use super::quantise::{quantise, verify};

/// Options of `brier-lab quantise`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Checkpoint of a training run
    checkpoint: PathBuf,
    /// Network file to write
    #[arg(long)]
    out: PathBuf,
    /// Name to write into the network
    #[arg(long, default_value = "unnamed")]
    name: String,
    /// The engine's centipawns of one unit of log-odds
    #[arg(long, default_value_t = DEFAULT_SCALE)]
    scale: i32,
    /// File of prepared positions to compare integers and floats on
    #[arg(long)]
    held_out: Option<PathBuf>,
}

/// The engine's centipawns of one unit of log-odds: the same as the data's.
pub(crate) const DEFAULT_SCALE: i32 = 200;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let checkpoint = Checkpoint::load(&args.checkpoint)?;
    let held_out = super::held_out(args.held_out.as_deref())?;
    let Checkpoint { layout, parameters, .. } = checkpoint;
    write(layout, &parameters, &args.name, args.scale, &args.out, &held_out)
}

/// Quantises, compares with the floats, writes.
pub(crate) fn write(
    layout: Layout,
    parameters: &[f32],
    name: &str,
    scale: i32,
    path: &Path,
    held_out: &[Record],
) -> Result<(), String> {
    let network = quantise(layout, parameters, name, scale)?;
    let difference = verify(&network, simd::kernels(), layout, parameters, held_out);
    let bytes = network.to_bytes();
    fs::write(path, &bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    eprintln!(
        "{}: {} bytes; integers against floats on {} positions, in centipawns: \
         mean {:.2}, greatest {:.0}, bias {:.2}; width {:.2}",
        path.display(),
        bytes.len(),
        held_out.len(),
        difference.mean,
        difference.greatest,
        difference.bias,
        difference.width,
    );
    Ok(())
}
