//! Where the time went: what each move took, and which moves were made in time trouble.
//!
//! Clocks are in the comments (`[%clk 0:03:12]`), the beginning and the increment in the tag
//! `TimeControl` (`180+2`). What a file does not say is not guessed.

use std::time::Duration;

use pgn::Game;

/// The time of one move.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Time {
    /// On the player's clock after the move.
    pub left: Option<Duration>,
    /// What the move took.
    pub spent: Option<Duration>,
    /// Less than a tenth of the player's first time was left when the move was thought about.
    pub is_trouble: bool,
}

/// The part of the first time that is called trouble.
const TROUBLE: u32 = 10;

/// The time of every move.
pub fn times(game: &Game) -> Vec<Time> {
    let control = game.tag("TimeControl").and_then(control);
    let (first, increment) = control.unzip();
    let increment = increment.unwrap_or_default();
    // A side that began with an unknown time is measured by its first clock.
    let mut clocks = [(first, first); 2];
    let time = |(ply, played): (usize, &pgn::Played)| {
        let (first, before) = &mut clocks[ply % 2];
        let left = played.clock();
        let between =
            before.zip(left).and_then(|(before, left)| (before + increment).checked_sub(left));
        let is_trouble = before.zip(*first).is_some_and(|(before, first)| before < first / TROUBLE);
        *first = first.or(left);
        *before = left;
        Time { left, spent: played.elapsed().or(between), is_trouble }
    };
    game.moves.iter().enumerate().map(time).collect()
}

/// The first time and the increment of `300+3`, `180` or `40/7200:3600+30`; none of `1/86400` (a
/// day for each move), where clocks start anew.
fn control(text: &str) -> Option<(Duration, Duration)> {
    let stage = text.split(':').next()?;
    let (moves, time) =
        stage.split_once('/').map_or((None, stage), |(moves, time)| (Some(moves), time));
    if moves == Some("1") {
        return None;
    }
    let (first, increment) = time.split_once('+').unwrap_or((time, "0"));
    let seconds = |text: &str| Duration::try_from_secs_f64(text.trim().parse().ok()?).ok();
    Some((seconds(first)?, seconds(increment)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Time> {
        times(&pgn::Reader::new(text.as_bytes()).games().next().unwrap().unwrap())
    }

    #[test]
    fn clocks_and_increments_give_what_a_move_took() {
        let found = read(
            "[TimeControl \"60+2\"]\n\n1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:50]} 2. Nf3 {[%clk 0:00:05]} \
             Nc6 {[%emt 0:00:03]} 3. Bb5 {[%clk 0:00:04]} *",
        );
        let seconds = |time: &Time| time.spent.map(|spent| spent.as_secs());
        assert_eq!(found.iter().map(seconds).collect::<Vec<_>>(), [2, 12, 57, 3, 3].map(Some));
        let trouble: Vec<bool> = found.iter().map(|time| time.is_trouble).collect();
        assert_eq!(trouble, [false, false, false, false, true]);
    }

    #[test]
    fn what_is_not_said_is_not_guessed() {
        let found =
            read("1. e4 {[%clk 0:01:00]} e5 2. Nf3 {[%clk 0:00:59]} Nc6 3. Bb5 {[%clk 0:02:00]} *");
        assert_eq!((found[0].spent, found[1]), (None, Time::default()));
        assert_eq!(found[2].spent, Some(Duration::from_secs(1)));
        assert_eq!(found[4].spent, None, "time was added");
        for text in ["-", "?", "1/86400", "x+y", "1e300", "-5"] {
            assert_eq!(control(text), None, "{text}");
        }
        let hour = Duration::from_secs(3600);
        assert_eq!(control("40/7200:3600+30"), Some((2 * hour, Duration::ZERO)));
    }
}
