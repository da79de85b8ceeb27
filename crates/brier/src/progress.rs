//! Progress bars on standard error, hidden where nobody would see them move.

use std::io::{self, IsTerminal};
use std::time::Duration;

use batch::Progress;
use batch::input::Count;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that counts up to `count`.
pub(crate) fn bar(count: usize) -> ProgressBar {
    styled(Some(count), "{bar:32} {pos}/{len}  {msg}  {eta} left")
}

/// A bar for games: it counts positions, if their number is known, and says how many games there are
/// in an hour.
pub(crate) struct GamesBar {
    bar: ProgressBar,
    /// How the number of all games is shown.
    total: String,
}

impl GamesBar {
    /// For this much work, if that is known.
    pub(crate) fn new(count: Option<Count>) -> Self {
        let bar = match count {
            Some(count) => styled(Some(count.positions), "{bar:32} {percent}%  {msg}  {eta} left"),
            None => styled(None, "{spinner} {pos} positions  {msg}  {elapsed}"),
        };
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar, total: count.map_or(String::new(), |count| format!(" of {}", count.games)) }
    }
}

impl Progress for GamesBar {
    fn resumed(&self, games: usize) {
        self.bar.println(format!("{games} games are done already"));
    }

    fn expect(&self, positions: usize) {
        self.bar.inc_length(positions as u64);
    }

    fn advance(&self, positions: usize) {
        self.bar.inc(positions as u64);
    }

    fn finished<R>(&self, games: usize, write: impl FnOnce() -> R) -> R {
        let Self { bar, total } = self;
        let rate = 3600.0 * games as f64 / bar.elapsed().as_secs_f64().max(0.001);
        bar.set_message(format!("game {games}{total}, {rate:.0} games an hour"));
        bar.suspend(write)
    }

    fn ended(&self) {
        self.bar.finish_and_clear();
    }
}

/// A count without an end that is known, and how fast it grows.
pub(crate) fn counter() -> ProgressBar {
    styled(None, "{spinner} {pos} positions  {per_sec}  {elapsed}")
}

fn styled(count: Option<usize>, template: &str) -> ProgressBar {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(count.map(|count| count as u64), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
