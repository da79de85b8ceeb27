//! Everything that a run writes: what it prints, the files that options name, and the folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use files::Replacement;
use review::chart;
use review::overview::Overview;
use review::player::Player;

use crate::folder::Folder;
use crate::format::{Format, GameOutcome, Outcome, Writer};
use crate::games::no_such_game;
use crate::input::{Count, Input};
use crate::{BatchError, save};

/// Where a run writes to.
#[derive(Clone, Debug, Default)]
pub struct Destinations {
    /// What is printed; nothing if it is none.
    pub print: Option<Format>,
    /// A folder with an index and a page for each game.
    pub folder: Option<PathBuf>,
    /// A chart of the only game.
    pub svg: Option<PathBuf>,
    /// A page of all games.
    pub html: Option<PathBuf>,
    /// The annotated games.
    pub pgn: Option<PathBuf>,
}

impl Destinations {
    /// Finds out before the search what would fail after it. `wanted` is the number of the only game
    /// that is asked for.
    pub fn check(
        &self,
        inputs: &[Input],
        count: Option<Count>,
        wanted: Option<usize>,
    ) -> Result<(), String> {
        let Self { svg, html, pgn, .. } = self;
        if let Some(Count { games, .. }) = count
            && let Some(wanted) = wanted.filter(|&wanted| wanted > games)
        {
            return Err(no_such_game(wanted, games));
        }
        let is_single = wanted.is_some() || count.is_some_and(|count| count.games == 1);
        if svg.is_some() && !is_single {
            return Err(
                "expected --game N with --svg: a chart shows one game, not several".to_owned()
            );
        }
        let mut taken: Vec<(&PathBuf, &str)> = Vec::new();
        for input in inputs {
            if let Input::File(path) = input {
                taken.push((path, "the games come from"));
            }
        }
        for path in [svg, html, pgn].into_iter().flatten() {
            save::check(path)?;
            let same = |other: &PathBuf| files::same_file(other, path) || other == path;
            if let Some((_, whose)) = taken.iter().find(|(other, _)| same(other)) {
                return Err(format!(
                    "expected another file than {}, which {whose}",
                    path.display()
                ));
            }
            taken.push((path, "another option names"));
        }
        Ok(())
    }
}

/// The outputs, and what is counted on the way.
pub struct Outputs<W> {
    printed: Writer<W>,
    /// False if nothing is printed, or nobody reads any more.
    is_printing: bool,
    /// Why printing has ended.
    closed: Option<io::Error>,
    files: Vec<(PathBuf, Writer<Replacement>)>,
    svg: Option<PathBuf>,
    folder: Option<Folder>,
    overview: Overview,
    prints_overview: bool,
    games: usize,
    reviewed: usize,
    /// Games that were not read to their end, and why the first was not.
    cut: usize,
    first_cut: Option<String>,
}

impl<W: Write> Outputs<W> {
    /// Opens the files. The journal of a folder must be open: it keeps other programs away.
    ///
    /// `names_files` if there are several inputs, so that games say from which they come.
    pub fn new(
        to: &Destinations,
        player: Option<Player>,
        names_files: bool,
        out: W,
    ) -> Result<Self, String> {
        let mut files = Vec::new();
        for (path, format) in [(&to.html, Format::Html), (&to.pgn, Format::Pgn)] {
            if let Some(path) = path {
                let writer = Writer::new(format, save::begin(path)?, false);
                files.push((path.clone(), writer.seen_by(player.clone())));
            }
        }
        let format = to.print.unwrap_or(Format::Text);
        let folder = to.folder.as_deref().map(|path| Folder::new(path, player.clone()));
        Ok(Self {
            printed: Writer::new(format, out, names_files).seen_by(player.clone()),
            is_printing: to.print.is_some(),
            closed: None,
            files,
            svg: to.svg.clone(),
            folder: folder.transpose()?,
            overview: Overview::new(player),
            prints_overview: format == Format::Text,
            games: 0,
            reviewed: 0,
            cut: 0,
            first_cut: None,
        })
    }

    /// How many games there were.
    pub(crate) fn games(&self) -> usize {
        self.games
    }

    pub(crate) fn add(&mut self, outcome: Outcome) -> Result<(), BatchError> {
        self.games += 1;
        if !outcome.is_whole() {
            self.cut += 1;
            if self.first_cut.is_none() {
                let reason = outcome.game().cut();
                self.first_cut = reason.map(|reason| format!("{}, {reason}", outcome.file));
            }
        }
        if self.is_printing
            && let Err(error) = self.printed.add(&outcome)
        {
            // Who has read enough may still wait for the files.
            if self.files.is_empty() && self.folder.is_none() && self.svg.is_none() {
                return Err(BatchError::Output(error));
            }
            (self.is_printing, self.closed) = (false, Some(error));
        }
        for (path, writer) in &mut self.files {
            writer.add(&outcome).map_err(|error| cannot_write(path, &error))?;
        }
        if let GameOutcome::Reviewed(review) = &outcome.result {
            self.reviewed += 1;
            self.overview.add(review);
            if let Some(path) = &self.svg {
                save::save(path, &chart::document(review)).map_err(BatchError::Other)?;
            }
        }
        if let Some(folder) = &mut self.folder {
            folder.add(outcome).map_err(BatchError::Other)?;
        }
        Ok(())
    }

    /// Writes what depends on all games, and says what was wrong with them.
    pub(crate) fn finish(self) -> Result<(), BatchError> {
        if self.reviewed == 0 {
            let reason = "expected a game that can be replayed, got none";
            return Err(BatchError::Other(reason.to_owned()));
        }
        for (path, writer) in self.files {
            let done = writer.finish(&self.overview).and_then(Replacement::finish);
            done.map_err(|error| cannot_write(&path, &error))?;
        }
        let index = match self.folder {
            Some(folder) => Some(folder.finish(&self.overview).map_err(BatchError::Other)?),
            None => None,
        };
        if let Some(error) = self.closed {
            return Err(BatchError::Output(error));
        }
        let mut out = self.printed.finish(&self.overview).map_err(BatchError::Output)?;
        if self.prints_overview && self.overview.games() > 1 {
            writeln!(out, "{}", self.overview.text().trim_end()).map_err(BatchError::Output)?;
        }
        if let Some(index) = index
            && self.prints_overview
        {
            writeln!(out, "the report is {}", index.display()).map_err(BatchError::Output)?;
        }
        out.flush().map_err(BatchError::Output)?;
        if let Some(player) = self.overview.player()
            && self.overview.games() == 0
        {
            let (name, games) = (player.name(), self.games);
            let reason = format!("expected games of {name}, found none among {games}");
            return Err(BatchError::Other(reason));
        }
        match self.cut {
            0 => Ok(()),
            cut => Err(BatchError::Other(format!(
                "{cut} of {} games could not be read to the end; the first: {}",
                self.games,
                self.first_cut.unwrap_or_default()
            ))),
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> BatchError {
    BatchError::Other(save::at(path, error))
}
