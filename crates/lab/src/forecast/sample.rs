//! A pair of searches as a line of text: who, how long, what the short one knew, what the long one
//! found. Numbers only, so that any program can read it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use eval::score::{self, Score};
use eval::{Facts, Quantiles};
use forecast::CUT;

/// What became of a line in a search 64 times as long.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    /// The position's key.
    pub(crate) position: u64,
    /// The limit of the short search; 0 if the facts are those of an iteration of the long one.
    pub(crate) budget: u64,
    /// Material on the board, for the model of chances.
    pub(crate) material: u32,
    pub(crate) facts: Facts,
    /// The long search's score.
    pub(crate) truth: Score,
    /// What a long search of the short one's move alone finds; the same if the move is the same,
    /// none if nobody looked.
    pub(crate) own: Option<Score>,
}

/// Which samples are for what: decided by the position, so that no position is in two parts.
#[derive(Copy, Clone, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Those the model is fitted to, 60 %
    Fit,
    /// Those its quantiles are corrected by, 15 %
    Correct,
    /// Those it is judged by, 25 %
    Judge,
}

impl Part {
    /// The part of the position with this key.
    pub(crate) fn of(position: u64) -> Self {
        match (position.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % 100 {
            0..60 => Self::Fit,
            60..75 => Self::Correct,
            _ => Self::Judge,
        }
    }
}

impl Sample {
    pub(crate) fn part(&self) -> Part {
        Part::of(self.position)
    }

    /// What the forecast should have said, as a distance from the score; both cut.
    pub(crate) fn change(&self) -> i32 {
        cut(self.truth) - cut(self.facts.score)
    }

    pub(crate) fn to_line(self) -> String {
        let mut words = vec![format!("{:016x}", self.position)];
        let numbers = [self.budget as i64, i64::from(self.material)];
        let own = self.own.map_or(NONE, i64::from);
        let all =
            numbers.into_iter().chain(to_numbers(&self.facts)).chain([self.truth.into(), own]);
        words.extend(all.map(|number| number.to_string()));
        words.join(" ")
    }

    pub(crate) fn parse(line: &str) -> anyhow::Result<Self> {
        let (position, rest) = line.split_once(' ').context("expected numbers, got one word")?;
        let position = u64::from_str_radix(position, 16)
            .with_context(|| format!("expected a key of 16 digits, got {position:?}"))?;
        let numbers: Vec<i64> = rest
            .split(' ')
            .map(|word| word.parse().with_context(|| format!("expected a number, got {word:?}")))
            .collect::<Result<_, _>>()?;
        let wanted = to_numbers(&Facts::default()).len() + 4;
        ensure!(numbers.len() == wanted, "expected {wanted} numbers, got {}", numbers.len());
        let [budget, material, facts @ .., truth, own] = numbers.as_slice() else {
            bail!("expected {wanted} numbers, got {}", numbers.len());
        };
        Ok(Self {
            position,
            budget: *budget as u64,
            material: *material as u32,
            facts: from_numbers(facts),
            truth: *truth as Score,
            own: Some(*own).filter(|&own| own != NONE).map(|own| own as Score),
        })
    }
}

/// Stands for a score that nobody looked for.
const NONE: i64 = 99_999;

/// A score within what the model speaks of.
pub(crate) fn cut(score: Score) -> Score {
    if score::is_decisive(score) { CUT * score.signum() } else { score.clamp(-CUT, CUT) }
}

/// A field of the facts as numbers of a line.
trait Field: Sized {
    fn write(self, numbers: &mut Vec<i64>);
    /// Reads what [`Field::write`] wrote; there are enough numbers.
    fn read(numbers: &mut impl Iterator<Item = i64>) -> Self;
}

/// Fields of one number.
macro_rules! numbers {
    ($($type:ty: |$value:ident| $to:expr, |$number:ident| $from:expr;)*) => {$(
        impl Field for $type {
            fn write(self, numbers: &mut Vec<i64>) {
                let $value = self;
                numbers.push($to);
            }
            fn read(numbers: &mut impl Iterator<Item = i64>) -> Self {
                let $number = numbers.next().unwrap_or(0);
                $from
            }
        }
    )*};
}

numbers! {
    i32: |value| value.into(), |number| number as i32;
    u64: |value| value as i64, |number| number as u64;
    bool: |value| value.into(), |number| number != 0;
}

impl<const N: usize> Field for [Score; N] {
    fn write(self, numbers: &mut Vec<i64>) {
        numbers.extend(self.map(i64::from));
    }
    fn read(numbers: &mut impl Iterator<Item = i64>) -> Self {
        std::array::from_fn(|_| Score::read(numbers))
    }
}

impl Field for Quantiles {
    fn write(self, numbers: &mut Vec<i64>) {
        self.to_array().write(numbers);
    }
    fn read(numbers: &mut impl Iterator<Item = i64>) -> Self {
        let [q10, q25, q50, q75, q90] = Field::read(numbers);
        Self { q10, q25, q50, q75, q90 }
    }
}

/// Writes and reads the facts in the order of these fields.
macro_rules! facts {
    ($($field:ident)*) => {
        fn to_numbers(facts: &Facts) -> Vec<i64> {
            // Follows from the model: see `judge::follow`.
            let Facts { $($field,)* last_width: _ } = *facts;
            let mut numbers = Vec::new();
            $($field.write(&mut numbers);)*
            numbers
        }

        /// The opposite.
        fn from_numbers(numbers: &[i64]) -> Facts {
            let mut numbers = numbers.iter().copied();
            $(let $field = Field::read(&mut numbers);)*
            Facts { $($field,)* last_width: 0 }
        }
    };
}

facts! {
    depth seldepth nodes score scores
    stood changes fails_low fails_high share rival_share latest_share
    lead noisy behind root leaf
    correction men moves fifty check length
    drawn tablebases sunk risen unfinished
}

/// All samples of some files.
pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in paths {
        samples.extend(read_one(path)?);
    }
    Ok(samples)
}

/// All samples of a file; none if there is no such file. A last line that was cut off is left out.
pub(crate) fn read_one(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the samples {}", path.display()))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let parse = |(number, line): (usize, &str)| {
        Sample::parse(line).with_context(|| format!("{}, line {}", path.display(), number + 1))
    };
    whole.lines().enumerate().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_and_reading_agree() {
        let facts = Facts {
            depth: 7,
            nodes: 4_000_000,
            score: -31,
            scores: [1, 2, 3, 4, 5, 6, 7, 8],
            share: 512,
            lead: -8,
            noisy: true,
            root: Quantiles::from_gaps(10, [1, 2, 3, 4]),
            leaf: Quantiles::from_gaps(-10, [4, 3, 2, 1]),
            check: true,
            unfinished: 99,
            ..Facts::default()
        };
        for own in [None, Some(-77)] {
            let sample = Sample { position: 7, budget: 1000, material: 60, facts, truth: 55, own };
            assert_eq!(Sample::parse(&sample.to_line()).unwrap(), sample);
        }
    }

    #[test]
    fn bad_lines_are_refused() {
        for line in ["", "0123", "xyz 1 2 3", "00ff 1 2 3", "00ff 1 two 3"] {
            assert!(Sample::parse(line).is_err(), "{line}");
        }
    }
}
