//! Playing weaker, the way people do.
//!
//! A weaker player looks at fewer positions and misjudges them. The number of nodes shrinks with
//! the rating (see [`node_limit`]), and among several lines the choice is blurred by an error whose
//! size shrinks with it too: moves that are nearly as good are often played, blunders rarely.

use chess::Move;
use eval::score::{self, INFINITY};

use crate::limits::{Limits, Settings};
use crate::params::strength;
use crate::root::RootMoves;

/// The range of ratings that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 800..=3000;

/// How many lines are compared.
pub(crate) const LINES: usize = 5;

/// Nodes of the strongest.
const MOST_NODES: f64 = 400_000.0;

/// How far the rating is below the strongest, from 0 to 1.
fn weakness(elo: u32) -> f64 {
    let (low, high) = (f64::from(*ELO_RANGE.start()), f64::from(*ELO_RANGE.end()));
    ((high - f64::from(elo)) / (high - low)).clamp(0.0, 1.0)
}

/// The most nodes a player of this rating looks at.
pub(crate) fn node_limit(elo: u32) -> u64 {
    let decline = f64::from(strength::nodes()) / 100.0;
    (MOST_NODES * (-decline * weakness(elo)).exp()) as u64
}

/// Fewer nodes and more lines for a limited rating, in a position with so many moves.
pub(crate) fn weaken(
    mut limits: Limits,
    mut settings: Settings,
    moves: usize,
) -> (Limits, Settings) {
    if let Some(elo) = settings.elo {
        // Enough for a glance at every line that is compared.
        let most = node_limit(elo).max((2 * LINES * moves) as u64);
        limits.nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
        settings.multi_pv = settings.multi_pv.max(LINES);
    }
    (limits, settings)
}

/// The line a player of this rating chooses; repeatable for the same position.
pub(crate) fn choose(root: &RootMoves, elo: u32, seed: u64) -> Option<Vec<Move>> {
    let best = root.best()?.score;
    let power = f64::from(strength::power()) / 100.0;
    let spread = f64::from(strength::error()) * weakness(elo).powf(power);
    let mut state = seed | 1;
    let mut noise = || {
        // The sum of four uniform numbers is close enough to a bell.
        let sum: f64 = (0..4)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as f64 / (1u64 << 53) as f64
            })
            .sum();
        sum - 2.0
    };
    let mut chosen: Option<(f64, Vec<Move>)> = None;
    for index in 0..root.len().min(LINES) {
        let candidate = root.get(index);
        let known = candidate.score != -INFINITY;
        if !known || score::is_loss(candidate.score) && !score::is_loss(best) {
            continue;
        }
        let felt = f64::from(candidate.score.clamp(-3000, 3000)) + spread * noise();
        if chosen.as_ref().is_none_or(|(most, _)| felt > *most) {
            chosen = Some((felt, candidate.line.clone()));
        }
    }
    chosen.map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::node_limit;

    #[test]
    fn weaker_players_look_at_less() {
        let limits: Vec<u64> = [800, 1200, 2000, 3000].map(node_limit).to_vec();
        assert!(limits.is_sorted());
        assert!(limits[0] >= 50 && limits[3] == 400_000);
    }
}
