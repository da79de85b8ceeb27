//! Playing weaker, the way people do.
//!
//! A weaker player looks at fewer positions and misjudges them. The number of nodes shrinks with
//! the rating, and among several lines the choice is blurred by an error whose size grows: moves
//! that are nearly as good are often played, blunders rarely. How much of both makes which rating
//! was measured in matches; see `docs/strength.md`.

use chess::{Move, Rng};
use eval::score::{self, INFINITY};

use crate::root::RootMoves;
use crate::root::{Limits, Settings};

/// The range of ratings that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 800..=3000;

/// How many lines are compared.
pub(crate) const LINES: usize = 5;

/// What makes a rating.
#[derive(Copy, Clone, Debug)]
struct Level {
    elo: f64,
    /// The most nodes to look at.
    nodes: f64,
    /// How far a line may be misjudged, in centipawns.
    error: f64,
}

/// Ratings between these lie between their nodes (by their logarithm) and their errors.
const LEVELS: [Level; 7] = [
    Level { elo: 800.0, nodes: 300.0, error: 2200.0 },
    Level { elo: 1150.0, nodes: 1_300.0, error: 810.0 },
    Level { elo: 1350.0, nodes: 2_200.0, error: 520.0 },
    Level { elo: 1600.0, nodes: 3_900.0, error: 310.0 },
    Level { elo: 1970.0, nodes: 17_000.0, error: 93.0 },
    Level { elo: 2300.0, nodes: 80_000.0, error: 15.0 },
    Level { elo: 3000.0, nodes: 400_000.0, error: 0.0 },
];

/// The level of a rating.
fn level(elo: u32) -> Level {
    let elo = f64::from(elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end()));
    let above = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(LEVELS.len() - 1);
    let (low, high) = (LEVELS[above.max(1) - 1], LEVELS[above.max(1)]);
    let part = (elo - low.elo) / (high.elo - low.elo);
    Level {
        elo,
        nodes: low.nodes * (high.nodes / low.nodes).powf(part),
        error: low.error + (high.error - low.error) * part,
    }
}

/// Fewer nodes and more lines for a limited rating, in a position with this many moves.
pub(crate) fn weaken(
    mut limits: Limits,
    mut settings: Settings,
    moves: usize,
) -> (Limits, Settings) {
    if let Some(elo) = settings.elo {
        // Enough for a glance at every line that is compared.
        let most = (level(elo).nodes as u64).max((2 * LINES * moves) as u64);
        limits.nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
        settings.multi_pv = settings.multi_pv.max(LINES);
    }
    (limits, settings)
}

/// The line a player of this rating chooses; repeatable for the same position and seed.
pub(crate) fn choose(root: &RootMoves, elo: u32, seed: u64) -> Option<Vec<Move>> {
    let best = root.best()?.score;
    let spread = level(elo).error;
    let mut rng = Rng::new(seed);
    // The sum of four uniform numbers is close enough to a bell.
    let mut noise = || (0..4).map(|_| rng.unit()).sum::<f64>() - 2.0;
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
    use super::{ELO_RANGE, LEVELS, level};

    #[test]
    fn weaker_players_look_at_less_and_err_more() {
        let levels: Vec<_> = ELO_RANGE.step_by(50).map(level).collect();
        assert!(levels.is_sorted_by(|a, b| a.nodes < b.nodes && a.error > b.error));
    }

    #[test]
    fn measured_levels_are_met() {
        for known in LEVELS {
            let found = level(known.elo as u32);
            assert!((found.nodes - known.nodes).abs() < 1e-6 * known.nodes);
            assert!((found.error - known.error).abs() < 1e-6);
        }
        assert!(level(0).elo == 800.0 && level(u32::MAX).elo == 3000.0);
    }
}
