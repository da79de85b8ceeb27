//! Boosting: trees fitted one after the other to what the sum of those before has left.
//!
//! For a quantile the loss is the quantile loss and a leaf's value the quantile of what is left in
//! it; for a probability the loss is the logarithm's and a leaf's value a Newton step. Sums are
//! integers from the beginning, so that the fit sees what the model will compute.

use chess::Rng;
use forecast::{COUNT, Ensemble, LEAVES, SPLITS, Split, Tree};

/// Values of a feature are sorted into at most this many bins.
const BINS: usize = 64;

/// How to fit.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) trees: usize,
    /// The part of its wish that each tree is granted.
    pub(crate) rate: f64,
    /// Least weight of the samples in a leaf.
    pub(crate) leaf: f64,
    /// The part of the samples each tree sees.
    pub(crate) part: f64,
    pub(crate) seed: u64,
}

/// An ensemble to which trees are added, and what it says of each sample.
pub(crate) struct Begun {
    ensemble: Ensemble,
    sums: Vec<i32>,
}

impl Begun {
    /// One that says the same number of all samples.
    fn constant(base: i32, samples: usize) -> Self {
        Self { ensemble: Ensemble { base, trees: Vec::new() }, sums: vec![base; samples] }
    }

    /// One that was fitted to other samples.
    pub(crate) fn new(ensemble: &Ensemble, features: &[[i32; COUNT]]) -> Self {
        let sums = features.iter().map(|features| ensemble.value(features)).collect();
        Self { ensemble: ensemble.clone(), sums }
    }
}

/// Samples, sorted into bins.
pub(crate) struct Table {
    /// Above how many edges each feature of each sample is.
    bins: Vec<[u8; COUNT]>,
    edges: Vec<Vec<i32>>,
    weights: Vec<f64>,
}

impl Table {
    pub(crate) fn new(features: &[[i32; COUNT]], weights: Vec<f64>) -> Self {
        let edges: Vec<Vec<i32>> = (0..COUNT)
            .map(|feature| {
                let mut values: Vec<i32> = features.iter().map(|row| row[feature]).collect();
                values.sort_unstable();
                let last = values.len().saturating_sub(1);
                let mut edges: Vec<i32> =
                    (1..BINS).filter_map(|bin| values.get(last * bin / BINS).copied()).collect();
                edges.dedup();
                edges
            })
            .collect();
        let bins = features.iter().map(|row| {
            std::array::from_fn(|feature| {
                edges[feature].partition_point(|&edge| edge < row[feature]) as u8
            })
        });
        Self { bins: bins.collect(), edges, weights }
    }

    fn len(&self) -> usize {
        self.bins.len()
    }

    /// The leaf each sample falls into, and the questions, for a tree that tells large gradients
    /// from small ones; only samples that `seen` has count.
    fn grow(&self, pulls: &[Pull], seen: &[u32], leaf: f64) -> ([Split; SPLITS], Vec<u8>) {
        // A question that everybody answers with no.
        let mut splits = [Split { feature: 0, threshold: i32::MAX }; SPLITS];
        let mut at = vec![0_u8; self.len()];
        let mut level_start = 0;
        while level_start < SPLITS {
            let count = level_start + 1;
            let mut sums = vec![[[Pull::default(); BINS]; COUNT]; count];
            for &i in seen {
                let i = i as usize;
                let node = &mut sums[usize::from(at[i]) - level_start];
                for (bins, &bin) in node.iter_mut().zip(&self.bins[i]) {
                    bins[usize::from(bin)].add(pulls[i]);
                }
            }
            let mut chosen = vec![None; count];
            for (node, sums) in sums.iter().enumerate() {
                chosen[node] = best_question(sums, leaf);
                if let Some((feature, bin)) = chosen[node] {
                    let threshold = self.edges[feature][bin];
                    splits[level_start + node] = Split { feature: feature as u8, threshold };
                }
            }
            for (at, bins) in at.iter_mut().zip(&self.bins) {
                let right = chosen[usize::from(*at) - level_start]
                    .is_some_and(|(feature, bin)| usize::from(bins[feature]) > bin);
                *at = 2 * *at + 1 + u8::from(right);
            }
            level_start = 2 * level_start + 1;
        }
        for at in &mut at {
            *at -= SPLITS as u8;
        }
        (splits, at)
    }

    fn draw(&self, plan: &Plan, rng: &mut Rng) -> Vec<u32> {
        (0..self.len() as u32).filter(|_| rng.chance(plan.part)).collect()
    }

    /// Trees for a quantile of `targets`, which are in the model's units.
    pub(crate) fn fit_quantile(&self, targets: &[i32], level: f64, plan: &Plan) -> Ensemble {
        let all: Vec<u32> = (0..self.len() as u32).collect();
        let base = self.quantile(&all, level, |i| targets[i]);
        let begun = Begun::constant(base, self.len());
        self.improve_quantile(begun, targets, level, plan)
    }

