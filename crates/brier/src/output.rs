//! Standard output, one whole line at a time.
//!
//! The session and the search's thread both write. Each line goes out in one piece and at once,
//! and a reader that has gone away is an error to the caller, never a panic.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// From now on lines go to a function instead of standard output: for a fuzzer that checks them.
pub fn listen(listener: fn(&str)) {
    // The first one stays; there is one for each process.
    let _ = LISTENER.set(listener);
}

/// Writes one line (or several, if the text has breaks) and flushes it.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    let text = text.to_string();
    if let Some(listener) = LISTENER.get() {
        listener(&text);
        return Ok(());
    }
    let mut bytes = text.into_bytes();
    bytes.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&bytes)?;
    stdout.flush()
}

/// The text without what could command a terminal: what others wrote may hold such characters.
pub(crate) fn plain(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && letter != '\n', "\u{fffd}")
}
