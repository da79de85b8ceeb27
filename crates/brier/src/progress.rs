//! A progress bar for commands that do one thing after the other.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error that counts up to `count`; hidden where nobody would see it move.
pub(crate) fn bar(count: usize) -> ProgressBar {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len}  {msg}  {eta} left") {
        bar.set_style(style);
    }
    bar
}