    /// Adds trees for a quantile of `targets`.
    pub(crate) fn improve_quantile(
        &self,
        begun: Begun,
        targets: &[i32],
        level: f64,
        plan: &Plan,
    ) -> Ensemble {
        let Begun { mut ensemble, mut sums } = begun;
        let mut rng = Rng::stream(plan.seed, (1000.0 * level) as u64);
        for _ in 0..plan.trees {
            let pulls: Vec<Pull> = (0..self.len())
                .map(|i| {
                    let up = if targets[i] > sums[i] { level } else { level - 1.0 };
                    Pull { force: self.weights[i] * up, weight: self.weights[i] }
                })
                .collect();
            let seen = self.draw(plan, &mut rng);
            let (splits, at) = self.grow(&pulls, &seen, plan.leaf);
            let leaves = self.leaves(&at, &seen, |members| {
                plan.rate * f64::from(self.quantile(members, level, |i| targets[i] - sums[i]))
            });
            for (sum, &at) in sums.iter_mut().zip(&at) {
                *sum += leaves[usize::from(at)];
            }
            ensemble.trees.push(Tree { splits, leaves });
        }
        ensemble
    }

    /// Trees for the logarithm of the odds that `happened` is true, in parts of one.
    pub(crate) fn fit_odds(&self, happened: &[bool], unit: f64, plan: &Plan) -> Ensemble {
        let total: f64 = self.weights.iter().sum();
        let yes: f64 =
            self.weights.iter().zip(happened).filter(|&(_, &yes)| yes).map(|(w, _)| w).sum();
        let odds = (yes + 1.0) / (total - yes + 1.0);
        let base = (unit * odds.ln()).round() as i32;
        let begun = Begun::constant(base, self.len());
        self.improve_odds(begun, happened, unit, plan)
    }

    /// Adds trees for the logarithm of such odds.
    pub(crate) fn improve_odds(
        &self,
        begun: Begun,
        happened: &[bool],
        unit: f64,
        plan: &Plan,
    ) -> Ensemble {
        let Begun { mut ensemble, mut sums } = begun;
        let mut rng = Rng::stream(plan.seed, 1);
        for _ in 0..plan.trees {
            let pulls: Vec<Pull> = (0..self.len())
                .map(|i| {
                    let p = 1.0 / (1.0 + (-f64::from(sums[i]) / unit).exp());
                    let y = f64::from(u8::from(happened[i]));
                    Pull {
                        force: self.weights[i] * (y - p),
                        weight: self.weights[i] * p * (1.0 - p),
                    }
                })
                .collect();
            let seen = self.draw(plan, &mut rng);
            // The weights are at most a quarter here.
            let (splits, at) = self.grow(&pulls, &seen, plan.leaf / 4.0);
            let leaves = self.leaves(&at, &seen, |members| {
                let mut sum = Pull::default();
                for &i in members {
                    sum.add(pulls[i as usize]);
                }
                plan.rate * unit * sum.force / (sum.weight + 1.0)
            });
            for (sum, &at) in sums.iter_mut().zip(&at) {
                *sum += leaves[usize::from(at)];
            }
            ensemble.trees.push(Tree { splits, leaves });
        }
        ensemble
    }

    /// The value of each leaf from those of its members that are seen; 0 where there is none.
    fn leaves(&self, at: &[u8], seen: &[u32], value: impl Fn(&[u32]) -> f64) -> [i32; LEAVES] {
        let mut members: [Vec<u32>; LEAVES] = Default::default();
        for &i in seen {
            members[usize::from(at[i as usize])].push(i);
        }
        members.map(|members| if members.is_empty() { 0 } else { value(&members).round() as i32 })
    }

    /// The weighted quantile of some samples' values.
    fn quantile(&self, members: &[u32], level: f64, value: impl Fn(usize) -> i32) -> i32 {
        let mut values: Vec<(i32, f64)> =
            members.iter().map(|&i| (value(i as usize), self.weights[i as usize])).collect();
        values.sort_unstable_by_key(|&(value, _)| value);
        let total: f64 = values.iter().map(|&(_, weight)| weight).sum();
        let mut below = 0.0;
        for &(value, weight) in &values {
            below += weight;
            if below >= level * total {
                return value;
            }
        }
        values.last().map_or(0, |&(value, _)| value)
    }
}

/// How a sample, or several together, would move the sum, and how much they count.
#[derive(Copy, Clone, Debug, Default)]
struct Pull {
    force: f64,
    weight: f64,
}

impl Pull {
    fn add(&mut self, other: Self) {
        self.force += other.force;
        self.weight += other.weight;
    }

    fn gain(self) -> f64 {
        if self.weight > 0.0 { self.force * self.force / self.weight } else { 0.0 }
    }
}

