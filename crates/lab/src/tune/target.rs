//! What the evaluation shall predict: a blend of the teacher's score and the game's result.

use super::examples::{Examples, Games};
use super::model::{self, Weights};
use crate::regression::sigmoid;

/// How score and result become one expected result.
#[derive(Copy, Clone, Debug)]
pub(super) struct Target {
    /// Turns the teacher's centipawns into an expected result.
    pub(super) score_scale: f32,
    /// From 0 (only the score counts) to 1 (only the result).
    pub(super) result_share: f32,
}

impl Target {
    /// The expected result for White, between 0 and 1.
    pub(super) fn of(&self, score: f32, result: f32) -> f32 {
        let expected = sigmoid(self.score_scale * score);
        expected + self.result_share * (result - expected)
    }
}

/// The scale under which the teacher's scores best predict the results.
pub(super) fn fit_score_scale(games: &Games) -> f32 {
    least(|scale| {
        let errors = games.training.list.iter().map(|example| {
            let error = sigmoid(scale * example.score) - example.result;
            f64::from(error * error)
        });
        errors.sum()
    })
}

/// The scale under which the evaluation as it is best predicts the targets.
pub(super) fn fit_scale(weights: &Weights, examples: &Examples, threads: usize) -> f32 {
    least(|scale| model::loss(weights, examples, scale, threads))
}

/// The scale with the least loss, by golden-section search.
fn least(loss: impl Fn(f32) -> f64) -> f32 {
    const GOLDEN: f32 = 0.618_034;
    let (mut low, mut high) = (0.0005_f32, 0.02_f32);
    for _ in 0..20 {
        let step = GOLDEN * (high - low);
        let (left, right) = (high - step, low + step);
        if loss(left) < loss(right) { high = right } else { low = left }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::{Target, least};
    use crate::regression::sigmoid;

    #[test]
    fn the_blend_lies_between_score_and_result() {
        let target = Target { score_scale: 0.004, result_share: 0.25 };
        let expected = sigmoid(0.4);
        assert!((target.of(100.0, expected) - expected).abs() < 1e-6);
        assert!((target.of(100.0, 1.0) - (0.75 * expected + 0.25)).abs() < 1e-6);
    }

    #[test]
    fn the_search_finds_the_bottom() {
        let found = least(|x| f64::from((x - 0.0071).powi(2)));
        assert!((found - 0.0071).abs() < 1e-5, "{found}");
    }
}
