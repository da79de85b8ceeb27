//! Which root moves are equally good: the fifty-move rule, repetitions and progress.
//!
//! All moves that win for certain share the top rank, so that the search may choose the natural
//! one among them and show mates as mates. That freedom ends when the game stops making progress:
//! after a repetition, or with the half-move clock past [`PATIENCE`], only the moves with the
//! lowest DTZ are on top, which brings the next capture, pawn move or mate by force.

use eval::tablebase::Wdl;

/// Half-moves without capture or pawn move after which wins are ranked by DTZ.
const PATIENCE: i32 = 20;

/// The fifty-move rule in half-moves.
const FIFTY_MOVES: i32 = 100;

/// Above every distance in the tables.
const FAR: i32 = 10_000;

/// What the root position adds to a move's distance.
#[derive(Copy, Clone, Debug)]
pub(crate) struct RootState {
    /// Half-moves since the last capture or pawn move.
    pub(crate) clock: i32,
    /// Has a position of the game come back since then?
    pub(crate) repeated: bool,
    /// Is the fifty-move rule in force?
    pub(crate) fifty_move_rule: bool,
}

/// The result of a move in play and its rank, from its DTZ as the mover counts it.
pub(crate) fn by_dtz(dtz: i32, exact: bool, root: RootState) -> (Wdl, i32) {
    if dtz == 0 {
        return (Wdl::Draw, 0);
    }
    let latest = root.clock + dtz.abs() + if exact { 0 } else { 1 };
    let in_time = !root.fifty_move_rule || latest <= FIFTY_MOVES;
    let quick = root.repeated || root.clock >= PATIENCE;
    match (dtz > 0, in_time) {
        (true, true) if quick => (Wdl::Win, 3 * FAR - dtz),
        (true, true) => (Wdl::Win, 3 * FAR),
        (true, false) => (Wdl::CursedWin, FAR - dtz),
        (false, true) => (Wdl::Loss, -3 * FAR - slow_loss(dtz, root)),
        (false, false) => (Wdl::BlessedLoss, -FAR - dtz),
    }
}

/// Of a lost game's moves those that may reach the fifty-move rule are better, the slower the
/// better; far from it they are all the same, and the search sets its own traps.
fn slow_loss(dtz: i32, root: RootState) -> i32 {
    let may_save = root.fifty_move_rule && -2 * dtz + root.clock >= FIFTY_MOVES;
    if may_save { dtz } else { 0 }
}

/// The rank of a move of which only the result is known.
pub(crate) fn by_wdl(wdl: Wdl, fifty_move_rule: bool) -> i32 {
    match wdl {
        Wdl::Loss => -3 * FAR,
        Wdl::BlessedLoss if !fifty_move_rule => -3 * FAR,
        Wdl::BlessedLoss => -FAR,
        Wdl::Draw => 0,
        Wdl::CursedWin if !fifty_move_rule => 3 * FAR,
        Wdl::CursedWin => FAR,
        Wdl::Win => 3 * FAR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRESH: RootState = RootState { clock: 0, repeated: false, fifty_move_rule: true };

    #[test]
    fn certain_wins_are_equal_until_progress_is_due() {
        assert_eq!(by_dtz(7, true, FRESH), by_dtz(61, false, FRESH));
        for state in [RootState { clock: 30, ..FRESH }, RootState { repeated: true, ..FRESH }] {
            assert!(by_dtz(7, false, state).1 > by_dtz(9, false, state).1);
            assert_eq!(by_dtz(9, false, state).0, Wdl::Win);
        }
    }

    #[test]
    fn the_fifty_move_rule_turns_late_wins_into_draws() {
        let late = RootState { clock: 60, ..FRESH };
        assert_eq!(by_dtz(39, false, late).0, Wdl::Win);
        assert_eq!(by_dtz(40, true, late).0, Wdl::Win);
        assert_eq!(by_dtz(40, false, late).0, Wdl::CursedWin);
        assert_eq!(by_dtz(-40, false, late).0, Wdl::BlessedLoss);
        assert_eq!(by_dtz(40, false, RootState { fifty_move_rule: false, ..late }).0, Wdl::Win);
    }

    #[test]
    fn ranks_follow_results_and_hope() {
        let late = RootState { clock: 50, ..FRESH };
        let ranks: Vec<i32> = [3, 45, 60, 70, 0, -70, -60, -45, -30, -3]
            .iter()
            .map(|&dtz| by_dtz(dtz, false, late).1)
            .collect();
        assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
        assert_eq!(by_dtz(-3, false, late), by_dtz(-5, false, late));
    }
}
