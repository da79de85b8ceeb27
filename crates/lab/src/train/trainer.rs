//! The training loop's engine: batches in, better parameters out.

use data::Record;
use simd::{Aligned, Kernels};

use super::checkpoint::Checkpoint;
use super::loss::{LEVELS, Loss, Target, quantiles};
use super::model::Layout;
use super::optimiser::{AdamW, Pace, Schedule};
use super::step::Step;
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
    threads: usize,
    memory: Step,
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
        let memory = Step::new(kernels, layout, threads);
        Self { kernels, layout, target, schedule, parameters, adam, step: 0, threads, memory }
    }

    /// Takes over parameters, moments and step count of a saved run.
    pub(crate) fn restore(&mut self, checkpoint: Checkpoint) {
        self.parameters = checkpoint.parameters;
        self.adam = checkpoint.adam;
        self.step = checkpoint.step;
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

    /// Is all that was learnt in the parameters? Only then a checkpoint holds all of it.
    pub(crate) fn is_settled(&self) -> bool {
        self.step.is_multiple_of(self.schedule.threats_every)
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
    pub(crate) fn learn(&mut self, batch: &[Record]) -> Loss {
        let due = self.schedule.threats_due(self.step);
        let sum = self.memory.learn(&self.parameters, &self.target, batch, due);
        let pace = Pace { schedule: self.schedule, step: self.step, batch: batch.len() };
        let (gradients, threads) = (self.memory.gradients(), self.threads);
        self.adam.step(self.kernels, threads, self.layout, pace, &mut self.parameters, gradients);
        self.step += 1;
        mean(sum, batch.len())
    }

    /// Losses and coverage on held-out positions.
    pub(crate) fn evaluate(&mut self, records: &[Record]) -> Report {
        let outputs = self.memory.outputs(&self.parameters, records);
        let mut report = Report::default();
        for (record, outputs) in records.iter().zip(outputs) {
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
