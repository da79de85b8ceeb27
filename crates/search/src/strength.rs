//! Playing weaker, the way people do.
//!
//! Where [`People`] is there, below [`PEOPLE_BELOW`] the moves to choose from are those that
//! players of the rating play, and a small search only guards the choice: the more a move loses
//! by it, the less often it is taken.
//!
//! Above, and without it, a weaker player looks at fewer positions and
//! misjudges them. The number of nodes shrinks with the rating, and among several lines the choice
//! is blurred by an error whose size grows: moves that are nearly as good are often played,
//! blunders rarely. How much of both makes which rating was measured in matches; see
//! `docs/strength.md`.

use chess::{Move, Rng};
use eval::People;
use eval::score::{self, INFINITY};

use crate::params::guard;
use crate::position::Position;
use crate::root::RootMoves;
use crate::root::{Limits, Settings};

/// The range of ratings that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 800..=3000;

/// How many lines are compared.
pub(crate) const LINES: usize = 5;

/// Ratings below this choose among people's moves.
pub(crate) const PEOPLE_BELOW: u32 = 2200;

/// Moves beyond this part of all games are not considered,
const LIKELY: f32 = 0.97;
/// nor more moves than this.
const MOST_LIKELY: usize = 16;

/// The moves a player of the rating may choose, with their shares, likeliest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Likely(Vec<(Move, f32)>);

impl Likely {
    /// What people play in a position, if the rating is theirs.
    pub(crate) fn find(
        people: Option<&dyn People>,
        position: &Position,
        elo: Option<u32>,
        moves: &[Move],
    ) -> Self {
        let (Some(people), Some(elo)) = (people, elo.filter(|&elo| elo < PEOPLE_BELOW)) else {
            return Self::default();
        };
        let shares = people.shares(position.board(), position.played(), elo, moves);
        let mut found: Vec<_> = moves.iter().copied().zip(shares).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut sum = 0.0;
        let enough = found.iter().position(|&(_, share)| {
            sum += share;
            sum >= LIKELY
        });
        found.truncate(enough.map_or(MOST_LIKELY, |at| (at + 1).min(MOST_LIKELY)));
        Self(found)
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        self.0.iter().map(|&(mv, _)| mv).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws a line by its share and by what the search saw.
    fn draw(&self, root: &RootMoves, elo: u32, rng: &mut Rng) -> Option<Vec<Move>> {
        let best = root.best()?.score;
        let scale = guard(elo);
        let weights: Vec<f64> = (0..root.len())
            .map(|index| {
                let candidate = root.get(index);
                let share = self.0.iter().find(|(mv, _)| *mv == candidate.mv).map_or(0.0, |x| x.1);
                // A move that was not compared is taken to lose as much as any.
                let lost = f64::from(best.saturating_sub(candidate.score).clamp(0, 3000));
                f64::from(share) * (-lost / scale).exp()
            })
            .collect();
        let mut left = rng.unit() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.map(|index| root.get(index).line.clone())
    }
}

/// How much a rating shies away from losses that a small search sees: the centipawns that make a
/// move e times less likely than people's games say.
fn guard(elo: u32) -> f64 {
    let scales = [
        (800, guard::at_800()),
        (1200, guard::at_1200()),
        (1600, guard::at_1600()),
        (PEOPLE_BELOW, guard::at_2200()),
    ];
    let above = scales.iter().position(|&(at, _)| at >= elo).unwrap_or(scales.len() - 1).max(1);
    let [(low, from), (high, to)] =
        [scales[above - 1], scales[above]].map(|(at, scale)| (f64::from(at), f64::from(scale)));
    let part = ((f64::from(elo) - low) / (high - low)).clamp(0.0, 1.0);
    from * (to / from).powf(part)
}

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
    likely: &Likely,
) -> (Limits, Settings) {
    if let Some(elo) = settings.elo {
        let (lines, percent) =
            if likely.is_empty() { (LINES, 100) } else { (likely.0.len(), guard::nodes()) };
        // Enough for a glance at every line that is compared.
        let most = (level(elo).nodes as u64 * percent as u64 / 100).max((2 * lines * moves) as u64);
        limits.nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
        settings.multi_pv = settings.multi_pv.max(lines);
    }
    (limits, settings)
}

/// The line a player of this rating chooses; the same one for the same seed.
pub(crate) fn choose(root: &RootMoves, elo: u32, likely: &Likely, seed: u64) -> Option<Vec<Move>> {
    let best = root.best()?.score;
    let mut rng = Rng::new(seed);
    if !likely.is_empty() {
        return likely.draw(root, elo, &mut rng);
    }
    let spread = level(elo).error;
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
    use super::{ELO_RANGE, LEVELS, guard, level};

    #[test]
    fn weaker_players_look_at_less_and_err_more() {
        let levels: Vec<_> = ELO_RANGE.step_by(50).map(level).collect();
        assert!(levels.is_sorted_by(|a, b| a.nodes < b.nodes && a.error > b.error));
    }

    #[test]
    fn weaker_players_shy_away_from_less() {
        let scales: Vec<_> = (800..2200).step_by(50).map(guard).collect();
        assert!(scales.is_sorted_by(|a, b| a > b) && guard(0) == guard(800));
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
