//! What the fits of evaluations share: the logistic function, and Adam's steps.
//!
//! The trainer of networks has kernels for its own steps (`train::optimiser`); these here are for a
//! few hundred weights, each a pair of middlegame and endgame.

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// The logistic function: how likely a win is, from an advantage in log-odds.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Adam (Kingma and Ba, 2014): each weight's step is its mean gradient over the gradient's typical
/// size, so rare and common weights move alike.
pub(crate) struct Adam {
    mean: Vec<[f32; 2]>,
    square: Vec<[f32; 2]>,
    steps: i32,
}

impl Adam {
    /// For this many pairs of weights.
    pub(crate) fn new(pairs: usize) -> Self {
        Self { mean: vec![[0.0; 2]; pairs], square: vec![[0.0; 2]; pairs], steps: 0 }
    }

    /// Steps done.
    pub(crate) fn steps(&self) -> i32 {
        self.steps
    }

    /// One step down a gradient.
    pub(crate) fn step(&mut self, weights: &mut [[f32; 2]], gradient: &[[f32; 2]], rate: f32) {
        self.steps += 1;
        // Both means start at zero; dividing by these takes the bias out.
        let mean_bias = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_bias = 1.0 - SQUARE_DECAY.powi(self.steps);
        let moments = self.mean.as_flattened_mut().iter_mut().zip(self.square.as_flattened_mut());
        let slopes = gradient.as_flattened();
        for ((weight, slope), (mean, square)) in
            weights.as_flattened_mut().iter_mut().zip(slopes).zip(moments)
        {
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            *weight -= rate * (*mean / mean_bias) / ((*square / square_bias).sqrt() + 1e-12);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Adam;

    #[test]
    fn a_step_is_as_long_for_any_size_of_gradient() {
        let mut weights = [[1.0, 1.0], [1.0, 1.0]];
        Adam::new(2).step(&mut weights, &[[1e-3, -1e3], [7.0, 0.0]], 0.5);
        let expected = [[0.5, 1.5], [0.5, 1.0]];
        for (weight, expected) in weights.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((weight - expected).abs() < 1e-5, "{weights:?}");
        }
    }

    #[test]
    fn steps_lead_to_the_bottom() {
        let mut weights = [[5.0, -3.0]];
        let mut adam = Adam::new(1);
        for _ in 0..2000 {
            let [a, b] = weights[0];
            adam.step(&mut weights, &[[2.0 * (a - 1.0), 20.0 * (b - 2.0)]], 0.01);
        }
        assert!((weights[0][0] - 1.0).abs() < 0.02 && (weights[0][1] - 2.0).abs() < 0.02);
    }
}
