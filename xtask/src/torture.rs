//! `cargo xtask torture`: faults of the system, made on purpose, around the real binary.
//!
//! Each trial counts its cases and those that were not clean. Clean means: the program ends by
//! itself with a status, not by a signal; what was there before is there still or has been
//! replaced whole; nothing is left beside it. Limits are set by the shell that starts the program.
//! The numbers in `docs/reliability.md` are printed by this command.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::shell;

/// What one trial gave.
struct Trial {
    name: &'static str,
    cases: u32,
    faults: Vec<String>,
}

/// A trial to be run.
type Run = fn(&Place) -> Result<Trial, String>;

impl Trial {
    fn new(name: &'static str) -> Trial {
        Trial { name, cases: 0, faults: Vec::new() }
    }

    /// Counts one case; an error is a fault.
    fn count(&mut self, case: &str, outcome: Result<(), String>) {
        self.cases += 1;
        if let Err(reason) = outcome {
            self.faults.push(format!("{case}: {reason}"));
        }
    }
}

/// Runs every trial and prints a row for each; the error counts the faults.
pub(crate) fn run() -> Result<(), String> {
    if !cfg!(unix) {
        return Err("expected a Unix system: the faults are made with its limits".into());
    }
    shell::run(&mut shell::cargo(&["build", "--package", "brier"]))?;
    let place = Place::new()?;
    let trials: [Run; 5] = [full_disk, killed, little_memory, few_descriptors, reader_gone];
    println!("{:<22} {:>6} {:>6}", "trial", "cases", "clean");
    let mut faults = Vec::new();
    for trial in trials {
        let trial = trial(&place)?;
        let clean = trial.cases as usize - trial.faults.len();
        println!("{:<22} {:>6} {clean:>6}", trial.name, trial.cases);
        faults.extend(trial.faults.iter().map(|fault| format!("{}, {fault}", trial.name)));
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!("{} cases were not clean:\n{}", faults.len(), faults.join("\n"))),
    }
}

/// The binary and a folder to work in.
struct Place {
    brier: PathBuf,
    folder: PathBuf,
    games: PathBuf,
    /// The book that the games give.
    reference: Vec<u8>,
}

const OLD: &[u8] = b"the book before.";

impl Place {
    fn new() -> Result<Place, String> {
        let folder = shell::target().join("torture");
        let games = folder.join("games.pgn");
        let place = Place {
            brier: shell::target().join("debug").join("brier"),
            games,
            folder,
            reference: Vec::new(),
        };
        fs::create_dir_all(&place.folder).map_err(|error| error.to_string())?;
        fs::write(&place.games, games_text()).map_err(|error| error.to_string())?;
        let status = place.build_book("").status().map_err(|error| error.to_string())?;
        let reference = fs::read(place.book()).map_err(|error| format!("{status}: {error}"))?;
        Ok(Place { reference, ..place })
    }

    fn book(&self) -> PathBuf {
        self.folder.join("output").join("book.bin")
    }

