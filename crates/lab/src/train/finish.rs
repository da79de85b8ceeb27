//! `brier-lab quantise`: from a checkpoint to a network file.

use std::path::{Path, PathBuf};

use data::Record;

use super::checkpoint::Checkpoint;
use super::model::Layout;
use super::order;
use super::quantise::{quantise, verify};
use crate::calibrate::gaps;

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
    /// Records of held-out games: integers are compared with floats on them, lanes are sorted and the
    /// gaps between the quantiles corrected by them
    #[arg(long)]
    held_out: Option<PathBuf>,
    /// The data's centipawns of one unit of log-odds
    #[arg(long, default_value_t = 200.0)]
    data_scale: f64,
}

/// The engine's centipawns of one unit of log-odds: the same as the data's.
pub(crate) const DEFAULT_SCALE: i32 = 200;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let checkpoint = Checkpoint::load(&args.checkpoint)?;
    let held_out = super::held_out(args.held_out.as_deref())?;
    let Checkpoint { layout, parameters, .. } = checkpoint;
    let scales = Scales { engine: args.scale, data: args.data_scale };
    write(layout, &parameters, &args.name, scales, &args.out, &held_out)
}

/// Centipawns of one unit of log-odds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// In the engine's scores.
    pub(crate) engine: i32,
    /// In the data's scores.
    pub(crate) data: f64,
}

/// Quantises, compares with the floats, sorts the lanes, corrects the gaps, writes.
pub(crate) fn write(
    layout: Layout,
    parameters: &[f32],
    name: &str,
    scales: Scales,
    path: &Path,
    held_out: &[Record],
) -> Result<(), String> {
    let mut network = quantise(layout, parameters, name, scales.engine)?;
    let difference = verify(&network, simd::kernels(), layout, parameters, held_out);
    let [before, after] = order::sort(&mut network, held_out);
    gaps::correct(&mut network, simd::kernels(), held_out, scales.data);
    let bytes = network.to_bytes();
    files::replace(path, &bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    eprintln!(
        "{}: {} bytes; integers against floats on {} positions, in centipawns: \
         mean {:.2}, greatest {:.0}, bias {:.2}; width {:.2}; \
         groups of four lanes at work: {:.1} %, sorted {:.1} %",
        path.display(),
        bytes.len(),
        held_out.len(),
        difference.mean,
        difference.greatest,
        difference.bias,
        difference.width,
        100.0 * before,
        100.0 * after,
    );
    Ok(())
}
