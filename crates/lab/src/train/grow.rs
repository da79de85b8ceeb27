//! `brier-lab widen` and `brier-lab split-king-buckets`: a checkpoint for a larger network.
//!
//! Both keep the judgement as it is; training goes on from there with `--start-from`, by a
//! `brier-lab` that is built for the new shape (`FT` in `nnue::arch`, `BUCKETS` in
//! `nnue::features`). What the optimiser has seen of old weights is kept, of new ones it knows
//! nothing.

use std::path::PathBuf;

use nnue::arch::{L1, threat_lanes};
use simd::Aligned;

use super::checkpoint::Checkpoint;
use super::model::Layout;
use super::optimiser::AdamW;

/// Options of `brier-lab widen`.
#[derive(clap::Args)]
pub(crate) struct WidenArgs {
    /// Checkpoint of `brier-lab train`
    old: PathBuf,
    /// Checkpoint to write
    new: PathBuf,
    /// Lanes of an accumulator of the new one
    lanes: usize,
    /// Seed of the new lanes' first weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Options of `brier-lab split-king-buckets`.
#[derive(clap::Args)]
pub(crate) struct SplitArgs {
    /// Checkpoint of `brier-lab train`
    old: PathBuf,
    /// Checkpoint to write
    new: PathBuf,
    /// For each new bucket the old one it begins with, as in 0,0,1,1,2,2,3,3
    #[arg(required = true, value_delimiter = ',')]
    parents: Vec<usize>,
}

/// Runs `brier-lab widen`.
pub(crate) fn run_widen(args: &WidenArgs) -> Result<(), String> {
    widen(&Checkpoint::load(&args.old)?, args.lanes, args.seed)?.save(&args.new)
}

/// Runs `brier-lab split-king-buckets`.
pub(crate) fn run_split(args: &SplitArgs) -> Result<(), String> {
    split(&Checkpoint::load(&args.old)?, &args.parents)?.save(&args.new)
}

/// A checkpoint with more lanes. The new ones start random, but no later layer uses them yet.
fn widen(old: &Checkpoint, lanes: usize, seed: u64) -> Result<Checkpoint, String> {
    let (from, most) = (old.layout, simd::nnue::MAX_WIDTH);
    if lanes <= from.ft || !lanes.is_multiple_of(64) || lanes > most {
        return Err(format!(
            "expected a multiple of 64 lanes above {} and up to {most}, got {lanes}",
            from.ft
        ));
    }
    let layout = Layout { ft: lanes, ..from };
    let widened = |old: &[f32], mut new: Aligned<f32>| {
        copy_lanes(from, old, layout, &mut new);
        new
    };
    Ok(Checkpoint {
        layout,
        parameters: widened(&old.parameters, layout.initial(seed)),
        adam: AdamW {
            first: widened(&old.adam.first, Aligned::new(layout.len())),
            second: widened(&old.adam.second, Aligned::new(layout.len())),
        },
        ..old.clone()
    })
}

/// Puts all of a network into a wider one, and zero where a layer would use a new lane.
fn copy_lanes(from: Layout, old: &[f32], to: Layout, new: &mut [f32]) {
    let (old_rows, old_heads) = old.split_at(from.ft_biases().end);
    let (new_rows, new_heads) = new.split_at_mut(to.ft_biases().end);
    for part in [Layout::ft_weights, Layout::shared_weights, Layout::ft_biases] {
        spread(from.ft, &old_rows[part(from)], to.ft, &mut new_rows[part(to)]);
    }
    // Threats reach the first lanes only, which stay the first.
    let old_threats = old_rows[from.threat_weights()].chunks_exact(threat_lanes(from.ft));
    let new_threats = new_rows[to.threat_weights()].chunks_exact_mut(threat_lanes(to.ft));
    for (old, new) in old_threats.zip(new_threats) {
        new[..old.len()].copy_from_slice(old);
    }
    let (old_size, new_size) = (from.head(0).len(), to.head(0).len());
    for (old, new) in old_heads.chunks_exact(old_size).zip(new_heads.chunks_exact_mut(new_size)) {
        let (old_weights, old_rest) = old.split_at(from.ft * L1);
        let (new_weights, new_rest) = new.split_at_mut(to.ft * L1);
        new_weights.fill(0.0);
        spread(from.ft, old_weights, to.ft, new_weights);
        new_rest.copy_from_slice(old_rest);
    }
}

/// Copies rows of lanes into wider rows, each half to the beginning of its half: lanes are
/// multiplied in pairs that lie half a row apart, and the products of the two sides fill one half
/// each of what the first dense layer reads.
fn spread(from: usize, old: &[f32], to: usize, new: &mut [f32]) {
    let halves = old.chunks_exact(from / 2).zip(new.chunks_exact_mut(to / 2));
    for (old, new) in halves {
        new[..old.len()].copy_from_slice(old);
    }
}

/// A checkpoint whose king bucket `i` begins with the weights of the old bucket `parents[i]`.
fn split(old: &Checkpoint, parents: &[usize]) -> Result<Checkpoint, String> {
    let count = old.layout.king_buckets;
    if let Some(parent) = parents.iter().find(|&&parent| parent >= count) {
        return Err(format!("expected king buckets from 0 to {}, got {parent}", count - 1));
    }
    if let Some(lost) = (0..count).find(|bucket| !parents.contains(bucket)) {
        return Err(format!("expected every old king bucket among the parents, {lost} is missing"));
    }
    let layout = Layout { king_buckets: parents.len(), ..old.layout };
    let divided = |part: &[f32]| {
        let (buckets, rest) = part.split_at(old.layout.ft_weights().end);
        let size = buckets.len() / count;
        let copies = parents.iter().flat_map(|&parent| &buckets[parent * size..][..size]);
        Aligned::from(&copies.chain(rest).copied().collect::<Vec<_>>()[..])
    };
    Ok(Checkpoint {
        layout,
        parameters: divided(&old.parameters),
        adam: AdamW { first: divided(&old.adam.first), second: divided(&old.adam.second) },
        ..old.clone()
    })
}

#[cfg(test)]
mod tests {
    use nnue::features::{INPUTS_PER_BUCKET, KING_BUCKETS};

