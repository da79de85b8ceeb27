//! `brier-lab dequantise`: from a network file to a checkpoint to go on training from.
//!
//! Integers become floats again, so that a new run begins with the judgement of a network whose own
//! checkpoint is lost. What a network lacks begins so that the judgement stays the same: threats it
//! did not have at zero.

use std::path::PathBuf;

use anyhow::ensure;
use nnue::arch::{
    ACT_ONE, FT_ONE, L1, L1_ONE, L2, L2_IN, OUT, OUT_ONE, OUT_PADDED, OUTPUT_BUCKETS, WEIGHT_ONE,
};
use nnue::features::{INPUTS_PER_BUCKET, KING_BUCKETS};
use nnue::{HeadWeights, Network};
use simd::Aligned;
use simd::nnue::SQUARE_SHIFT;

use super::checkpoint::Checkpoint;
use super::model::{HeadMut, Layout};
use super::optimiser::AdamW;

/// Options of `brier-lab dequantise`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Network file; the one inside the program by default
    #[arg(long)]
    net: Option<PathBuf>,
    /// Checkpoint to write, for `train --start-from`
    #[arg(long)]
    out: PathBuf,
    /// Leave out the threat inputs
    #[arg(long)]
    plain: bool,
    /// Centipawns of one unit of log-odds in the run to come (`train --scale`); those of the network
    /// unless told
    #[arg(long)]
    scale: Option<f32>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let network = super::load_network(args.net.as_deref())?;
    ensure!(
        !args.plain || !network.has_threats(),
        "--plain: expected a network without threat inputs, got one with them"
    );
    let layout = Layout::new(network.width(), !args.plain);
    let mut parameters = dequantise(&network, layout);
    if let Some(scale) = args.scale {
        ensure!(
            scale.is_finite() && scale > 0.0,
            "--scale: expected a positive number, got {scale}"
        );
        rescale(&mut parameters, layout, network.scale as f32 / scale);
    }
    let checkpoint = Checkpoint {
        layout,
        step: 0,
        settings: format!("dequantised from {}", network.name),
        parameters,
        adam: AdamW::new(layout.len()),
    };
    checkpoint.save(&args.out).map_err(anyhow::Error::msg)
}

/// The floats that [`super::quantise`] turns into this network.
pub(crate) fn dequantise(network: &Network, layout: Layout) -> Aligned<f32> {
    let mut parameters = Aligned::new(layout.len());
    let ft = |&weight: &i16| f32::from(weight) / FT_ONE as f32;
    // The shared part of a weight is the mean over the king buckets, a bucket's own the rest.
    let bucket_len = INPUTS_PER_BUCKET * layout.ft;
    let merged: Vec<f32> = network.ft_weights.iter().map(ft).collect();
    let shared: Vec<f32> = (0..bucket_len)
        .map(|i| merged[i..].iter().step_by(bucket_len).sum::<f32>() / KING_BUCKETS as f32)
        .collect();
    let own = &mut parameters[layout.ft_weights()];
    for ((own, merged), shared) in own.iter_mut().zip(&merged).zip(shared.iter().cycle()) {
        *own = merged - shared;
    }
    parameters[layout.shared_weights()].copy_from_slice(&shared);
    let threats = &mut parameters[layout.threat_weights()];
    for (to, &from) in threats.iter_mut().zip(network.threat_weights.iter()) {
        *to = f32::from(from) / FT_ONE as f32;
    }
    for (to, from) in parameters[layout.ft_biases()].iter_mut().zip(network.ft_biases.iter()) {
        *to = ft(from);
    }
    for (bucket, head) in network.heads.iter().enumerate() {
        let part = &mut parameters[layout.head(bucket)];
        dequantise_head(layout.ft, head, HeadMut::new(layout.ft, part));
    }
    parameters
}

/// Makes all outputs larger by a factor. The median keeps its meaning; the gaps keep theirs where they
/// are not small, as their foot is rounded.
fn rescale(parameters: &mut [f32], layout: Layout, factor: f32) {
    for bucket in 0..OUTPUT_BUCKETS {
        let head = HeadMut::new(layout.ft, &mut parameters[layout.head(bucket)]);
        for value in head.out_weights.iter_mut().chain(head.out_biases.iter_mut()) {
            *value *= factor;
        }
    }
}

fn dequantise_head(width: usize, from: &HeadWeights, to: HeadMut<'_>) {
    let one = WEIGHT_ONE as f32;
    let bias = |x: i32, one: i32| (f64::from(x) / f64::from(one)) as f32;
    for o in 0..L1 {
        for i in 0..width {
            let weight = from.l1_weights[(i / 4) * 4 * L1 + o * 4 + i % 4];
            to.l1_weights[o * width + i] = f32::from(weight) / L1_ONE as f32;
        }
        to.l1_biases[o] = bias(from.l1_biases[o], ACT_ONE);
    }
    let square = (1 << SQUARE_SHIFT) as f32 / ACT_ONE as f32;
    for o in 0..L2 {
        for i in 0..L2_IN {
            let one = if i < L1 { one } else { one * square };
            let weight = from.l2_weights[((i / 2) * L2 + o) * 2 + i % 2];
            to.l2_weights[o * L2_IN + i] = f32::from(weight) / one;
        }
        to.l2_biases[o] = bias(from.l2_biases[o], OUT_ONE);
    }
    for o in 0..OUT {
        for i in 0..L2 {
            let weight = from.out_weights[((i / 2) * OUT_PADDED + o) * 2 + i % 2];
            to.out_weights[o * L2 + i] = f32::from(weight) / one;
        }
        to.out_biases[o] = bias(from.out_biases[o], OUT_ONE);
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, Network, dequantise};
    use crate::train::quantise::quantise;

    #[test]
    fn quantising_again_gives_the_same_integers() {
        let network = Network::default_net();
        for threats in [true, false] {
            if network.has_threats() && !threats {
                continue;
            }
            let layout = Layout::new(network.width(), threats);
            let parameters = dequantise(&network, layout);
            let again = quantise(layout, &parameters, &network.name, network.scale).unwrap();
            assert_eq!(again.ft_weights, network.ft_weights);
            assert_eq!(again.ft_biases, network.ft_biases);
            for (again, first) in again.heads.iter().zip(&network.heads) {
                assert_eq!(again.l1_weights, first.l1_weights);
                assert_eq!(again.l1_biases, first.l1_biases);
                assert_eq!(again.l2_weights, first.l2_weights);
                assert_eq!(again.out_weights, first.out_weights);
                // Output biases have more bits than a float.
                for (again, first) in again.out_biases.iter().zip(first.out_biases) {
                    assert!((again - first).abs() <= 4, "{again} {first}");
                }
            }
            if network.has_threats() {
                assert_eq!(again.threat_weights, network.threat_weights);
            } else {
                assert!(again.threat_weights.iter().all(|&weight| weight == 0));
            }
        }
    }
}
