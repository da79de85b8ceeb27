//! Progress bars on standard error, hidden where nobody would see them move.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that counts up to `count`.
pub(crate) fn bar(count: usize) -> ProgressBar {
    styled(Some(count), "{bar:32} {pos}/{len}  {msg}  {eta} left")
}

/// A bar for games: it counts positions, if their number is known, and says how many games there are
/// in an hour.
pub(crate) fn games(positions: Option<usize>) -> ProgressBar {
    let bar = match positions {
        Some(count) => styled(Some(count), "{bar:32} {percent}%  {msg}  {eta} left"),
        None => styled(None, "{spinner} {pos} positions  {msg}  {elapsed}"),
    };
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
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
