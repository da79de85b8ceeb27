//! Which parameters are tuned, how far each is moved and how fast it learns.

use anyhow::{bail, ensure};
use engine::{PARAMS, Param};

/// How steps and pulls shrink in the course of a run (exponents as in Spall's papers).
#[derive(Copy, Clone, Debug)]
pub(crate) struct Schedule {
    /// Pairs of the whole run.
    pub(crate) pairs: u64,
    /// Pull at the end, as a share of the step.
    pub(crate) pull: f64,
}

const STEP_EXPONENT: f64 = 0.101;
const PULL_EXPONENT: f64 = 0.602;
/// The share of the run in which pulls hardly shrink.
const STABLE: f64 = 0.1;

impl Schedule {
    /// How many of its final steps a parameter is moved in this pair: more than one before the end.
    fn steps(&self, pair: u64) -> f64 {
        (self.pairs as f64 / (pair + 1) as f64).powf(STEP_EXPONENT)
    }

    /// How many of its final steps a pair won by two points pulls a parameter.
    fn pull(&self, pair: u64) -> f64 {
        let (all, stable) = (self.pairs as f64, STABLE * self.pairs as f64);
        let rate = ((all + stable) / ((pair + 1) as f64 + stable)).powf(PULL_EXPONENT);
        self.pull * rate / self.steps(pair)
    }
}

/// The chosen parameters.
pub(crate) struct Plan {
    pub(crate) parameters: Vec<&'static Param>,
    schedule: Schedule,
}

impl Plan {
    /// Chooses by names, or by beginnings of names that end in a star.
    pub(crate) fn new(
        tune: &[String],
        skip: &[String],
        schedule: Schedule,
    ) -> anyhow::Result<Self> {
        let names = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == pattern,
        };
        for pattern in tune.iter().chain(skip) {
            if !PARAMS.iter().any(|param| names(pattern, param.name)) {
                bail!("expected the name of a parameter of the search, got {pattern:?}");
            }
        }
        let any = |list: &[String], param: &Param| list.iter().any(|p| names(p, param.name));
        let parameters: Vec<_> =
            PARAMS.iter().filter(|param| any(tune, param) && !any(skip, param)).collect();
        ensure!(!parameters.is_empty(), "expected parameters to tune, all are skipped");
        Ok(Self { parameters, schedule })
    }

    /// The values of both players of a pair: moved as the signs say, and the other way.
    pub(crate) fn tried(&self, values: &[f64], signs: &[f64], pair: u64) -> [Vec<i32>; 2] {
        let steps = self.schedule.steps(pair);
        [1.0, -1.0].map(|side| {
            let moved = self.parameters.iter().zip(values).zip(signs).map(|((p, value), sign)| {
                // At least to the next whole number: else both would play with the same value.
                let step = (f64::from(p.step) * steps).max(0.5);
                let moved = (value + side * sign * step).round();
                moved.clamp(f64::from(p.min), f64::from(p.max)) as i32
            });
            moved.collect()
        })
    }

    /// Pulls the values to the side of whoever scored; `points` from -2 (the second player won
    /// both games) to 2.
    pub(crate) fn learn(&self, values: &mut [f64], signs: &[f64], pair: u64, points: i32) {
        let pull = self.schedule.pull(pair) * f64::from(points) / 2.0;
        for ((p, value), sign) in self.parameters.iter().zip(values).zip(signs) {
            *value = (*value + pull * sign * f64::from(p.step))
                .clamp(f64::from(p.min), f64::from(p.max));
        }
    }

    /// The parameters that have gone furthest, for the progress bar.
    pub(crate) fn furthest(&self, values: &[f64]) -> String {
        let mut gone: Vec<_> = self
            .parameters
            .iter()
            .zip(values)
            .map(|(p, value)| ((value - f64::from(p.default)) / f64::from(p.step), p.name))
            .collect();
        gone.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let words: Vec<_> =
            gone.iter().take(3).map(|(steps, name)| format!("{name} {steps:+.1}")).collect();
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::signs;
    use chess::Rng;

    const SCHEDULE: Schedule = Schedule { pairs: 1000, pull: 0.01 };

    fn plan(tune: &[&str], skip: &[&str]) -> anyhow::Result<Plan> {
        let owned = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
        Plan::new(&owned(tune), &owned(skip), SCHEDULE)
    }

    #[test]
    fn names_and_stars_choose() {
        let chosen = plan(&["doubt_*", "rfp_margin"], &["doubt_clock"]).unwrap();
        let names: Vec<_> = chosen.parameters.iter().map(|p| p.name).collect();
        assert!(names.contains(&"rfp_margin") && names.contains(&"doubt_rfp"), "{names:?}");
        assert!(!names.contains(&"doubt_clock") && !names.contains(&"rfp_improving"), "{names:?}");
        let error = plan(&["rfp_margins"], &[]).err().unwrap().to_string();
        assert!(error.contains("rfp_margins"), "{error}");
        assert!(plan(&["rfp_margin"], &["*"]).is_err());
    }

    #[test]
    fn steps_and_pulls_shrink_to_their_last_values() {
        assert!((SCHEDULE.steps(999) - 1.0).abs() < 1e-9);
        assert!((SCHEDULE.pull(999) - SCHEDULE.pull).abs() < 1e-9);
        assert!(SCHEDULE.steps(0) > SCHEDULE.steps(500) && SCHEDULE.pull(0) > SCHEDULE.pull(500));
    }

    /// Against an opponent that answers truly, the values go to where they are best.
    #[test]
    fn values_climb_to_the_best() {
        let plan = plan(&["rfp_margin", "lmr_tt_pv", "doubt_rfp"], &[]).unwrap();
        let best: Vec<f64> =
            plan.parameters.iter().map(|p| f64::from(p.default + 3 * p.step)).collect();
        let worth = |tried: &[i32]| -> f64 {
            let off = tried.iter().zip(&best).zip(&plan.parameters);
            off.map(|((&v, b), p)| -((f64::from(v) - b) / f64::from(p.step)).powi(2)).sum()
        };
        let mut values: Vec<f64> = plan.parameters.iter().map(|p| f64::from(p.default)).collect();
        for pair in 0..SCHEDULE.pairs {
            let signs = signs(&mut Rng::stream(1, pair), plan.parameters.len());
            let [up, down] = plan.tried(&values, &signs, pair);
            let points = if worth(&up) > worth(&down) { 2 } else { -2 };
            plan.learn(&mut values, &signs, pair, points);
        }
        for ((value, best), p) in values.iter().zip(&best).zip(&plan.parameters) {
            assert!((value - best).abs() < f64::from(p.step), "{}: {value}, best {best}", p.name);
        }
    }

    #[test]
    fn both_sides_differ_and_stay_in_bounds() {
        let plan = plan(&["*"], &[]).unwrap();
        let values: Vec<f64> = plan.parameters.iter().map(|p| f64::from(p.max)).collect();
        let signs = signs(&mut Rng::stream(1, 1), plan.parameters.len());
        let [up, down] = plan.tried(&values, &signs, 999);
        for ((a, b), p) in up.iter().zip(&down).zip(&plan.parameters) {
            assert!(a != b && p.min <= *a.min(b) && *a.max(b) <= p.max, "{}: {a} {b}", p.name);
        }
    }
}
