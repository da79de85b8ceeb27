//! What positions that the fit has not seen say of its trees: their distances are too small here,
//! their confidence too large there. A few numbers set that right.

use eval::Facts;

/// Where corrections of the quantiles differ.
pub(crate) const GROUPS: usize = 3;

/// A kind of position: opening, middlegame, endgame, by the men on the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Group(usize);

impl Group {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..GROUPS).map(Self)
    }

    /// Its place among [`Correction::groups`].
    pub fn index(self) -> usize {
        self.0
    }

    /// The group of a line's root.
    pub fn of(facts: &Facts) -> Self {
        Self(match facts.men {
            25.. => 0,
            13..25 => 1,
            _ => 2,
        })
    }
}

/// Corrections are in this part of one.
pub(crate) const ONE: i32 = 1024;

/// Pairs of a raw confidence and what it has meant, in thousandths; both grow.
pub type Knots = Vec<(i32, i32)>;

/// The corrections of a model.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Correction {
    /// For each group: where the median belongs, as a part of the band's width away from where the
    /// trees have it; then the factors of the distances of q10, q25, q75 and q90 from it.
    pub groups: [[i32; 5]; GROUPS],
    /// The confidence, between these by straight lines.
    pub knots: Knots,
}

impl Default for Correction {
    /// Changes no quantile; knows nothing of confidence.
    fn default() -> Self {
        Self { groups: [[0, ONE, ONE, ONE, ONE]; GROUPS], knots: vec![(0, 500)] }
    }
}

impl Correction {
    /// Corrected quantiles; those of the trees must be in order, and so are these.
    pub fn quantiles(&self, Group(group): Group, raw: [i32; 5]) -> [i32; 5] {
        let [shift, factors @ ..] = self.groups[group].map(i64::from);
        let [q10, q25, q50, q75, q90] = raw.map(i64::from);
        let one = i64::from(ONE);
        let median = q50 + (q90 - q10) * shift / one;
        let place = |from: i64, factor: i64| median + (from - q50) * factor / one;
        let [far_below, below, above, far_above] = factors;
        // Factors of their own could make neighbours cross.
        let (q25, q75) = (place(q25, below), place(q75, above));
        let (q10, q90) = (place(q10, far_below).min(q25), place(q90, far_above).max(q75));
        let limit = |value: i64| value.clamp(-(1 << 20), 1 << 20) as i32;
        [q10, q25, median, q75, q90].map(limit)
    }

    /// The confidence in thousandths.
    pub fn confidence(&self, raw: i32) -> u16 {
        let above = self.knots.partition_point(|&(from, _)| from < raw);
        let value = match (above.checked_sub(1).map(|i| self.knots[i]), self.knots.get(above)) {
            (None, Some(&(_, value))) | (Some((_, value)), None) => i64::from(value),
            (Some((x0, y0)), Some(&(x1, y1))) => {
                let (x0, y0, x1, y1) = (i64::from(x0), i64::from(y0), i64::from(x1), i64::from(y1));
                y0 + (y1 - y0) * (i64::from(raw) - x0) / (x1 - x0).max(1)
            }
            (None, None) => 500,
        };
        value.clamp(0, 1000) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_changes_nothing() {
        let raw = [-90, -20, 5, 30, 31];
        assert_eq!(Correction::default().quantiles(Group(1), raw), raw);
    }

    /// Whatever the numbers say, a correction keeps the order.
    #[test]
    fn corrected_quantiles_never_cross() {
        let mut rng = chess::Rng::new(1);
        let mut next = |bound| rng.below(bound) as i32;
        for _ in 0..20_000 {
            let mut raw = [0; 5].map(|_| next(2_000_000) - 1_000_000);
            raw.sort_unstable();
            let groups = [0; GROUPS]
                .map(|_| [next(400) - 200, next(4000), next(4000), next(4000), next(4000)]);
            let correction = Correction { groups, ..Correction::default() };
            for group in Group::all() {
                assert!(correction.quantiles(group, raw).is_sorted(), "{raw:?} {groups:?}");
            }
        }
    }

    #[test]
    fn confidence_is_read_between_the_knots() {
        let correction = Correction {
            knots: vec![(-100, 200), (100, 600), (300, 950)],
            ..Correction::default()
        };
        for (raw, expected) in
            [(i32::MIN, 200), (-100, 200), (0, 400), (100, 600), (200, 775), (i32::MAX, 950)]
        {
            assert_eq!(correction.confidence(raw), expected, "{raw}");
        }
    }
}
