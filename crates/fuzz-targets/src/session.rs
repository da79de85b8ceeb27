//! A whole UCI session: every line of any bytes, in their order, at once.

use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

use uci::Command;

/// What the session that runs now has written.
static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// One session at a time: they share their output.
static TURN: Mutex<()> = Mutex::new(());

/// More threads or megabytes than this take too long for a fuzzer.
const MOST: u64 = 4;

/// Any bytes as a session that ends with the input, after a `stop`: each `isready` has its answer
/// and each `go` one `bestmove`, and nothing but lines of the protocol is written.
pub(crate) fn session(bytes: &[u8]) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    brier_program::listen(|text| {
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend(text.lines().map(str::to_owned));
    });
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.split('\n').filter(|line| !is_costly(line)).collect();
    let input = format!("{}\nstop\n", lines.join("\n"));
    let (mut ready, mut best) = (0, 0);
    for command in lines.iter().filter_map(|line| Command::parse(line).ok()) {
        match command {
            Command::IsReady => ready += 1,
            Command::Go(_) => best += 1,
            _ => {}
        }
    }
    let quits = lines.iter().any(|line| matches!(Command::parse(line), Ok(Command::Quit)));
    brier_program::session(Cursor::new(input.into_bytes())).expect("a session begins and ends");
    let written = std::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner));
    let count = |word: &str| written.iter().filter(|line| line.starts_with(word)).count();
    if !quits {
        assert_eq!((count("readyok"), count("bestmove")), (ready, best), "{text:?}");
    }
    assert!(written.iter().all(|line| line.len() < 100_000), "a line without an end");
}

/// Whether a line asks for more work than a fuzzer has time for, or for files.
fn is_costly(line: &str) -> bool {
    match Command::parse(line) {
        Ok(Command::Bench(_) | Command::Eval) => true,
        Ok(Command::Go(go)) => go.perft.is_some(),
        Ok(Command::SetOption(option)) => {
            let name = option.name.to_ascii_lowercase();
            let number = option.value.as_deref().and_then(|value| value.parse::<u64>().ok());
            let grows = ["hash", "threads"].contains(&name.trim());
            grows && number.is_some_and(|number| number > MOST)
                || name.contains("file")
                || name.contains("path")
        }
        _ => false,
    }
}
