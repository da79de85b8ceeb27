//! What positions that the fit has not seen say of its trees: their distances are too small here,
//! their confidence too large there. A few numbers set that right.

use eval::Facts;

use crate::features::log2;

/// Phases of a game whose corrections differ, and ranges of the score within each.
const PHASES: usize = 3;
const RANGES: usize = 3;
pub(crate) const GROUPS: usize = PHASES * RANGES;

/// A kind of position: opening, middlegame or endgame, by the men on the board; level, better or
/// won, by the score.
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
        let phase = match facts.men {
            25.. => 0,
            13..25 => 1,
            _ => 2,
        };
        let range = match facts.score.abs() {
            ..50 => 0,
            50..=150 => 1,
            _ => 2,
        };
        Self(RANGES * phase + range)
    }
}

/// Corrections are in this part of one.
pub(crate) const ONE: i32 = 1024;

/// Pairs of what is looked up and what was found for it; the first grows.
pub type Knots = Vec<(i32, i32)>;

/// The value between the knots by a straight line, beyond them that of the last; none without any.
fn between(knots: &Knots, at: i32) -> Option<i32> {
    let above = knots.partition_point(|&(from, _)| from < at);
    match (above.checked_sub(1).map(|i| knots[i]), knots.get(above)) {
        (None, Some(&(_, value))) | (Some((_, value)), None) => Some(value),
        (Some((x0, y0)), Some(&(x1, y1))) => {
            let (x0, y0, x1, y1) = (i64::from(x0), i64::from(y0), i64::from(x1), i64::from(y1));
            Some((y0 + (y1 - y0) * (i64::from(at) - x0) / (x1 - x0).max(1)) as i32)
        }
        (None, None) => None,
    }
}

/// The corrections of a model.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Correction {
    /// For each group: where the median belongs, as a part of the band's width away from where the
    /// trees have it; then the factors of the distances of q10, q25, q75 and q90 from it.
    pub groups: [[i32; 5]; GROUPS],
    /// A factor of all distances, by the logarithm of the search's nodes. The trees know searches
    /// of some lengths only; it says what becomes of the band in longer ones.
    pub reach: Knots,
    /// The confidence in thousandths, by that of the trees; both grow.
    pub confidence: Knots,
}

impl Default for Correction {
    /// Changes no quantile; knows nothing of confidence.
    fn default() -> Self {
        Self {
            groups: [[0, ONE, ONE, ONE, ONE]; GROUPS],
            reach: Knots::new(),
            confidence: vec![(0, 500)],
        }
    }
}

impl Correction {
    /// Corrected quantiles; those of the trees must be in order, and so are these.
    pub fn quantiles(&self, facts: &Facts, raw: [i32; 5]) -> [i32; 5] {
        let [shift, factors @ ..] = self.groups[Group::of(facts).index()].map(i64::from);
        let (one, reach) = (i64::from(ONE), i64::from(self.reach(facts)));
        let middle = i64::from(raw[2]);
        let [q10, q25, q50, q75, q90] =
            raw.map(|value| middle + (i64::from(value) - middle) * reach / one);
        let median = q50 + (q90 - q10) * shift / one;
        let place = |from: i64, factor: i64| median + (from - q50) * factor / one;
        let [far_below, below, above, far_above] = factors;
        // Factors of their own could make neighbours cross.
        let (q25, q75) = (place(q25, below), place(q75, above));
        let (q10, q90) = (place(q10, far_below).min(q25), place(q90, far_above).max(q75));
        let limit = |value: i64| value.clamp(-(1 << 20), 1 << 20) as i32;
        [q10, q25, median, q75, q90].map(limit)
    }

    /// The factor of all distances for a search of this length.
    pub fn reach(&self, facts: &Facts) -> i32 {
        between(&self.reach, log2(facts.nodes)).unwrap_or(ONE)
    }

    /// The confidence in thousandths.
    pub fn confidence(&self, raw: i32) -> u16 {
        between(&self.confidence, raw).unwrap_or(500).clamp(0, 1000) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_changes_nothing() {
        let raw = [-90, -20, 5, 30, 31];
        assert_eq!(Correction::default().quantiles(&Facts::default(), raw), raw);
    }

    #[test]
    fn every_group_has_its_positions() {
        let of = |men, score| Group::of(&Facts { men, score, ..Facts::default() });
        let seen = [32, 20, 5].map(|men| [0, -100, 400].map(|score| of(men, score)));
        assert!(seen.into_iter().flatten().eq(Group::all()));
        assert_eq!((of(25, 150), of(24, 151)), (Group(1), Group(5)));
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
            let reach = vec![(0, next(4000)), (400, next(4000))];
            let facts =
                Facts { men: next(33), score: next(500), nodes: 1 << next(40), ..Facts::default() };
            let correction = Correction { groups, reach, ..Correction::default() };
            assert!(correction.quantiles(&facts, raw).is_sorted(), "{raw:?} {correction:?}");
        }
    }

    #[test]
    fn a_longer_search_has_the_band_of_its_length() {
        let correction =
            Correction { reach: vec![(160, 1024), (192, 512)], ..Correction::default() };
        let width = |nodes| {
            let [q10, .., q90] = correction
                .quantiles(&Facts { nodes, ..Facts::default() }, [-200, -100, 0, 100, 200]);
            q90 - q10
        };
        assert_eq!([1, 1024, 2048, 4096, u64::MAX].map(width), [400, 400, 300, 200, 200]);
    }

    #[test]
    fn confidence_is_read_between_the_knots() {
        let correction = Correction {
            confidence: vec![(-100, 200), (100, 600), (300, 950)],
            ..Correction::default()
        };
        for (raw, expected) in
            [(i32::MIN, 200), (-100, 200), (0, 400), (100, 600), (200, 775), (i32::MAX, 950)]
        {
            assert_eq!(correction.confidence(raw), expected, "{raw}");
        }
    }
}
