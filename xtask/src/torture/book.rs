//! `brier book build`: the old book is there, or the new one whole.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Instant;

use super::Trial;
use super::place::{Place, bound_by_permissions, ended_by_itself, set_read_only, small_disk};

const OLD: &[u8] = b"the book before.";

/// The book that a build without faults gives.
pub(super) fn reference(place: &Place) -> Result<Vec<u8>, String> {
    fs::write(games(place), games_text()).map_err(|error| error.to_string())?;
    let status = build(place, "").status().map_err(|error| error.to_string())?;
    fs::read(book(place)).map_err(|error| format!("{status}: {error}"))
}

/// Room for 0 to 99 KB.
pub(super) fn full_disk(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("book: full disk");
    for kilobytes in 0..100 {
        let limits = small_disk(kilobytes);
        let status = build(place, &limits).status().map_err(|error| error.to_string())?;
        trial.count(&format!("{kilobytes} KB"), check(place, status));
    }
    Ok(trial)
}

/// A folder that may not be written into.
pub(super) fn read_only(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("book: read-only folder");
    let mut command = build(place, &bound_by_permissions(&arguments(place)));
    let folder = place.folder.join("output");
    set_read_only(&folder, true)?;
    let status = command.status().map_err(|error| error.to_string());
    set_read_only(&folder, false)?;
    let outcome = check(place, status?).and_then(|()| match fs::read(book(place)) {
        Ok(found) if found == OLD => Ok(()),
        _ => Err("the folder was written into".into()),
    });
    trial.count("chmod a-w", outcome);
    Ok(trial)
}

/// Killed at a hundred moments, spread evenly over the time that a build takes.
pub(super) fn killed(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("book: kill -9");
    let start = Instant::now();
    build(place, "").status().map_err(|error| error.to_string())?;
    let whole = start.elapsed();
    for part in 0..100 {
        let mut child = build(place, "").spawn().map_err(|error| error.to_string())?;
        thread::sleep(whole * part / 100);
        // It may have ended by itself.
        let _ = child.kill();
        let status = child.wait().map_err(|error| error.to_string())?;
        let found = fs::read(book(place)).unwrap_or_default();
        let outcome = match found == OLD || found == place.book {
            true => Ok(()),
            false => Err(format!("a book of {} bytes after {status}", found.len())),
        };
        trial.count(&format!("after {part} %"), outcome);
        let status = build(place, "").status().map_err(|error| error.to_string())?;
        trial.count("built again", check(place, status));
    }
    Ok(trial)
}

fn book(place: &Place) -> PathBuf {
    place.folder.join("output").join("book.bin")
}

fn games(place: &Place) -> PathBuf {
    place.folder.join("games.pgn")
}

fn arguments(place: &Place) -> String {
    format!("book build --min-games 1 -o '{}' '{}'", book(place).display(), games(place).display())
}

/// A build over an old book.
fn build(place: &Place, limits: &str) -> Command {
    let folder = place.folder.join("output");
    // What is wrong with the folder shows when the program is run.
    let _ = fs::remove_dir_all(&folder);
    let _ = fs::create_dir_all(&folder);
    let _ = fs::write(book(place), OLD);
    place.limited(limits, &arguments(place))
}

/// The old book must be there, or the new one whole, and nothing else.
fn check(place: &Place, status: ExitStatus) -> Result<(), String> {
    ended_by_itself(status)?;
    let found = fs::read(book(place)).map_err(|error| format!("the book is lost: {error}"))?;
    match (found == OLD, found == place.book, status.success()) {
        (true, _, false) | (_, true, true) => {}
        (_, true, false) => return Err(format!("a whole book, but {status}")),
        (true, _, true) => return Err("success without a book".into()),
        _ => return Err(format!("a book of {} bytes, neither old nor whole", found.len())),
    }
    let entries = fs::read_dir(place.folder.join("output")).map_err(|error| error.to_string())?;
    match entries.count() {
        1 => Ok(()),
        count => Err(format!("{} files left behind", count - 1)),
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

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_enough_games_for_a_book_of_several_blocks() {
        assert_eq!(super::games_text().matches("Result").count(), 12 * 12 * 4 * 4);
    }
}