    use super::{Checkpoint, Layout, split, widen};
    use crate::train::inputs::samples::records;
    use crate::train::loss::Target;
    use crate::train::optimiser::Schedule;
    use crate::train::trainer::{Report, Trainer};

    const TARGET: Target = Target { scale: 200.0, result_share: 0.1, squared: 10.0 };

    fn trainer(layout: Layout, seed: u64) -> Trainer {
        let schedule = Schedule {
            peak: 1e-2,
            floor: 1e-3,
            warm_up: 0,
            steps: 40,
            decay: 0.0,
            threats_every: 1,
        };
        Trainer::new(simd::kernels(), layout, TARGET, schedule, 1, layout.initial(seed))
    }

    /// Trained for a few steps, so that no part of it is as a new network's.
    fn trained(layout: Layout) -> Checkpoint {
        let (mut trainer, records) = (trainer(layout, 1), records(256, 5));
        for _ in 0..20 {
            trainer.learn(&records);
        }
        trainer.checkpoint("settings of the old run")
    }

    fn judged(checkpoint: &Checkpoint) -> Report {
        let mut trainer = trainer(checkpoint.layout, 2);
        trainer.restore(checkpoint.clone());
        trainer.evaluate(&records(500, 6))
    }

    #[test]
    fn a_wider_network_judges_as_the_old_one_and_can_learn() {
        for threats in [true, false] {
            let old = trained(Layout::new(64, threats));
            let new = widen(&old, 192, 3).unwrap();
            assert_eq!(new.layout, Layout::new(192, threats));
            assert_eq!((new.step, &new.settings), (old.step, &old.settings));
            let (before, after) = (judged(&old), judged(&new));
            assert!((before.loss.pinball - after.loss.pinball).abs() < 1e-7);
            assert!((before.loss.squared - after.loss.squared).abs() < 1e-7);
            assert_eq!(before.coverage, after.coverage);

            let mut trainer = trainer(new.layout, 2);
            trainer.restore(new.clone());
            trainer.learn(&records(256, 5));
            let learnt = trainer.checkpoint("");
            // The last of the new lanes is used from now on.
            let first_layer = new.layout.head(0).start;
            let weight = |of: &Checkpoint| of.parameters[first_layer + 191];
            assert!(weight(&new) == 0.0 && weight(&learnt) != 0.0);
        }
    }

    #[test]
    fn split_buckets_begin_as_copies_and_nothing_else_changes() {
        let old = trained(Layout::new(64, true));
        let parents: Vec<usize> = (0..2 * KING_BUCKETS).map(|bucket| bucket / 2).collect();
        let new = split(&old, &parents).unwrap();
        assert_eq!(new.layout, Layout { king_buckets: parents.len(), ..old.layout });
        for (old_part, new_part) in [
            (&old.parameters, &new.parameters),
            (&old.adam.first, &new.adam.first),
            (&old.adam.second, &new.adam.second),
        ] {
            assert_eq!(new_part.len(), new.layout.len());
            let row = |part: &[f32], bucket, input| {
                part[(bucket * INPUTS_PER_BUCKET + input) * 64..][..64].to_vec()
            };
            for (bucket, &parent) in parents.iter().enumerate() {
                for input in 0..INPUTS_PER_BUCKET {
                    assert_eq!(row(new_part, bucket, input), row(old_part, parent, input));
                }
            }
            let rest = |layout: Layout, part: &[f32]| part[layout.ft_weights().end..].to_vec();
            assert_eq!(rest(new.layout, new_part), rest(old.layout, old_part));
        }
    }

    /// A network with one bucket judges as one with the engine's number whose buckets are alike.
    #[test]
    fn the_loss_after_a_split_is_that_of_equal_buckets() {
        let mut alike = trained(Layout::new(64, true));
        let size = INPUTS_PER_BUCKET * 64;
        for bucket in 1..KING_BUCKETS {
            alike.parameters.copy_within(0..size, bucket * size);
        }
        let one = Layout { king_buckets: 1, ..alike.layout };
        let keep = |part: &[f32]| [&part[..size], &part[alike.layout.ft_weights().end..]].concat();
        let single = Checkpoint {
            layout: one,
            parameters: keep(&alike.parameters)[..].into(),
            adam: super::AdamW {
                first: keep(&alike.adam.first)[..].into(),
                second: keep(&alike.adam.second)[..].into(),
            },
            ..alike.clone()
        };
        // The file does not name its king buckets: they follow from its length.
        let path = std::env::temp_dir().join(format!("brier-{}-split", std::process::id()));
        single.save(&path).unwrap();
        let single = Checkpoint::load(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        assert_eq!(single.layout, one);
        let again = split(&single, &[0; KING_BUCKETS]).unwrap();
        assert_eq!(judged(&again).loss.pinball, judged(&alike).loss.pinball);
    }

    #[test]
    fn impossible_shapes_are_refused() {
        let old = trained(Layout::new(64, false));
        for lanes in [0, 16, 32, 40, 1 << 30] {
            let error = widen(&old, lanes, 1).unwrap_err();
            assert!(error.contains("multiple of 64") && error.contains(&lanes.to_string()));
        }
        assert!(split(&old, &[0, KING_BUCKETS]).unwrap_err().contains("got 8"));
        assert!(split(&old, &[0, 1]).unwrap_err().contains("2 is missing"));
    }
}
