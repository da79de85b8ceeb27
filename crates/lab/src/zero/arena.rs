//! Matches between two evaluators with the same search, within one process.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::anyhow;
use chess::Rng;
use data::Openings;
use engine::Source;

use crate::datagen::duel::Duel;
use crate::datagen::own::OwnPlayer;
use crate::datagen::play::Pace;
use crate::datagen::referee::Rules;
use crate::{progress, workers};

/// Megabytes of hash table for each player.
const HASH: usize = 8;

/// A match to play.
pub(crate) struct Arena {
    /// Results are the first one's.
    pub(crate) players: [Source; 2],
    /// Openings, each played with both colours.
    pub(crate) pairs: u64,
    pub(crate) nodes: u64,
    pub(crate) threads: usize,
    pub(crate) rules: Rules,
    pub(crate) seed: u64,
}

/// Games won, drawn and lost.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Tally {
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
}

impl Arena {
    /// Plays all pairs, on all threads.
    pub(crate) fn play(&self, name: &str) -> anyhow::Result<Tally> {
        let openings = Openings { random_plies: 8, ..Openings::default() };
        let pace = Pace { nodes: self.nodes, rules: self.rules };
        let bar = progress::counter(name, self.pairs);
        let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
        workers::work(self.threads.max(1), || {
            let [first, second] = &self.players;
            let player = |source: &Source| OwnPlayer::new(source.clone(), HASH);
            let mut duel = Duel::new([player(first)?, player(second)?]);
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.pairs {
                    return Ok(());
                }
                let start = openings.draw(&mut Rng::stream(self.seed, number));
                let results = duel.pair(&start, &pace)?;
                let mut tally = tally.lock().map_err(|_| anyhow!("a working thread panicked"))?;
                results.into_iter().for_each(|result| tally.add(result));
                bar.inc(1);
            }
        })?;
        bar.finish();
        tally.into_inner().map_err(|_| anyhow!("a working thread panicked"))
    }
}

impl Tally {
    fn add(&mut self, result: i32) {
        match result {
            1 => self.won += 1,
            -1 => self.lost += 1,
            _ => self.drawn += 1,
        }
    }

    /// What [`fmt::Display`] has written.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut counts = text.trim().split(',').map(str::parse);
        let mut next = || counts.next()?.ok();
        let (won, drawn, lost) = (next()?, next()?, next()?);
        (won + drawn + lost > 0).then_some(Self { won, drawn, lost })
    }

    /// The difference in Elo and half of its 95 % interval. Half a game is given to each side, so that
    /// a match without a loss has a number.
    pub(crate) fn elo(self) -> (f64, f64) {
        let [won, drawn, lost] = [self.won, self.drawn, self.lost].map(f64::from);
        let games = won + drawn + lost + 1.0;
        let score = (won + 0.5 * drawn + 0.5) / games;
        let square = (won + 0.25 * drawn + 0.5) / games - score * score;
        let error = 1.96 * (square / games).sqrt();
        let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10();
        let (low, high) = ((score - error).max(1e-3), (score + error).min(1.0 - 1e-3));
        (elo(score), (elo(high) - elo(low)) / 2.0)
    }
}

/// `won,drawn,lost`
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.won, self.drawn, self.lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::referee::TEST_RULES;

    #[test]
    fn tallies_are_written_and_read() {
        let tally = Tally { won: 3, drawn: 0, lost: 12 };
        assert_eq!(Tally::parse(&tally.to_string()), Some(tally));
        for text in ["", "1,2", "a,b,c", "0,0,0"] {
            assert_eq!(Tally::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn elo_is_known_values() {
        let (elo, error) = Tally { won: 300, drawn: 400, lost: 300 }.elo();
        assert!(elo.abs() < 1e-9 && (15.0..18.0).contains(&error), "{elo} ± {error}");
        let (elo, _) = Tally { won: 640, drawn: 0, lost: 360 }.elo();
        assert!((99.0..101.0).contains(&elo), "{elo}");
        assert!(Tally { won: 9, drawn: 0, lost: 0 }.elo().0.is_finite());
    }

    #[test]
    fn a_player_is_as_strong_as_itself() {
        let arena = Arena {
            players: [Source::Classical, Source::Classical],
            pairs: 3,
            nodes: 50,
            threads: 2,
            rules: TEST_RULES,
            seed: 5,
        };
        let tally = arena.play("test").unwrap();
        assert_eq!((tally.won, tally.won + tally.drawn + tally.lost), (tally.lost, 6));
    }
}
