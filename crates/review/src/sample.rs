//! Means with error bars.
//!
//! An error bar is half of a 95 % interval. Over the moves of one game it is Student's; over games,
//! whose moves depend on each other, games are counted and not moves.

use serde::Serialize;

/// Fewer values than this have a mean, but say nothing about chance.
pub const FEW: usize = 5;

/// A mean and half of its 95 % interval, where there are enough values for one.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Half of the interval; none with fewer than [`FEW`] values.
    pub error: Option<f64>,
}

/// Single values.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Sample {
    count: usize,
    sum: f64,
    squares: f64,
}

impl Sample {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The sum of the values.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The mean; none without values.
    pub fn mean(&self) -> Option<Mean> {
        let count = self.count as f64;
        let value = (self.count > 0).then(|| self.sum / count)?;
        let error = (self.count >= FEW).then(|| {
            let variance = (self.squares - count * value * value).max(0.0) / (count - 1.0);
            student(self.count - 1) * (variance / count).sqrt()
        });
        Some(Mean { value, error })
    }
}

/// What games lost by how many moves: the mean over all moves, with games as the units of chance.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Ratio {
    games: usize,
    sum: f64,
    count: f64,
    sum_squares: f64,
    products: f64,
    count_squares: f64,
}

impl Ratio {
    /// Adds a game in which this much was lost by this many moves; nothing without moves.
    pub fn add(&mut self, sum: f64, count: usize) {
        if count == 0 {
            return;
        }
        let count = count as f64;
        self.games += 1;
        self.sum += sum;
        self.count += count;
        self.sum_squares += sum * sum;
        self.products += sum * count;
        self.count_squares += count * count;
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games
    }

    /// How many moves there are.
    pub fn moves(&self) -> usize {
        self.count as usize
    }

    /// The mean of a move; none without moves.
    pub fn mean(&self) -> Option<Mean> {
        let value = (self.games > 0).then(|| self.sum / self.count)?;
        let error = (self.games >= FEW).then(|| {
            let residuals =
                self.sum_squares - 2.0 * value * self.products + value * value * self.count_squares;
            let games = self.games as f64;
            let spread = (residuals.max(0.0) * games / (games - 1.0)).sqrt() / self.count;
            student(self.games - 1) * spread
        });
        Some(Mean { value, error })
    }
}

/// The 97.5 % point of Student's distribution, to a thousandth from four degrees of freedom on.
fn student(freedom: usize) -> f64 {
    let inverse = 1.0 / freedom as f64;
    1.96 + inverse * (2.37 + inverse * (2.8 + inverse * 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of scipy.stats.t.ppf(0.975, n).
    #[test]
    fn students_points() {
        for (freedom, exact) in [(4, 2.7764), (5, 2.5706), (7, 2.3646), (10, 2.2281), (30, 2.0423)]
        {
            let found = student(freedom);
            assert!((found / exact - 1.0).abs() < 0.002, "{freedom}: {found} {exact}");
        }
    }

    #[test]
    fn means_and_errors() {
        let mut sample = Sample::default();
        assert_eq!(sample.mean(), None);
        sample.add(1.0);
        assert_eq!(sample.mean(), Some(Mean { value: 1.0, error: None }));
        (2..=5).for_each(|value| sample.add(f64::from(value)));
        let mean = sample.mean().unwrap();
        // sd 1.5811, t(4) 2.7764
        assert!((mean.value - 3.0).abs() < 1e-9 && (mean.error.unwrap() - 1.963).abs() < 0.02);
    }

    /// Games of equal length are as good as single values.
    #[test]
    fn a_ratio_of_equal_games_is_a_mean() {
        let (mut ratio, mut sample) = (Ratio::default(), Sample::default());
        for value in [0.1, 0.4, 0.2, 0.7, 0.3] {
            ratio.add(10.0 * value, 10);
            sample.add(value);
        }
        let (ratio, sample) = (ratio.mean().unwrap(), sample.mean().unwrap());
        assert!((ratio.value - sample.value).abs() < 1e-9);
        assert!((ratio.error.unwrap() - sample.error.unwrap()).abs() < 1e-9);
    }
}
