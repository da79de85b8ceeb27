//! What several reports compute alike: shares with their error, losses of quantiles, correlations of
//! ranks, and how well probabilities that were said fit what came.

/// The levels of the five quantiles, from low to high.
pub(crate) const LEVELS: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// The loss of a quantile that was said: it is least where the truth is below with that level's
/// probability.
pub(crate) fn pinball(level: f64, truth: f64, quantile: f64) -> f64 {
    let error = truth - quantile;
    if error > 0.0 { level * error } else { (level - 1.0) * error }
}

/// The logistic function: how likely a win is, from an advantage in log-odds.
pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The mean of some values; not a number if there are none.
pub(crate) fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// Twice the standard error of a share of this many, in percent.
pub(crate) fn error_of_share(share: f64, of: usize) -> f64 {
    200.0 * (share * (1.0 - share) / of.max(1) as f64).sqrt()
}

/// A share in percent, with twice its standard error.
pub(crate) fn percent(hits: usize, of: usize) -> String {
    let share = hits as f64 / of.max(1) as f64;
    format!("{:4.1} ± {:.1} %", 100.0 * share, error_of_share(share, of))
}

/// Cases in which about the same probability was said.
pub(crate) struct Tenth {
    /// The least probability that belongs here.
    pub(crate) from: f64,
    pub(crate) count: usize,
    /// The mean probability said.
    pub(crate) said: f64,
    /// The share of cases in which it came true.
    pub(crate) came: f64,
}

/// What was said against what came, for each tenth of probability that was said at all.
pub(crate) fn tenths(cases: &[(f64, bool)]) -> Vec<Tenth> {
    let tenth = |tenth: usize| {
        let members: Vec<_> =
            cases.iter().filter(|(said, _)| ((10.0 * said) as usize).min(9) == tenth).collect();
        (!members.is_empty()).then(|| Tenth {
            from: tenth as f64 / 10.0,
            count: members.len(),
            said: mean(members.iter().map(|(said, _)| *said)),
            came: mean(members.iter().map(|(_, came)| f64::from(*came))),
        })
    };
    (0..10).filter_map(tenth).collect()
}

/// How far off probabilities were that were said.
pub(crate) struct Brier {
    /// The mean square of their errors.
    pub(crate) score: f64,
    /// How often what they spoke of came.
    pub(crate) base_rate: f64,
    /// The score of whoever says the base rate each time.
    pub(crate) of_base_rate: f64,
}

impl Brier {
    pub(crate) fn new(cases: &[(f64, bool)]) -> Self {
        let base_rate = mean(cases.iter().map(|(_, came)| f64::from(*came)));
        let score = |said: &dyn Fn(f64) -> f64| {
            mean(cases.iter().map(|&(p, came)| (said(p) - f64::from(came)).powi(2)))
        };
        Self { score: score(&|said| said), base_rate, of_base_rate: score(&|_| base_rate) }
    }

    /// By how many percent the score is below that of the base rate.
    pub(crate) fn percent_less(&self) -> f64 {
        100.0 * (1.0 - self.score / self.of_base_rate)
    }
}

/// Spearman's correlation: do larger values of one go with larger values of the other?
pub(crate) fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    if scale > 0.0 { product(&a, &b) / scale } else { 0.0 }
}

/// The rank of each value from 0; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&i, &j| values[i] == values[j]) {
        for &i in equal {
            ranks[i] = first as f64 + (equal.len() as f64 - 1.0) / 2.0;
        }
        first += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 0.0]), [2.5, 1.0, 2.5, 0.0]);
    }

    #[test]
    fn rank_correlation_of_order_and_reverse() {
        let a = [1.0, 2.0, 3.0, 10.0];
        assert!((rank_correlation(&a, &[2.0, 4.0, 5.0, 6.0]) - 1.0).abs() < 1e-12);
        assert!((rank_correlation(&a, &[9.0, 4.0, 3.0, 1.0]) + 1.0).abs() < 1e-12);
        assert_eq!(rank_correlation(&a, &[1.0; 4]), 0.0);
    }

    #[test]
    fn shares_have_twice_their_standard_error() {
        assert_eq!(percent(25, 100), "25.0 ± 8.7 %");
        assert_eq!(percent(0, 0), " 0.0 ± 0.0 %");
    }

    #[test]
    fn probabilities_are_compared_with_what_came() {
        let cases = [(0.25, false), (0.25, true), (1.0, true), (0.25, false)];
        let found: Vec<_> = tenths(&cases).iter().map(|t| (t.from, t.count, t.came)).collect();
        assert_eq!(found, [(0.2, 3, 1.0 / 3.0), (0.9, 1, 1.0)]);
        let brier = Brier::new(&cases);
        assert!((brier.score - (2.0 * 0.0625 + 0.5625) / 4.0).abs() < 1e-12);
        assert_eq!((brier.base_rate, brier.of_base_rate), (0.5, 0.25));
        assert!((brier.percent_less() - 31.25).abs() < 1e-9);
    }
}
