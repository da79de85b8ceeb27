//! The training loop's engine: batches in, better parameters out.

use data::Record;
use simd::{Aligned, Kernels};

use super::checkpoint::Checkpoint;
use super::loss::{LEVELS, Loss, Target, quantiles};
use super::model::Layout;
use super::optimiser::{AdamW, Pace, Schedule};
use super::step::{Pass, Weights, add, share_gradient};
use crate::regression::sigmoid;

/// A network in training, with everything a step needs.
pub(crate) struct Trainer {
    kernels: &'static Kernels,
    layout: Layout,
    target: Target,
    schedule: Schedule,
    parameters: Aligned<f32>,
    adam: AdamW,
    step: u64,
    merged: Aligned<f32>,
    /// One thread's working memory and gradients each.
    workers: Vec<(Pass, Aligned<f32>)>,
}

/// What a network is worth on positions it was not taught.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Report {
    /// Mean losses.
    pub(crate) loss: Loss,
    /// Share of targets below each quantile, in the order of [`LEVELS`].
    pub(crate) coverage: [f64; LEVELS.len()],
}

impl Trainer {
    /// Starts from given parameters.
    pub(crate) fn new(
        kernels: &'static Kernels,
        layout: Layout,
        target: Target,
        schedule: Schedule,
        threads: usize,
        parameters: Aligned<f32>,
    ) -> Self {
        let adam = AdamW::new(layout.len());
        let worker = || (Pass::new(kernels, layout.ft), Aligned::new(layout.len()));
        let workers = (0..threads.max(1)).map(|_| worker()).collect();
        let mut merged = Aligned::new(layout.rows().len());
        layout.merge_shared(&parameters, &mut merged);
        Self { kernels, layout, target, schedule, parameters, adam, step: 0, merged, workers }
    }

    /// Takes over parameters, moments and step count of a saved run.
    pub(crate) fn restore(&mut self, checkpoint: Checkpoint) {
        self.parameters = checkpoint.parameters;
        self.adam = checkpoint.adam;
        self.step = checkpoint.step;
        self.layout.merge_shared(&self.parameters, &mut self.merged);
    }

    /// The state to save.
    pub(crate) fn checkpoint(&self, settings: &str) -> Checkpoint {
        Checkpoint {
            layout: self.layout,
            step: self.step,
            settings: settings.into(),
            parameters: self.parameters.clone(),
            adam: self.adam.clone(),
        }
    }

    /// Steps done.
    pub(crate) fn step(&self) -> u64 {
        self.step
    }

    /// The network as it is.
    pub(crate) fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// One step on one batch; returns the batch's mean loss before the step.
    ///
    /// The batch is cut into one part per thread and the parts' gradients are added in order, so
    /// the result depends on the number of threads but not on their timing.
    pub(crate) fn learn(&mut self, batch: &[Record]) -> Loss {
        let weights =
            Weights { layout: self.layout, parameters: &self.parameters, merged: &self.merged };
        let target = self.target;
        let part = batch.len().div_ceil(self.workers.len());
        let mut sum = Loss::default();
        std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .workers
                .iter_mut()
                .zip(batch.chunks(part))
                .map(|((pass, gradients), records)| {
                    scope.spawn(move || {
                        gradients.fill(0.0);
                        let mut sum = Loss::default();
                        for record in records {
                            let loss = pass.learn(&weights, &target, record, gradients);
                            sum.pinball += loss.pinball;
                            sum.squared += loss.squared;
                        }
                        sum
                    })
                })
                .collect();
            for thread in threads {
                let part = thread.join().unwrap_or_default();
                sum.pinball += part.pinball;
                sum.squared += part.squared;
            }
        });
        let used = batch.len().div_ceil(part);
        let (first, others) = self.workers.split_at_mut(1);
        let gradients = &mut first[0].1;
        for (_, other) in &others[..used - 1] {
            add(gradients, other);
        }
        share_gradient(self.layout, gradients);
        let pace = Pace { schedule: self.schedule, step: self.step, batch: batch.len() };
        self.adam.step(self.kernels, self.layout, pace, &mut self.parameters, gradients);
        self.layout.merge_shared(&self.parameters, &mut self.merged);
        self.step += 1;
        mean(sum, batch.len())
    }

    /// Losses and coverage on held-out positions.
    pub(crate) fn evaluate(&mut self, records: &[Record]) -> Report {
        let weights =
            Weights { layout: self.layout, parameters: &self.parameters, merged: &self.merged };
        let pass = &mut self.workers[0].0;
        let mut report = Report::default();
        for record in records {
            let outputs = pass.outputs(&weights, record);
            let (loss, _) = super::loss::loss(&outputs, record, &self.target);
            report.loss.pinball += loss.pinball;
            report.loss.squared += loss.squared;
            // Coverage is judged by the score alone: that is what a deeper search would say.
            let score = sigmoid(f32::from(record.score()) / self.target.scale);
            for (share, quantile) in report.coverage.iter_mut().zip(quantiles(&outputs)) {
                *share += f64::from(u8::from(score < sigmoid(quantile)));
            }
        }
        report.loss = mean(report.loss, records.len());
        report.coverage = report.coverage.map(|share| share / records.len().max(1) as f64);
        report
    }
}

fn mean(sum: Loss, count: usize) -> Loss {
    let count = count.max(1) as f64;
    Loss { pinball: sum.pinball / count, squared: sum.squared / count }
}
