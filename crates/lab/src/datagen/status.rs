//! What a run has done, as a progress bar, or as a line now and then where there is no terminal.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use data::Game;
use data::viri::Found;
use indicatif::{HumanCount, HumanDuration, ProgressBar};

use crate::progress;

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    /// Lost, drawn and won by White.
    results: [u64; 3],
    last_line: Option<Instant>,
}

/// The counts of a run, shared by its threads.
pub(crate) struct Status {
    bar: ProgressBar,
    started: Instant,
    games_before: u64,
    target: u64,
    timed: bool,
    tally: Mutex<Tally>,
}

impl Status {
    /// A run that ends with `target` games; `timed` if a clock may end it before.
    pub(crate) fn new(target: u64, found: Found, timed: bool) -> Self {
        let bar = progress::counter("games", target).with_position(found.games);
        bar.reset_eta();
        if found.cut > 0 {
            bar.println(format!("cut off an unfinished game of {} bytes", found.cut));
        }
        Self {
            bar,
            started: Instant::now(),
            games_before: found.games,
            target,
            timed,
            tally: Mutex::default(),
        }
    }

    /// A game is in the file.
    pub(crate) fn add(&self, game: &Game) {
        // A thread that broke down while counting has done no harm to the games.
        let mut tally = self.tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        tally.games += 1;
        tally.positions += game.moves.len() as u64;
        tally.results[game.outcome as usize] += 1;
        self.bar.set_position(self.games_before + tally.games);
        self.bar.set_message(self.text(&tally));
        let due = tally.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY);
        if due && !stderr().is_terminal() {
            tally.last_line = Some(Instant::now());
            self.line(&tally);
        }
    }

    /// The run is over.
    pub(crate) fn finish(&self) {
        self.bar.finish();
        let tally = self.tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.line(&tally);
    }

    #[expect(clippy::print_stderr, reason = "progress of a command, for logs")]
    fn line(&self, tally: &Tally) {
        let done = self.games_before + tally.games;
        let games = tally.games.max(1) as f64;
        let left =
            self.started.elapsed().as_secs_f64() / games * self.target.saturating_sub(done) as f64;
        let left = match Duration::try_from_secs_f64(left) {
            Ok(left) if !self.timed && tally.games > 0 => format!(", {} left", HumanDuration(left)),
            _ => String::new(),
        };
        eprintln!(
            "{}/{} games, {}{left}",
            HumanCount(done),
            HumanCount(self.target),
            self.text(tally)
        );
    }

    fn text(&self, tally: &Tally) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(0.001);
        let [lost, drawn, won] = tally.results;
        format!(
            "{} positions, {:.0} a second, +{won} ={drawn} -{lost}",
            HumanCount(tally.positions),
            tally.positions as f64 / seconds
        )
    }
}
