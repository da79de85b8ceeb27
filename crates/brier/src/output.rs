//! Standard output, one whole line at a time.
//!
//! The session and the search's thread both write. Each line goes out in one piece and at once,
//! and a reader that has gone away is an error to the caller, never a panic.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes one line (or several, if the text has breaks) and flushes it.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    let mut bytes = text.to_string().into_bytes();
    bytes.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&bytes)?;
    stdout.flush()
}

/// The text without what could command a terminal: what others wrote may hold such characters.
pub(crate) fn plain(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && letter != '\n', "\u{fffd}")
}
