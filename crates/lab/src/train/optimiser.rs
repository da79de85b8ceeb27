//! AdamW with warm-up and a cosine schedule.

use std::f64::consts::PI;

use simd::train::AdamStep;
use simd::{Aligned, Kernels};

use super::model::Layout;
use super::parallel::in_parallel;

/// How fast to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// Highest learning rate, reached after the warm-up.
    pub(crate) peak: f64,
    /// Learning rate of the last step.
    pub(crate) floor: f64,
    /// Steps of linear warm-up.
    pub(crate) warm_up: u64,
    /// Steps in all.
    pub(crate) steps: u64,
    /// Decoupled weight decay, per step and unit of learning rate.
    pub(crate) decay: f64,
    /// Batches whose gradients make one step of the threats' weights.
    pub(crate) threats_every: u64,
}

impl Schedule {
    /// Learning rate of a step, counted from 0.
    pub(crate) fn rate(&self, step: u64) -> f64 {
        if step < self.warm_up {
            return self.peak * (step + 1) as f64 / self.warm_up as f64;
        }
        let span = (self.steps - self.warm_up.min(self.steps)).max(1);
        let done = ((step - self.warm_up) as f64 / span as f64).min(1.0);
        self.floor + (self.peak - self.floor) * 0.5 * (1.0 + (PI * done).cos())
    }

    /// Do the threats make a step with this one?
    pub(crate) fn threats_due(&self, step: u64) -> bool {
        (step + 1).is_multiple_of(self.threats_every)
    }
}

/// How far one step goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The run's schedule.
    pub(crate) schedule: Schedule,
    /// Which step it is, counted from 0.
    pub(crate) step: u64,
    /// Positions whose gradients were added up.
    pub(crate) batch: usize,
}

const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// Parameters that a thread takes at a time: a multiple of sixteen.
const PART: usize = 1 << 16;

/// The moments of every parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AdamW {
    /// Running mean of the gradients.
    pub(crate) first: Aligned<f32>,
    /// Running mean of their squares.
    pub(crate) second: Aligned<f32>,
}

impl AdamW {
    /// Moments of nothing seen yet.
    pub(crate) fn new(len: usize) -> Self {
        Self { first: Aligned::new(len), second: Aligned::new(len) }
    }

    /// One step down the sum of a batch's gradients.
    pub(crate) fn step(
        &mut self,
        kernels: &Kernels,
        threads: usize,
        layout: Layout,
        pace: Pace,
        parameters: &mut [f32],
        gradients: &[f32],
    ) {
        for tensor in layout.tensors() {
            let Pace { schedule, mut step, mut batch } = pace;
            let mut rate = schedule.rate(step);
            if tensor.range == layout.threat_weights() {
                if !schedule.threats_due(step) {
                    continue;
                }
                // Fewer steps of more positions each: the noise falls with the root of their number.
                step /= schedule.threats_every;
                batch *= schedule.threats_every as usize;
                rate *= (schedule.threats_every as f64).sqrt();
            }
            // Both moments start at zero; dividing by these takes the bias out.
            let exponent = i32::try_from(step + 1).unwrap_or(i32::MAX);
            let correct1 = 1.0 - BETA1.powi(exponent);
            let correct2 = (1.0 - BETA2.powi(exponent)).sqrt();
            // Biases are not pulled to zero.
            let decay = if tensor.fan_in == 0 { 0.0 } else { schedule.decay };
            let adam = AdamStep {
                rate: (rate * correct2 / correct1) as f32,
                beta1: BETA1 as f32,
                beta2: BETA2 as f32,
                epsilon: (EPSILON * correct2) as f32,
                shrink: (1.0 - rate * decay) as f32,
                limit: tensor.limit,
                gradient_scale: 1.0 / batch as f32,
            };
            let range = tensor.range;
            let parts = parameters[range.clone()]
                .chunks_mut(PART)
                .zip(self.first[range.clone()].chunks_mut(PART))
                .zip(self.second[range.clone()].chunks_mut(PART))
                .zip(gradients[range].chunks(PART));
            in_parallel(threads, parts, |(((parameters, first), second), gradients)| {
                (kernels.train.adam)(parameters, first, second, gradients, &adam);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn schedule_warms_up_and_falls() {
        let schedule = Schedule {
            peak: 1.0,
            floor: 0.1,
            warm_up: 10,
            steps: 110,
            decay: 0.0,
            threats_every: 1,
        };
        assert!((schedule.rate(0) - 0.1).abs() < 1e-12);
        assert!((schedule.rate(9) - 1.0).abs() < 1e-12);
        assert!((schedule.rate(10) - 1.0).abs() < 1e-12);
        assert!((schedule.rate(60) - 0.55).abs() < 1e-12);
        assert!((schedule.rate(110) - 0.1).abs() < 1e-12);
        assert!((10..110).all(|step| schedule.rate(step) > schedule.rate(step + 1)));
    }
}
