//! Margins that follow the evaluation's doubt.
//!
//! Wherever a margin guards a guess, a wide distribution asks for a larger one and a narrow one
//! gets by with less. A certain evaluation (no width at all) leaves every margin as it is, so the
//! search is the same code for evaluators with and without doubt.

use eval::Score;

use crate::params::doubt;

/// How far a gap is from the usual one, in 1024ths of it, within bounds; 0 without any doubt.
#[inline]
fn excess(gap: Score) -> i32 {
    if gap == 0 {
        return 0;
    }
    ((gap - doubt::usual()) * 1024 / doubt::usual()).clamp(-768, 1536)
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
