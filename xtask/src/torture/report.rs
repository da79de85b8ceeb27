//! `brier analyze --out`: a report that was cut short becomes, when it is asked for again, the one
//! that a run without a break gives, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Instant;

use super::Trial;
use super::place::{Place, bound_by_permissions, ended_by_itself, set_read_only, small_disk};

/// The files of a report without faults.
pub(super) fn reference(place: &Place) -> Result<Vec<(String, Vec<u8>)>, String> {
    fs::write(games(place), games_text()).map_err(|error| error.to_string())?;
    let status = begin(place, "").status().map_err(|error| error.to_string())?;
    match status.success() {
        true => files(&output(place)),
        false => Err(format!("expected a report, got {status}")),
    }
}

/// Room for 0 to 59 KB: it ends with a reason, and goes on when there is room.
pub(super) fn full_disk(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("analyze: full disk");
    for kilobytes in 0..60 {
        let limits = small_disk(kilobytes);
        let status = begin(place, &limits).status().map_err(|error| error.to_string())?;
        let outcome = ended_by_itself(status).and_then(|()| resume(place));
        trial.count(&format!("{kilobytes} KB"), outcome);
    }
    Ok(trial)
}

/// A report begun in a folder that may not be written into, and in one that was there before.
pub(super) fn read_only(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("analyze: read-only folder");
    for begun in [false, true] {
        let mut command = begin(place, &bound_by_permissions(&arguments(place)));
        if begun {
            begin(place, &small_disk(8)).status().map_err(|error| error.to_string())?;
        } else {
            fs::create_dir_all(output(place)).map_err(|error| error.to_string())?;
        }
        let before = files(&output(place))?;
        set_read_only(&output(place), true)?;
        let status = command.status().map_err(|error| error.to_string());
        set_read_only(&output(place), false)?;
        let status = status?;
        let outcome = match (status.success(), files(&output(place))? == before) {
            (false, true) => ended_by_itself(status).and_then(|()| resume(place)),
            (success, same) => Err(format!("success: {success}, folder unchanged: {same}")),
        };
        trial.count(if begun { "an old report" } else { "an empty folder" }, outcome);
    }
    Ok(trial)
}

/// Killed at forty moments, spread evenly over the time that a report takes.
pub(super) fn killed(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("analyze: kill -9");
    let start = Instant::now();
    begin(place, "").status().map_err(|error| error.to_string())?;
    let whole = start.elapsed();
    for part in 0..40 {
        let mut child = begin(place, "").spawn().map_err(|error| error.to_string())?;
        thread::sleep(whole * part / 40);
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().map_err(|error| error.to_string())?;
        trial.count(&format!("after {part} of 40 parts"), resume(place));
    }
    Ok(trial)
}

fn games(place: &Place) -> PathBuf {
    place.folder.join("to-review.pgn")
}

fn output(place: &Place) -> PathBuf {
    place.folder.join("report")
}

fn arguments(place: &Place) -> String {
    let (games, output) = (games(place), output(place));
    format!(
        "analyze '{}' --nodes 100 --threads 1 --me White --out '{}'",
        games.display(),
        output.display()
    )
}

/// A report that begins anew.
fn begin(place: &Place, limits: &str) -> Command {
    // What is wrong with the folder shows when the program is run.
    let _ = fs::remove_dir_all(output(place));
    place.limited(limits, &arguments(place))
}

/// Lets a report end that was cut short, and compares it with the one that was not.
fn resume(place: &Place) -> Result<(), String> {
    let status: ExitStatus =
        place.limited("", &arguments(place)).status().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("going on with it ended with {status}"));
    }
    let found = files(&output(place))?;
    match found.iter().zip(&place.report).find(|(one, other)| one != other) {
        None if found.len() == place.report.len() => Ok(()),
        None => Err(format!("expected {} files, got {}", place.report.len(), found.len())),
        Some(((name, _), _)) => Err(format!("{name} differs")),
    }
}

/// The files of a folder and of those in it, by name.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                found.push((path.display().to_string(), bytes));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Short games that differ.
fn games_text() -> String {
    const FIRST: [&str; 4] = ["1. e4 e5", "1. d4 d5", "1. c4 c5", "1. Nf3 Nf6"];
    const SECOND: [&str; 4] = ["2. Nc3 Nc6", "2. g3 g6", "2. b3 b6", "2. a3 h6"];
    let games = FIRST.iter().flat_map(|first| SECOND.map(|second| format!("{first} {second}")));
    games
        .enumerate()
        .map(|(number, moves)| {
            format!(
                "[White \"White\"]\n[Black \"Black {number}\"]\n[Result \"*\"]\n\n{moves} *\n\n"
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_enough_games_to_be_killed_between_two() {
        assert_eq!(super::games_text().matches("Result").count(), 16);
    }
}
