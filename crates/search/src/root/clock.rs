//! How much of the clock a move deserves.
//!
//! Two bounds: past the *soft* one no new iteration begins, and it stretches or shrinks with what
//! the search finds (a steady best move needs less, a falling score or a changing mind more); at
//! the *hard* one the search stops wherever it is.

use std::time::{Duration, Instant};

use eval::Score;

use super::limits::{Limits, Settings};
use crate::params::{clock, stretch};
use crate::pool::Origin;

/// What the last iterations say about how settled the move is.
#[derive(Copy, Clone, Debug)]
pub struct Progress {
    /// Iterations in a row with the same best move.
    pub stability: u32,
    /// How often the best move changed lately, older changes counting less.
    pub changes: f64,
    /// How much the score fell, compared with the iterations before.
    pub drop: Score,
    /// The share of all nodes spent on the best move.
    pub best_share: f64,
    /// The width of the evaluation compared with what is usual, 1 for a certain one.
    pub width: f64,
}

/// The bounds of one move.
#[derive(Clone, Debug)]
pub struct Timer {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// The bound of a search that has a time of its own, counted from the ponder hit.
    move_time: Option<Duration>,
    /// Nodes that count as a millisecond; 0 for real time.
    nodes_per_ms: u64,
}

const fn permille(part: i32) -> f64 {
    part as f64 / 1000.0
}

/// What can be spent in all, in seconds, if the flag is not to fall on this very move.
///
/// A reserve is kept back up to half of the clock. It is as much as four increments, because what
/// is a moment in a game of minutes is a large part of one that is over in seconds. Where the
/// increment does not pay for the overhead, that of all `moves` to come is kept back as well:
/// with a tenth of a second on the clock, a machine that stops for a moment decides games. Below
/// that a move gets next to nothing, so that increments fill the clock up again.
fn usable(remaining: f64, increment: f64, overhead: f64, moves: f64) -> f64 {
    let least = 2.0 * overhead;
    let reserve = permille(clock::reserve()).min(permille(clock::reserve_increments()) * increment);
    let kept = (least + reserve).min(remaining / 2.0).max(least);
    let unpaid = least + (overhead - increment).max(0.0) * (moves - 1.0);
    let least_share = if increment < overhead { 0.02 } else { 0.1 };
    (remaining - kept.max(unpaid)).max(remaining * least_share).max(0.000_5)
}

/// Moves to be played by the clock if nobody says how many.
const USUAL_MOVES: u32 = 50;

impl Timer {
    /// Bounds for a search; `ply` is the number of half-moves played.
    pub fn new(limits: &Limits, settings: &Settings, ply: u32) -> Self {
        let mut timer = Self {
            start: limits.start.unwrap_or_else(Instant::now),
            soft: None,
            hard: None,
            move_time: None,
            nodes_per_ms: settings.nodes_per_ms,
        };
        if let Some(clock) = limits.clock {
            let overhead = settings.move_overhead.as_secs_f64();
            let remaining = clock.remaining.as_secs_f64();
            let increment = clock.increment.as_secs_f64();
            let moves = clock.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, USUAL_MOVES);
            let moves = f64::from(moves);
            let usable = usable(remaining, increment, overhead, moves);
            let soft = match clock.moves_to_go {
                Some(_) => {
                    let pool = (usable + (increment - overhead).max(0.0) * (moves - 1.0)).max(0.0);
                    pool / moves * permille(clock::moves_to_go())
                }
                None => {
                    // Early moves decide more than late ones.
                    let phase = f64::from(ply) / f64::from(clock::phase_plies());
                    let phase = 1.0 - phase.min(permille(clock::phase()));
                    usable * permille(clock::share()) * phase
                        + (increment - overhead).max(0.0) * permille(clock::increment())
                }
            };
            let most = match clock.moves_to_go {
                Some(1) => usable * permille(clock::moves_to_go()),
                _ => usable * permille(clock::most()),
            };
            let hard = (soft * permille(clock::hard())).min(most);
            timer.soft = Some(Duration::from_secs_f64(soft.min(most)));
            timer.hard = Some(Duration::from_secs_f64(hard));
        }
        if let Some(exact) = limits.move_time {
            let bound = exact.saturating_sub(settings.move_overhead).max(exact / 2);
            timer.move_time = Some(bound);
        }
        timer
    }

    /// Since the search began, in real time.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// When the search began.
    pub fn start(&self) -> Instant {
        self.start
    }

    fn spent(&self, nodes: u64) -> Duration {
        self.spent_since(Origin { nodes: 0, time: self.start }, nodes)
    }

    fn spent_since(&self, origin: Origin, nodes: u64) -> Duration {
        match nodes.saturating_sub(origin.nodes).checked_div(self.nodes_per_ms) {
            Some(milliseconds) => Duration::from_millis(milliseconds),
            None => origin.time.elapsed(),
        }
    }

    /// Is the hard bound reached, or the move's own time, which counts from `origin`, over?
    pub fn is_over(&self, nodes: u64, origin: Origin) -> bool {
        self.hard.is_some_and(|hard| self.spent(nodes) >= hard)
            || self.move_time.is_some_and(|time| self.spent_since(origin, nodes) >= time)
    }

    /// Is a further iteration not worth its time?
    pub fn is_enough(&self, nodes: u64, progress: &Progress) -> bool {
        let Some(soft) = self.soft else { return false };
        self.spent(nodes).as_secs_f64() >= soft.as_secs_f64() * stretch(progress)
    }

    /// About how long the search is going to take, if that is known.
    pub fn planned(&self) -> Option<Duration> {
        self.soft.or(self.move_time)
    }

    /// Does the clock run at all?
    pub fn is_timed(&self) -> bool {
        self.soft.is_some() || self.move_time.is_some()
    }
}

