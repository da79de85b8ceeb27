//! How likely a player finds the best move.

use crate::Rating;

/// Three numbers that turn the share of a move into the chance that a player finds it, if it is
/// known to be better than all others.
///
/// Players see some of what makes it the best, so the chance is higher than the share, and the
/// more so the better they play. `brier-lab people-find` fits the numbers; docs/people.md has the
/// figures.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Finding(pub [f64; 3]);

impl Finding {
    /// The share as it is.
    pub const SHARE: Self = Self([0.0, 1.0, 0.0]);
    /// For the network that is built in.
    pub const BUILT_IN: Self = Self([0.71, 0.45, 0.44]);

    /// The chance for a move of this share.
    pub fn chance(self, share: f32, rating: Rating) -> f64 {
        let facts = Self::facts(share, rating);
        let sum: f64 = self.0.iter().zip(facts).map(|(weight, fact)| weight * fact).sum();
        1.0 / (1.0 + (-sum).exp())
    }

    /// What the numbers are multiplied with: one, the share's log-odds, thousands of points above 1800.
    pub fn facts(share: f32, rating: Rating) -> [f64; 3] {
        let share = f64::from(share).clamp(1e-4, 1.0 - 1e-4);
        let points = f64::from(rating.points());
        [1.0, (share / (1.0 - share)).ln(), (points - 1800.0) / 1000.0]
    }
}

#[cfg(test)]
mod tests {
    use super::Finding;
    use crate::Rating;

    #[test]
    fn chances_rise_with_the_share() {
        let rating = Rating::new(1500);
        for finding in [Finding::SHARE, Finding::BUILT_IN] {
            let chances: Vec<f64> =
                (0..=100).map(|share| finding.chance(share as f32 / 100.0, rating)).collect();
            assert!(chances.windows(2).all(|pair| pair[0] < pair[1]), "{chances:?}");
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
        }
        assert!((Finding::SHARE.chance(0.3, rating) - 0.3).abs() < 1e-6);
    }
}
