//! Everything that a run writes: what it prints, the files that options name, and the folder.

use std::io::{self, Stdout};
use std::path::{Path, PathBuf};

use files::Replacement;
use review::chart;
use review::overview::Overview;
use review::player::Player;

use super::folder::Folder;
use super::format::{Format, GameOutcome, Outcome, Writer};
use super::{AnalyzeArguments, save};
use crate::{Failure, output};

/// The outputs, and what is counted on the way.
pub(super) struct Outputs {
    /// None if nothing is printed, or nobody reads any more.
    printed: Option<Writer<Stdout>>,
    /// Why printing has ended.
    closed: Option<io::Error>,
    files: Vec<(PathBuf, Writer<Replacement>)>,
    svg: Option<PathBuf>,
    folder: Option<Folder>,
    overview: Overview,
    prints_overview: bool,
    games: usize,
    reviewed: usize,
    whole: usize,
}

impl Outputs {
    pub(super) fn new(
        arguments: &AnalyzeArguments,
        player: Option<Player>,
        names_files: bool,
    ) -> Result<Self, String> {
        let usual = arguments.out.is_none().then_some(Format::Text);
        let format = arguments.format.or(usual);
        let mut files = Vec::new();
        for (path, format) in [(&arguments.html, Format::Html), (&arguments.pgn, Format::Pgn)] {
            if let Some(path) = path {
                let writer = Writer::new(format, save::begin(path)?, false);
                files.push((path.clone(), writer.seen_by(player.clone())));
            }
        }
        let print = |format| Writer::new(format, io::stdout(), names_files).seen_by(player.clone());
        let folder = arguments.out.as_deref().map(|path| Folder::new(path, player.clone()));
        Ok(Self {
            printed: format.map(print),
            closed: None,
            files,
            svg: arguments.svg.clone(),
            folder: folder.transpose()?,
            overview: Overview::new(player),
            prints_overview: format.is_none_or(|format| format == Format::Text),
            games: 0,
            reviewed: 0,
            whole: 0,
        })
    }

    /// How many games there were.
    pub(super) fn games(&self) -> usize {
        self.games
    }

    pub(super) fn add(&mut self, outcome: Outcome) -> Result<(), Failure> {
        self.games += 1;
        self.whole += usize::from(outcome.is_whole());
        if let Some(printed) = &mut self.printed
            && let Err(error) = printed.add(&outcome)
        {
            // Who has read enough may still wait for the files.
            if self.files.is_empty() && self.folder.is_none() && self.svg.is_none() {
                return Err(Failure::Output(error));
            }
            (self.printed, self.closed) = (None, Some(error));
        }
        for (path, writer) in &mut self.files {
            writer.add(&outcome).map_err(|error| cannot_write(path, &error))?;
        }
        if let GameOutcome::Reviewed(review) = &outcome.result {
            self.reviewed += 1;
            self.overview.add(review);
            if let Some(path) = &self.svg {
                save::save(path, &chart::document(review)).map_err(Failure::Other)?;
            }
        }
        if let Some(folder) = &mut self.folder {
            folder.add(outcome).map_err(Failure::Other)?;
        }
        Ok(())
    }

    /// Writes what depends on all games, and says what was wrong with them.
    pub(super) fn finish(self) -> Result<(), Failure> {
        if self.reviewed == 0 {
            let reason = "expected a game that can be replayed, got none";
            return Err(Failure::Other(reason.to_owned()));
        }
        for (path, writer) in self.files {
            let done = writer.finish().and_then(Replacement::finish);
            done.map_err(|error| cannot_write(&path, &error))?;
        }
        let index = match self.folder {
            Some(folder) => Some(folder.finish(&self.overview).map_err(Failure::Other)?),
            None => None,
        };
        if let Some(printed) = self.printed {
            printed.finish().map_err(Failure::Output)?;
        }
        if let Some(error) = self.closed {
            return Err(Failure::Output(error));
        }
        if self.prints_overview && self.overview.games() > 1 {
            output::line(self.overview.text().trim_end()).map_err(Failure::Output)?;
        }
        if let Some(index) = index
            && self.prints_overview
        {
            output::line(format_args!("the report is {}", index.display()))
                .map_err(Failure::Output)?;
        }
        if let Some(player) = self.overview.player()
            && self.overview.games() == 0
        {
            let (name, games) = (player.name(), self.games);
            let reason = format!("expected games of {name}, found none among {games}");
            return Err(Failure::Other(reason));
        }
        match self.games - self.whole {
            0 => Ok(()),
            cut => Err(Failure::Other(format!(
                "{cut} of {} games could not be read to the end; the output says why",
                self.games
            ))),
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Other(save::at(path, error))
}
