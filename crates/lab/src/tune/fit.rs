//! Following the gradient to better weights, with Adam.
//!
//! The step length falls to a hundredth of its start along a quarter of a cosine wave.

use std::f32::consts::FRAC_PI_2;

use chess::Rng;
use classical::layout::COUNT;
use indicatif::{ProgressBar, ProgressStyle};

use super::examples::Examples;
use super::model::{self, Weights};
use crate::regression::Adam;

/// How long and how fast to learn.
#[derive(Copy, Clone, Debug)]
pub(super) struct Schedule {
    pub(super) epochs: usize,
    pub(super) batch: usize,
    pub(super) rate: f32,
    pub(super) trust: f32,
    pub(super) threads: usize,
}

/// The state of learning.
pub(super) struct Fit {
    start: Weights,
    weights: Weights,
    adam: Adam,
    scale: f32,
    schedule: Schedule,
}

impl Fit {
    pub(super) fn new(start: &Weights, scale: f32, schedule: Schedule) -> Self {
        Self {
            start: start.clone(),
            weights: start.clone(),
            adam: Adam::new(COUNT),
            scale,
            schedule,
        }
    }

    /// Goes through the examples, shuffled anew each time, and returns the weights at the end.
    #[expect(clippy::print_stdout, reason = "the report is what the command is for")]
    pub(super) fn run(mut self, mut training: Examples, held_out: &Examples) -> Weights {
        let Schedule { epochs, batch, threads, .. } = self.schedule;
        let batches = training.len().div_ceil(batch);
        let bar = ProgressBar::new((epochs * batches) as u64).with_style(
            ProgressStyle::with_template("tuning {bar:30} {pos}/{len}, {eta} left, {msg}")
                .expect("the template is valid"),
        );
        let mut rng = Rng::new(1);
        for epoch in 0..epochs {
            rng.shuffle(&mut training.list);
            let mut total = 0.0;
            for part in training.list.chunks(batch) {
                let (loss, mut gradient) =
                    model::gradient(&self.weights, part, &training.uses, self.scale, threads);
                total += loss;
                self.step(&mut gradient, part.len(), training.list.len(), epochs * batches);
                bar.inc(1);
            }
            let learned = total / training.len() as f64;
            let measured = model::loss(&self.weights, held_out, self.scale, threads);
            bar.set_message(format!("loss {learned:.6}, held out {measured:.6}"));
            let number = epoch + 1;
            bar.suspend(|| {
                println!("epoch {number:3}: loss {learned:.6} training, {measured:.6} held out");
            });
        }
        bar.finish_and_clear();
        self.weights
    }

    /// One step of Adam. Trust in the old weights acts like that many positions that agree with
    /// them, spread over the whole training set.
    fn step(&mut self, gradient: &mut Weights, batch: usize, all: usize, total_steps: usize) {
        let progress = ((self.adam.steps() + 1) as f32 / total_steps as f32).min(1.0);
        let rate = self.schedule.rate * (0.01 + 0.99 * (FRAC_PI_2 * progress).cos());
        let pull = self.schedule.trust * self.scale * self.scale / all as f32;
        let moved = self.weights.0.iter().zip(self.start.0.iter());
        for (slope, (weight, start)) in gradient.0.iter_mut().zip(moved) {
            for half in 0..2 {
                slope[half] = slope[half] / batch as f32 + pull * (weight[half] - start[half]);
            }
        }
        self.adam.step(&mut self.weights.0[..], &gradient.0[..], rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::examples::Counts;

    #[test]
    fn learning_lowers_the_loss() {
        let mut examples = Examples::default();
        for (fen, score) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.55),
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.8),
            ("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1", 0.7),
        ] {
            examples.add(&fen.parse().unwrap(), score, score, &mut Counts::default());
        }
        let start = Weights::current();
        let before = model::loss(&start, &examples, 0.004, 1);
        let schedule = Schedule { epochs: 60, batch: 2, rate: 2.0, trust: 0.0, threads: 1 };
        let held_out = Examples { list: examples.list.clone(), uses: examples.uses.clone() };
        let after = Fit::new(&start, 0.004, schedule).run(examples, &held_out);
        let after = model::loss(&after, &held_out, 0.004, 1);
        assert!(after < before / 2.0, "{before} to {after}");
    }
}
