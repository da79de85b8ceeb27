//! The programs, a folder to work in, and commands under limits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::{book, report};
use crate::shell;

/// What all trials share.
pub(super) struct Place {
    pub(super) brier: PathBuf,
    pub(super) stockfish: PathBuf,
    pub(super) folder: PathBuf,
    /// The book that the games give.
    pub(super) book: Vec<u8>,
    /// The files of the report on the games, with their names.
    pub(super) report: Vec<(String, Vec<u8>)>,
}

impl Place {
    pub(super) fn new() -> Result<Place, String> {
        let folder = shell::target().join("torture");
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let mut place = Place {
            brier: shell::target().join("debug").join("brier"),
            stockfish: shell::find("stockfish").ok_or("expected Stockfish to compare with")?,
            folder,
            book: Vec::new(),
            report: Vec::new(),
        };
        place.book = book::reference(&place)?;
        place.report = report::reference(&place)?;
        Ok(place)
    }

    /// `brier` with these arguments, under limits.
    pub(super) fn limited(&self, limits: &str, arguments: &str) -> Command {
        limited(&self.brier, limits, arguments)
    }
}

/// A shell that sets limits and becomes the program.
pub(super) fn limited(program: &Path, limits: &str, arguments: &str) -> Command {
    let script = format!("{limits}\nexec \"$0\" {arguments}");
    let mut command = shell::program("bash", &["-c", &script, &program.to_string_lossy()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// As [`limited`], for someone whom permissions bind: the superuser gives up his right to pass
/// over them first.
pub(super) fn bound_by_permissions(arguments: &str) -> String {
    format!(
        "[ \"$(id -u)\" != 0 ] || exec setpriv --bounding-set=-dac_override \
         --inh-caps=-dac_override \"$0\" {arguments}"
    )
}

/// Most kilobytes of a file. Without the trap the system ends the program instead of failing its
/// write.
pub(super) fn small_disk(kilobytes: u32) -> String {
    format!("trap '' XFSZ; ulimit -f {kilobytes}")
}

pub(super) fn ended_by_itself(status: ExitStatus) -> Result<(), String> {
    match status.code() {
        Some(0..=2) => Ok(()),
        _ => Err(format!("ended with {status}")),
    }
}

/// Makes a folder that nothing can be written into, or gives that right back.
pub(super) fn set_read_only(folder: &Path, read_only: bool) -> Result<(), String> {
    let mode = if read_only { "a-w" } else { "u+w" };
    shell::output_of(&mut shell::program("chmod", &[mode, &folder.to_string_lossy()])).map(drop)
}
