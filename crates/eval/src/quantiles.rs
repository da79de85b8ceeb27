//! An evaluation that says how sure it is.

use crate::score::{Score, clamp_eval};

/// Five quantiles of the score a deeper search would give, for the side to move.
///
/// Half of such scores lie below `q50`, a tenth below `q10`, and so on. The five never cross.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Quantiles {
    /// The pessimist's score.
    pub q10: Score,
    /// The cautious score.
    pub q25: Score,
    /// The median, which is "the" score.
    pub q50: Score,
    /// The hopeful score.
    pub q75: Score,
    /// The optimist's score.
    pub q90: Score,
}

impl Quantiles {
    /// A judgement without doubt: all five are the same.
    #[inline]
    pub const fn certain(score: Score) -> Self {
        Self { q10: score, q25: score, q50: score, q75: score, q90: score }
    }

    /// From a median and the distances between neighbours, which must not be negative.
    #[inline]
    pub const fn from_gaps(q50: Score, gaps: [Score; 4]) -> Self {
        let [far_below, below, above, far_above] = gaps;
        debug_assert!(far_below >= 0 && below >= 0 && above >= 0 && far_above >= 0);
        Self {
            q10: q50 - below - far_below,
            q25: q50 - below,
            q50,
            q75: q50 + above,
            q90: q50 + above + far_above,
        }
    }

    /// How wide the middle eighty percent are: 0 for a judgement without doubt.
    #[inline]
    pub const fn uncertainty(&self) -> Score {
        self.q90 - self.q10
    }

    /// The same distribution moved by `delta`, kept out of the bands of decided games.
    #[inline]
    pub fn shifted(&self, delta: Score) -> Self {
        Self {
            q10: clamp_eval(self.q10 + delta),
            q25: clamp_eval(self.q25 + delta),
            q50: clamp_eval(self.q50 + delta),
            q75: clamp_eval(self.q75 + delta),
            q90: clamp_eval(self.q90 + delta),
        }
    }

    /// From the other side's point of view.
    #[inline]
    pub const fn flipped(&self) -> Self {
        Self { q10: -self.q90, q25: -self.q75, q50: -self.q50, q75: -self.q25, q90: -self.q10 }
    }

    /// Twenty scores that stand for the distribution, each for a twentieth of it: its quantiles
    /// at 2.5 %, 7.5 % … 97.5 %, by straight lines through the five and beyond the outer ones.
    pub fn twentieths(&self) -> [Score; 20] {
        const LEVELS: [i32; 5] = [100, 250, 500, 750, 900];
        let five = self.to_array();
        std::array::from_fn(|i| {
            let level = 25 + 50 * i as i32;
            let left = LEVELS[1..4].iter().filter(|&&inner| inner < level).count();
            let slope = five[left + 1] - five[left];
            let from = level - LEVELS[left];
            five[left] + slope * from / (LEVELS[left + 1] - LEVELS[left])
        })
    }

    /// How likely a score of the distribution reaches `score`, in thousandths.
    pub fn share_above(&self, score: Score) -> u16 {
        50 * self.twentieths().iter().filter(|&&part| part >= score).count() as u16
    }

    /// The five in order.
    pub const fn to_array(&self) -> [Score; 5] {
        [self.q10, self.q25, self.q50, self.q75, self.q90]
    }
}

#[cfg(test)]
mod tests {
    use super::Quantiles;

    #[test]
    fn flipping_twice_changes_nothing() {
        let quantiles = Quantiles::from_gaps(30, [5, 10, 20, 40]);
        assert_eq!(quantiles.flipped().flipped(), quantiles);
        assert_eq!(quantiles.flipped().to_array(), [-90, -50, -30, -20, -15]);
    }

    #[test]
    fn shifting_keeps_the_order_at_the_edge() {
        let edge = Quantiles::from_gaps(crate::score::EVAL_LIMIT - 10, [5, 5, 5, 5]).shifted(8);
        assert!(edge.to_array().is_sorted());
        assert_eq!(edge.q90, crate::score::EVAL_LIMIT);
    }

    #[test]
    fn twentieths_follow_the_five() {
        let five = Quantiles { q10: -100, q25: -40, q50: 10, q75: 35, q90: 80 };
        let parts = five.twentieths();
        assert!(parts.is_sorted());
        for (score, share) in [(-100, 900), (-40, 750), (10, 500), (35, 250), (80, 100)] {
            assert_eq!(five.share_above(score + 1), share, "{parts:?}");
        }
        assert_eq!(Quantiles::certain(7).twentieths(), [7; 20]);
    }

    #[test]
    fn certainty_has_no_width() {
        assert_eq!(Quantiles::certain(-7).uncertainty(), 0);
    }
}
