//! The doubt of an evaluation, and margins that follow it.
//!
//! Wherever a margin guards a guess, a wide distribution asks for a larger one and a narrow one
//! gets by with less. A certain evaluation (no width at all) leaves every margin as it is, so the
//! search is the same code for evaluators with and without doubt.

use eval::Score;

use crate::params::doubt;

/// How far the quantiles lie from the median, rounded so that both gaps fit into the table beside the key.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Doubt {
    below: u8,
    above: u8,
}

impl Doubt {
    const UNIT: Score = 4;

    /// From the distances of q10 and q90 to the median.
    pub(crate) fn new(below: Score, above: Score) -> Self {
        let pack = |gap: Score| (gap / Self::UNIT).clamp(0, 255) as u8;
        Self { below: pack(below), above: pack(above) }
    }

    /// Sixteen bits, for the table.
    pub(crate) fn to_bits(self) -> u16 {
        u16::from_be_bytes([self.below, self.above])
    }

    pub(crate) fn from_bits(bits: u16) -> Self {
        let [below, above] = bits.to_be_bytes();
        Self { below, above }
    }

    /// The median minus q10.
    pub(crate) fn below(self) -> Score {
        Score::from(self.below) * Self::UNIT
    }

    /// q90 minus the median.
    pub(crate) fn above(self) -> Score {
        Score::from(self.above) * Self::UNIT
    }

    /// The mean of both.
    pub(crate) fn mean(self) -> Score {
        (self.below() + self.above()) / 2
    }
}

/// How far a gap is from the usual one, in 1024ths of it, within bounds; 0 without any doubt.
#[inline]
fn excess(gap: Score) -> i32 {
    if gap == 0 {
        return 0;
    }
    ((gap - doubt::usual()) * 1024 / doubt::usual()).clamp(-doubt::least(), doubt::most())
}

/// A margin, wider or narrower by `weight` percent of how unusual the gap is.
#[inline]
pub(crate) fn scale(margin: Score, gap: Score, weight: i32) -> Score {
    margin + margin * excess(gap) / 1024 * weight / 100
}

/// How much to add to something for each usual width beyond the usual, times `weight`.
#[inline]
pub(crate) fn surplus(gap: Score, weight: i32) -> i32 {
    weight * excess(gap) / 1024
}

#[cfg(test)]
mod tests {
    use super::{scale, surplus};
    use crate::params::doubt;

    #[test]
    fn certainty_changes_nothing() {
        assert_eq!(scale(77, 0, 100), 77);
        assert_eq!(surplus(0, 500), 0);
    }

    #[test]
    fn the_wider_the_larger() {
        let usual = doubt::usual();
        assert_eq!(scale(100, usual, 100), 100);
        assert!(scale(100, 2 * usual, 50) > 100 && scale(100, usual / 2, 50) < 100);
        assert!(scale(100, 100 * usual, 50) <= 175, "bounded");
        assert!(surplus(2 * usual, 512) > 0 && surplus(usual / 2, 512) < 0);
    }
}