/// The question that separates the forces best, if one leaves enough on both sides.
fn best_question(sums: &[[Pull; BINS]; COUNT], leaf: f64) -> Option<(usize, usize)> {
    let mut best = None;
    let mut most = 1e-9;
    for (feature, bins) in sums.iter().enumerate() {
        let mut all = Pull::default();
        bins.iter().for_each(|&bin| all.add(bin));
        let mut left = Pull::default();
        for (bin, &sum) in bins.iter().enumerate().take(BINS - 1) {
            left.add(sum);
            let right = Pull { force: all.force - left.force, weight: all.weight - left.weight };
            if left.weight < leaf || right.weight < leaf {
                continue;
            }
            let gain = left.gain() + right.gain() - all.gain();
            if gain > most {
                most = gain;
                best = Some((feature, bin));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan = Plan { trees: 60, rate: 0.2, leaf: 20.0, part: 0.8, seed: 1 };

    /// Noise whose size depends on one feature, and the sign of its mean on another.
    fn noise(count: usize) -> (Vec<[i32; COUNT]>, Vec<i32>) {
        let mut rng = Rng::new(5);
        let mut draw = || {
            let mut row = [0; COUNT];
            row[3] = rng.below(100) as i32;
            row[7] = rng.below(2) as i32;
            let spread = if row[3] < 50 { 100 } else { 1000 };
            let middle = if row[7] == 0 { -300 } else { 300 };
            (row, middle + rng.below(2 * spread + 1) as i32 - spread as i32)
        };
        (0..count).map(|_| draw()).unzip()
    }

    #[test]
    fn quantiles_of_noise_are_found() {
        let (features, targets) = noise(4000);
        let table = Table::new(&features, vec![1.0; features.len()]);
        // Large leaves: the median of twenty such numbers is often 200 off by itself.
        let plan = Plan { leaf: 200.0, ..PLAN };
        for (level, inner, outer) in [(0.1, -80, -800), (0.5, 0, 0), (0.9, 80, 800)] {
            let ensemble = table.fit_quantile(&targets, level, &plan);
            let mut row = [0; COUNT];
            for (size, expected, most) in [(20, inner, 100), (80, outer, 200)] {
                for (side, middle) in [(0, -300), (1, 300)] {
                    (row[3], row[7]) = (size, side);
                    let error = ensemble.value(&row) - expected - middle;
                    assert!(error.abs() < most, "{level} {size} {side}: {error} off");
                }
            }
        }
    }

    /// What was fitted to few samples becomes better with others, without being fitted anew.
    #[test]
    fn a_fit_goes_on_with_other_samples() {
        let (features, targets) = noise(4000);
        let (few, many) = (200, 3000);
        let table = |range: std::ops::Range<usize>| {
            Table::new(&features[range.clone()], vec![1.0; range.len()])
        };
        let first = table(0..few).fit_quantile(&targets[..few], 0.9, &PLAN);
        let begun = Begun::new(&first, &features[few..many]);
        let more = table(few..many).improve_quantile(begun, &targets[few..many], 0.9, &PLAN);
        assert_eq!(more.trees.len(), 2 * first.trees.len());
        let loss = |ensemble: &Ensemble| -> f64 {
            let judged = features[many..].iter().zip(&targets[many..]);
            let off = judged.map(|(row, &target)| f64::from(target - ensemble.value(row)));
            off.map(|off| if off > 0.0 { 0.9 * off } else { -0.1 * off }).sum()
        };
        assert!(loss(&more) < 0.97 * loss(&first), "{} {}", loss(&more), loss(&first));
    }

    #[test]
    fn odds_are_found() {
        let mut rng = Rng::new(8);
        let rows = (0..4000).map(|_| {
            let mut row = [0; COUNT];
            row[2] = rng.below(10) as i32;
            (row, rng.chance(if row[2] < 5 { 0.2 } else { 0.9 }))
        });
        let (features, happened): (Vec<_>, Vec<_>) = rows.unzip();
        let table = Table::new(&features, vec![1.0; features.len()]);
        let ensemble = table.fit_odds(&happened, 1024.0, &PLAN);
        let chance = |value| {
            let mut row = [0; COUNT];
            row[2] = value;
            1.0 / (1.0 + (-f64::from(ensemble.value(&row)) / 1024.0).exp())
        };
        assert!((chance(1) - 0.2).abs() < 0.05 && (chance(8) - 0.9).abs() < 0.05);
    }

    #[test]
    fn nothing_to_learn_is_no_error() {
        let table = Table::new(&[], Vec::new());
        assert_eq!(table.fit_quantile(&[], 0.5, &PLAN).value(&[0; COUNT]), 0);
        let same = Table::new(&[[1; COUNT]; 50], vec![1.0; 50]);
        assert_eq!(same.fit_quantile(&[7; 50], 0.25, &PLAN).value(&[1; COUNT]), 7);
    }
}
