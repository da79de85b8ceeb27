//! What the trees look at: numbers made of the facts, the same for the fit and for the forecast.

use eval::Facts;
use eval::forecast::MEMORY;

use crate::CUT;

/// How many there are.
pub const COUNT: usize = 46;

/// Their names, in order, for reports.
pub const NAMES: [&str; COUNT] = [
    "depth",
    "selective depth beyond",
    "logarithm of the nodes",
    "size of the score",
    "score",
    "change since the last iteration",
    "change one iteration ago",
    "change two iterations ago",
    "size of the change one ago",
    "size of the change two ago",
    "size of the change three ago",
    "range of four scores",
    "range of all scores",
    "way of four scores",
    "way of all scores",
    "trend over three",
    "trend over six",
    "iterations the move stood",
    "changes of the move",
    "windows failed low",
    "windows failed high",
    "share of the move",
    "share of its rival",
    "share ahead of the rival",
    "behind the best line",
    "root gap below",
    "root gap above",
    "leaf gap below",
    "leaf gap above",
    "score above the root's median",
    "its size",
    "leaf's median above the score",
    "its size",
    "size of the correction",
    "men",
    "moves",
    "fifty-move counter",
    "check",
    "length of the line",
    "line ends drawn",
    "sunk since",
    "risen since",
    "share of the unfinished iteration",
    "share of the latest iteration",
    "lead over the other moves",
    "captures or promotes",
];

/// The logarithm to base 2 in sixteenths, between powers of two by a straight line.
pub fn log2(x: u64) -> i32 {
    let x = x.max(1);
    let whole = x.ilog2();
    let rest = ((u128::from(x) << 4) >> whole) as i32 - 16;
    16 * whole as i32 + rest
}

/// The numbers of one line.
pub fn features(facts: &Facts) -> [i32; COUNT] {
    let cut = |score: i32| score.clamp(-CUT, CUT);
    let score = cut(facts.score);
    let scores = facts.scores.map(cut);
    let change = |ago: usize| scores[ago] - scores[ago + 1];
    let range = |of: &[i32]| {
        let most = of.iter().copied().fold(score, i32::max);
        let least = of.iter().copied().fold(score, i32::min);
        most - least
    };
    let way = |count: usize| (0..count).map(|ago| change(ago).abs()).sum::<i32>();
    let (root, leaf) = (&facts.root, &facts.leaf);
    let (from_root, from_leaf) = (score - cut(root.q50), cut(leaf.q50) - score);
    [
        facts.depth,
        facts.seldepth - facts.depth,
        log2(facts.nodes),
        score.abs(),
        score,
        score - scores[0],
        change(0),
        change(1),
        change(0).abs(),
        change(1).abs(),
        change(2).abs(),
        range(&scores[..4]),
        range(&scores),
        way(4),
        way(MEMORY - 1),
        score - scores[3],
        score - scores[6],
        facts.stood,
        facts.changes,
        facts.fails_low,
        facts.fails_high,
        facts.share,
        facts.rival_share,
        facts.share - facts.rival_share,
        facts.behind,
        root.q50 - root.q10,
        root.q90 - root.q50,
        leaf.q50 - leaf.q10,
        leaf.q90 - leaf.q50,
        from_root,
        from_root.abs(),
        from_leaf,
        from_leaf.abs(),
        facts.correction.abs(),
        facts.men,
        facts.moves,
        facts.fifty,
        i32::from(facts.check),
        facts.length,
        i32::from(facts.drawn),
        facts.sunk,
        facts.risen,
        facts.unfinished,
        facts.latest_share,
        facts.lead.clamp(-CUT, CUT),
        i32::from(facts.noisy),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_grows_and_hits_powers_of_two() {
        assert_eq!((log2(0), log2(1), log2(2), log2(3), log2(1024)), (0, 0, 16, 24, 160));
        assert!((1..5000).map(log2).is_sorted());
        assert!(log2(u64::MAX) < 16 * 64);
    }

    #[test]
    fn a_steady_search_has_no_changes() {
        let facts = Facts { score: 30, scores: [30; MEMORY], ..Facts::default() };
        let numbers = features(&facts);
        assert_eq!(numbers[4], 30);
        assert!(numbers[5..17].iter().all(|&number| number == 0));
    }
}