    /// A shell that sets limits and becomes `brier`.
    fn limited(&self, limits: &str, arguments: &str) -> Command {
        let script = format!("{limits}\nexec \"$0\" {arguments}");
        let mut command = shell::program("bash", &["-c", &script, &self.brier.to_string_lossy()]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// A build of the book over an old one.
    fn build_book(&self, limits: &str) -> Command {
        let book = self.book();
        let output = book.parent().expect("it lies in a folder");
        // What is wrong with the folder shows when the program is run.
        let _ = fs::remove_dir_all(output);
        let _ = fs::create_dir_all(output);
        let _ = fs::write(&book, OLD);
        let (book, games) = (book.display(), self.games.display());
        self.limited(limits, &format!("book build --min-games 1 -o '{book}' '{games}'"))
    }

    /// The old book must be there, or the new one whole.
    fn check_book(&self, status: ExitStatus) -> Result<(), String> {
        let found = fs::read(self.book()).map_err(|error| format!("the book is lost: {error}"))?;
        match (found == OLD, found == self.reference, status.success()) {
            (true, _, false) | (_, true, true) => Ok(()),
            (_, true, false) => Err(format!("a whole book, but {status}")),
            (true, _, true) => Err("success without a book".into()),
            _ => Err(format!("a book of {} bytes, neither old nor whole", found.len())),
        }
    }

    fn left_behind(&self) -> usize {
        let output = self.book();
        let folder = output.parent().expect("it lies in a folder");
        fs::read_dir(folder).map_or(0, |entries| entries.count().saturating_sub(1))
    }
}

/// Short games for a book of some hundred kilobytes: all combinations of a few first moves.
fn games_text() -> String {
    const WHITE: [&str; 12] =
        ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4", "c4", "d4", "e4"];
    const BLACK: [&str; 12] =
        ["a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6", "a5", "c5", "Nf6", "Nc6"];
    const SECOND: [&str; 4] = ["Nf3", "Nc3", "Nh3", "Na3"];
    let mut text = String::new();
    for white in WHITE {
        for black in BLACK {
            for second in SECOND {
                for answer in ["h5", "g5", "b5", "f5"] {
                    text += &format!(
                        "[Result \"1-0\"]\n\n1. {white} {black} 2. {second} {answer} 1-0\n\n"
                    );
                }
            }
        }
    }
    text
}

fn ended_by_itself(status: ExitStatus) -> Result<(), String> {
    match status.code() {
        Some(0..=2) => Ok(()),
        _ => Err(format!("ended with {status}")),
    }
}

/// Most kilobytes of a file: 0 to 99.
fn full_disk(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("full disk");
    for kilobytes in 0..100 {
        // Without the trap the system ends the program instead of failing its write.
        let limits = format!("trap '' XFSZ; ulimit -f {kilobytes}");
        let status = place.build_book(&limits).status().map_err(|error| error.to_string())?;
        let outcome =
            ended_by_itself(status).and_then(|()| place.check_book(status)).and_then(|()| {
                match place.left_behind() {
                    0 => Ok(()),
                    count => Err(format!("{count} files left behind")),
                }
            });
        trial.count(&format!("{kilobytes} KB"), outcome);
    }
    Ok(trial)
}

/// Killed at a hundred moments, spread evenly over the time that a build takes.
fn killed(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("kill -9 of a build");
    let start = Instant::now();
    place.build_book("").status().map_err(|error| error.to_string())?;
    let whole = start.elapsed();
    for part in 0..100 {
        let mut child = place.build_book("").spawn().map_err(|error| error.to_string())?;
        thread::sleep(whole * part / 100);
        // It may have ended by itself.
        let _ = child.kill();
        let status = child.wait().map_err(|error| error.to_string())?;
        let found = fs::read(place.book()).unwrap_or_default();
        let outcome = match found == OLD || found == place.reference {
            true => Ok(()),
            false => Err(format!("a book of {} bytes after {status}", found.len())),
        };
        trial.count(&format!("after {part} %"), outcome);
        let status = place.build_book("").status().map_err(|error| error.to_string())?;
        trial.count("built again", place.check_book(status));
    }
    Ok(trial)
}

const SESSION: &str = "uci\nsetoption name Hash value 64\nsetoption name Threads value 2\n\
                       isready\nposition startpos\ngo depth 6\nisready\nquit\n";

/// Runs a session under limits: it must end by itself, and say `bestmove` if it began to search.
fn session(place: &Place, limits: &str) -> Result<(), String> {
    const PATIENCE: Duration = Duration::from_secs(120);
    let mut command = place.limited(limits, "");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().expect("it is piped");
    // A program that could not start does not read.
    let _ = input.write_all(SESSION.as_bytes());
    let start = Instant::now();
    let watch = child.id();
    let waiter = thread::spawn(move || child.wait_with_output());
    while !waiter.is_finished() {
        if start.elapsed() > PATIENCE {
            let _ = shell::program("kill", &["-9", &watch.to_string()]).status();
            return Err("did not end within two minutes".into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = waiter.join().expect("it does not panic").map_err(|error| error.to_string())?;
    drop(input);
    // A status of 127 is the system's that could not even load the program.
    if output.status.code() != Some(127) {
        ended_by_itself(output.status)?;
    }
    let text = String::from_utf8_lossy(&output.stdout);
    match (text.contains("bestmove"), text.contains("cannot start"), output.status.success()) {
        (true, false, true) => Ok(()),
        (false, true, false) => Ok(()),
        // The system's loader has said why, in its own words.
        (false, false, false) if output.status.code() == Some(127) => Ok(()),
        (best, cannot, _) => {
            Err(format!("bestmove: {best}, `cannot start`: {cannot}, but {}", output.status))
        }
    }
}

/// A hundred sizes of address space around what the session needs. With less than the first,
/// nothing is left for the program once the system has loaded it, not even for a message.
fn little_memory(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("little memory");
    for step in 1..=100 {
        let megabytes = 18 + 2 * step;
        let outcome = session(place, &format!("ulimit -v {}", megabytes * 1024));
        trial.count(&format!("{megabytes} MB"), outcome);
    }
    Ok(trial)
}

/// Three to twenty open files.
fn few_descriptors(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("few descriptors");
    for count in 3..=20 {
        trial.count(&format!("{count} files"), session(place, &format!("ulimit -n {count}")));
    }
    Ok(trial)
}

/// Commands whose reader has gone.
fn reader_gone(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("reader gone");
    for arguments in
        ["bench 4", "perft 4", "perft 3 --divide", "book dump", "book info", "help", "uci"]
    {
        let mut command = place.limited("", arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
        drop(child.stdout.take());
        let status = child.wait().map_err(|error| error.to_string())?;
        let outcome = match status.success() {
            true => Ok(()),
            false => Err(format!("ended with {status}")),
        };
        trial.count(arguments, outcome);
    }
    Ok(trial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_counted_with_its_case() {
        let mut trial = Trial::new("x");
        trial.count("a", Ok(()));
        trial.count("b", Err("broken".into()));
        assert_eq!((trial.cases, trial.faults), (2, vec!["b: broken".to_owned()]));
    }

    #[test]
    fn there_are_enough_games_for_a_book_of_several_blocks() {
        assert_eq!(games_text().matches("Result").count(), 12 * 12 * 4 * 4);
    }
}
