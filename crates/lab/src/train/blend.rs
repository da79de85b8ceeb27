//! `brier-lab blend`: the mean of several checkpoints.
//!
//! Runs that began at the same parameters end in places between which the loss hardly rises. Their
//! mean keeps what they have all learnt, and what each has got wrong in its own way becomes less:
//! it judges more evenly than any of them.

use std::path::PathBuf;

use super::checkpoint::Checkpoint;
use super::optimiser::AdamW;

/// Options of `brier-lab blend`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Checkpoints of one shape; one that is named twice counts twice
    #[arg(required = true, num_args = 2..)]
    checkpoints: Vec<PathBuf>,
    /// Checkpoint to write, for `quantise` or `train --start-from`
    #[arg(long)]
    out: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let share = 1.0 / args.checkpoints.len() as f32;
    let mut mean: Option<Checkpoint> = None;
    for path in &args.checkpoints {
        let next = Checkpoint::load(path)?;
        let mean = mean.get_or_insert_with(|| Checkpoint {
            layout: next.layout,
            step: 0,
            settings: format!("mean of {} checkpoints", args.checkpoints.len()),
            parameters: simd::Aligned::new(next.parameters.len()),
            adam: AdamW::new(next.layout.len()),
        });
        if next.layout != mean.layout {
            return Err(format!(
                "{}: expected {}, got {}",
                path.display(),
                mean.layout,
                next.layout
            ));
        }
        for (sum, value) in mean.parameters.iter_mut().zip(next.parameters.iter()) {
            *sum += share * value;
        }
    }
    mean.map_or(Ok(()), |mean| mean.save(&args.out))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{AdamW, Args, Checkpoint, run};
    use crate::train::model::Layout;

    fn save(path: &Path, layout: Layout, seed: u64) -> Checkpoint {
        let parameters = layout.initial(seed);
        let adam = AdamW::new(layout.len());
        let checkpoint = Checkpoint { layout, step: 7, settings: "test".into(), parameters, adam };
        checkpoint.save(path).unwrap();
        checkpoint
    }

    #[test]
    fn the_mean_lies_between_and_other_shapes_are_refused() {
        let folder = std::env::temp_dir().join(format!("brier-blend-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [a, b, wide, out] = ["a", "b", "wide", "out"].map(|name| folder.join(name));
        let layout = Layout::new(128, false);
        let (first, second) = (save(&a, layout, 1), save(&b, layout, 2));
        save(&wide, Layout::new(256, false), 1);
        let blend = |checkpoints: Vec<_>| run(&Args { checkpoints, out: out.clone() });

        blend(vec![a.clone(), b.clone(), b.clone()]).unwrap();
        let found = Checkpoint::load(&out).unwrap();
        assert_eq!(found.step, 0);
        let parts = first.parameters.iter().zip(second.parameters.iter());
        for (mean, (first, second)) in found.parameters.iter().zip(parts) {
            assert!((mean - (first + 2.0 * second) / 3.0).abs() < 1e-5);
        }
        let error = blend(vec![a.clone(), wide.clone()]).unwrap_err();
        assert!(error.contains("expected") && error.contains("wide"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
