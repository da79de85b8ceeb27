//! Standard input, read on a thread of its own and timed when it comes in.
//!
//! Two things cannot wait until the session gets round to a line, on a busy machine least of all:
//! the clock of a `go` runs from the moment its line was read, and a `stop` reaches the search
//! from here. The session gets the line as well, in its turn.

use std::io::BufRead;
use std::time::Instant;

/// A line and when it came.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) read: Instant,
}

/// Reads to the end, or until `deliver` returns false. Bytes that are no text are replaced rather
/// than refused. A `stop` calls the function of that name before it is delivered: whatever was
/// asked for earlier is to end, so nothing is lost if it overtakes lines that still wait.
pub(crate) fn read_lines(
    mut input: impl BufRead,
    stop: impl Fn(),
    mut deliver: impl FnMut(Line) -> bool,
) {
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
        let read = Instant::now();
        if bytes.trim_ascii() == b"stop" {
            stop();
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if !deliver(Line { text, read }) {
            return;
        }
        bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn a_stop_reaches_the_search_before_the_session() {
        let seen = RefCell::new(Vec::new());
        let input = b"go infinite\n  stop \r\nnonstop\n\xff\n".as_slice();
        read_lines(
            input,
            || seen.borrow_mut().push("stopped".to_owned()),
            |line| {
                seen.borrow_mut().push(line.text.trim().to_owned());
                true
            },
        );
        assert_eq!(seen.take(), ["go infinite", "stopped", "stop", "nonstop", "\u{fffd}"]);
    }

    #[test]
    fn nothing_is_read_for_nobody() {
        let mut count = 0;
        read_lines(
            b"a\nb\n".as_slice(),
            || (),
            |_| {
                count += 1;
                false
            },
        );
        assert_eq!(count, 1);
    }
}