/// The factor on the soft bound.
fn stretch(progress: &Progress) -> f64 {
    let steady = f64::from(progress.stability.min(stretch::stability_max() as u32));
    let stability = permille(stretch::stability()) - permille(stretch::stability_slope()) * steady;
    let falling = (1.0 + f64::from(progress.drop) * permille(stretch::falling()))
        .clamp(permille(stretch::falling_least()), permille(stretch::falling_most()));
    let changes = progress.changes.min(f64::from(stretch::changes_max()));
    let instability = 1.0 + permille(stretch::changes()) * changes;
    let nodes = (permille(stretch::nodes())
        - progress.best_share * permille(stretch::nodes_slope()))
    .clamp(permille(stretch::nodes_least()), permille(stretch::nodes_most()));
    let doubt =
        progress.width.clamp(permille(stretch::doubt_least()), permille(stretch::doubt_most()));
    stability * falling * instability * nodes * doubt
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::Clock;

    fn timer(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Timer {
        let limits = Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            ..Limits::default()
        };
        Timer::new(&limits, &Settings::default(), 20)
    }

    /// Whatever the clock says, the hard bound leaves time for the answer.
    #[test]
    fn the_hard_bound_never_eats_the_clock() {
        for remaining in [0, 1, 5, 20, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let timer = timer(remaining, increment, moves);
                    let hard = timer.hard.unwrap().as_secs_f64() * 1000.0;
                    let left = (remaining as f64 - hard).max(0.0);
                    assert!(
                        hard <= (remaining as f64).max(1.0),
                        "{remaining} {increment} {moves:?}"
                    );
                    assert!(remaining < 100 || left >= 9.0, "{remaining} {increment} {moves:?}");
                    assert!(timer.soft.unwrap() <= timer.hard.unwrap());
                }
            }
        }
    }

    /// Even if every move takes as long as it may, a machine that stops for a while loses nothing.
    #[test]
    fn a_reserve_stays_on_the_clock() {
        for (start, increment) in [(4000, 40), (10_000, 100), (180_000, 2000)] {
            let mut remaining = start as f64;
            for _ in 0..200 {
                let timer = timer(remaining as u64, increment, None);
                remaining -= timer.hard.unwrap().as_secs_f64() * 1000.0;
                assert!(remaining >= 90.0, "{start}+{increment}: {remaining}");
                remaining += increment as f64;
            }
        }
    }

    /// A clock that nothing pays for keeps most of what it has: the machine may stop at any move.
    #[test]
    fn a_tenth_of_a_second_is_not_spent_at_once() {
        for (start, increment, least) in [(100.0, 1.0, 70.0), (500.0, 5.0, 150.0)] {
            let mut remaining = start;
            for _ in 0..60 {
                let timer = timer(remaining as u64, increment as u64, None);
                remaining += increment - timer.soft.unwrap().as_secs_f64() * 1000.0;
            }
            assert!(remaining >= least, "{start}+{increment}: {remaining} after sixty moves");
        }
    }

    /// Below the reserve even the longest move takes much less than the increment gives back.
    #[test]
    fn a_clock_below_its_reserve_fills_up_again() {
        for remaining in [50, 100, 150, 200, 250] {
            let hard = timer(remaining, 5, None).hard.unwrap();
            assert!(hard <= Duration::from_millis(2), "{remaining}: {hard:?}");
        }
    }

    #[test]
    fn time_runs_since_the_command_was_read() {
        let start = Instant::now() - Duration::from_millis(200);
        let move_time = Some(Duration::from_millis(100));
        let limits = Limits { move_time, start: Some(start), ..Limits::default() };
        let timer = Timer::new(&limits, &Settings::default(), 0);
        assert!(timer.is_over(0, Origin { nodes: 0, time: timer.start() }));
    }

    #[test]
    fn a_settled_move_gets_less_time_than_a_doubtful_one() {
        let calm = Progress { stability: 9, changes: 0.0, drop: -20, best_share: 0.95, width: 1.0 };
        let doubtful =
            Progress { stability: 0, changes: 2.0, drop: 60, best_share: 0.3, width: 1.3 };
        assert!(stretch(&calm) < 0.5);
        assert!(stretch(&doubtful) > 1.5);
    }

    #[test]
    fn nodes_can_stand_for_time() {
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let settings = Settings { nodes_per_ms: 10, ..Settings::default() };
        let timer = Timer::new(&limits, &settings, 0);
        let start = Origin { nodes: 0, time: timer.start() };
        assert!(!timer.is_over(800, start));
        assert!(timer.is_over(1000, start));
        let hit = Origin { nodes: 5000, ..start };
        assert!(!timer.is_over(5800, hit) && timer.is_over(6000, hit), "from the ponder hit");
    }

    #[test]
    fn without_a_clock_nothing_ends() {
        let timer = Timer::new(&Limits::default(), &Settings::default(), 0);
        assert!(
            !timer.is_timed() && !timer.is_over(u64::MAX, Origin { nodes: 0, time: timer.start() })
        );
    }
}
