//! Foresees what a search with 64 times the nodes would say.
//!
//! A [`Model`] turns the [`Facts`] of a line into five quantiles of the longer search's score and
//! the probability that the move stays the best. It is a few hundred small decision trees, fitted
//! by `brier-lab forecast fit` and kept in a file; [`Model::embedded`] is the one that ships.
//!
//! Everything is computed with integers, so that every machine foresees the same. What is not
//! here: how the model is fitted and judged (`crates/lab/src/forecast`), and what its numbers
//! promise (`docs/quantiles.md`).
#![forbid(unsafe_code)]

mod correction;
mod features;
mod file;
mod trees;

pub use correction::{Correction, Group, Knots};
pub use features::{COUNT, NAMES, features, log2};
pub use file::ModelError;
pub use trees::{DEPTH, Ensemble, LEAVES, SPLITS, Split, Tree};

use std::sync::{Arc, OnceLock};

use eval::score::clamp_eval;
use eval::{Facts, Forecast, Forecaster, Quantiles, Score};

/// Leaves of the quantiles' trees are in this part of a centipawn.
pub const GRAIN: i32 = 16;

/// Scores, forecast or foreseen, are cut here, in centipawns: beyond it a game is decided.
pub const CUT: Score = 1500;

/// The trees and their corrections.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Model {
    /// What to add to the score for each of the five quantiles.
    pub quantiles: [Ensemble; 5],
    /// How sure the move is, on a scale of its own that the correction translates.
    pub confidence: Ensemble,
    /// What positions kept apart from the fit have taught.
    pub correction: Correction,
}

impl Model {
    /// The model that ships.
    pub fn embedded() -> Arc<Self> {
        static MODEL: OnceLock<Arc<Model>> = OnceLock::new();
        let read = || {
            let bytes = include_bytes!("../data/default.forecast");
            // A test reads it: a build that ships a damaged one does not pass.
            Arc::new(Self::from_bytes(bytes).expect("the embedded model is whole"))
        };
        Arc::clone(MODEL.get_or_init(read))
    }

    /// The quantiles before their correction, as distances from the (cut) score in parts of a
    /// centipawn, in order.
    pub fn raw_quantiles(&self, features: &[i32; COUNT]) -> [i32; 5] {
        let mut values = self.quantiles.each_ref().map(|ensemble| ensemble.value(features));
        values.sort_unstable();
        values
    }

    /// The confidence before its correction.
    pub fn raw_confidence(&self, features: &[i32; COUNT]) -> i32 {
        self.confidence.value(features)
    }
}

/// From one iteration to the next a band grows and shrinks by this many percent at most.
const STEP: i64 = 40;

/// The band, no more than a step wider or narrower than the last one.
fn steady(band: Quantiles, last_width: Score) -> Quantiles {
    let (width, last) = (i64::from(band.uncertainty()), i64::from(last_width));
    if last <= 0 || width == 0 {
        return band;
    }
    let wanted = width.clamp(last * 100 / (100 + STEP), last * (100 + STEP) / 100);
    let scale = |value: Score| {
        clamp_eval(band.q50 + (i64::from(value - band.q50) * wanted / width) as Score)
    };
    let [q10, q25, q50, q75, q90] = band.to_array().map(scale);
    Quantiles { q10, q25, q50, q75, q90 }
}

impl Forecaster for Model {
    fn forecast(&self, facts: &Facts) -> Forecast {
        let features = features(facts);
        let raw = self.raw_quantiles(&features);
        let parts = self.correction.quantiles(facts, raw);
        let [q10, q25, q50, q75, q90] =
            parts.map(|part| clamp_eval(facts.score + (part + GRAIN / 2).div_euclid(GRAIN)));
        let quantiles = steady(Quantiles { q10, q25, q50, q75, q90 }, facts.last_width);
        let confidence = if facts.behind > 0 {
            quantiles.share_above(facts.score + facts.behind)
        } else {
            self.correction.confidence(self.raw_confidence(&features))
        };
        Forecast { quantiles, confidence }
    }
}

#[cfg(test)]
mod tests;
