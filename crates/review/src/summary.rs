//! A side's moves in numbers: losses with error bars, marks, time.

use std::time::Duration;

use crate::marks::Mark;
use crate::review::Step;
use crate::sample::{Mean, Sample};

/// The sum over some moves of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// All moves.
    pub moves: usize,
    /// Moves of theory, which are not judged.
    pub book: usize,
    /// Moves that were the engine's choice.
    pub agreed: usize,
    /// Moves too close to call.
    pub unclear: usize,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
    /// Expected points lost by the judged moves.
    pub loss: Sample,
    /// How accurate the judged moves were, in percent.
    pub accuracy: Sample,
    /// Time that moves took, where it is known.
    pub time: Option<Duration>,
    /// Moves in time trouble, and the points lost by them.
    pub trouble: Sample,
}

impl Summary {
    /// Sums up.
    pub fn of<'a>(steps: impl Iterator<Item = &'a Step>) -> Self {
        let mut summary = Self::default();
        steps.for_each(|step| summary.add(step));
        summary
    }

    fn add(&mut self, step: &Step) {
        self.moves += 1;
        self.agreed += usize::from(step.agrees());
        if let Some(spent) = step.time.spent {
            *self.time.get_or_insert_default() += spent;
        }
        if step.is_book {
            self.book += 1;
            return;
        }
        self.loss.add(step.loss);
        self.accuracy.add(accuracy(step.loss));
        if step.time.is_trouble {
            self.trouble.add(step.loss);
        }
        match step.mark {
            Mark::Fine => {}
            Mark::Unclear => self.unclear += 1,
            Mark::Inaccuracy => self.inaccuracies += 1,
            Mark::Mistake => self.mistakes += 1,
            Mark::Blunder => self.blunders += 1,
        }
    }

    /// Points lost per judged move.
    pub fn mean_loss(&self) -> f64 {
        self.loss.mean().map_or(0.0, |mean| mean.value)
    }
}

/// The accuracy of a move in percent, by the curve that Lichess uses for the chance to win.
/// (<https://lichess.org/page/accuracy>)
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// `0.041 ± 0.020`, in as many digits as asked for; the error only where there is one.
pub fn with_error(mean: Option<Mean>, digits: usize) -> String {
    match mean {
        None => "–".to_owned(),
        Some(Mean { value, error: None }) => format!("{value:.digits$}"),
        Some(Mean { value, error: Some(error) }) => format!("{value:.digits$} ± {error:.digits$}"),
    }
}

/// `1:02:03` or `2:03`
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_loses_nothing_is_accurate() {
        assert!((accuracy(0.0) - 100.0).abs() < 0.01);
        assert!(accuracy(0.1) > 60.0 && accuracy(0.1) < 65.0 && accuracy(1.0) == 0.0);
    }

    #[test]
    fn texts() {
        assert_eq!(with_error(None, 2), "–");
        assert_eq!(with_error(Some(Mean { value: 0.5, error: Some(0.1) }), 2), "0.50 ± 0.10");
        assert_eq!(time_text(Duration::from_secs(3723)), "1:02:03");
        assert_eq!(time_text(Duration::from_secs(63)), "1:03");
    }
}
