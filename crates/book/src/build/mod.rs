//! A book from games: every move of the openings is counted by its results.
//!
//! Games are read one at a time (`games`), counted in memory (`counts`), and when the memory
//! that was granted is full the counts go to disk as a sorted run (`runs`). At the end the runs
//! are merged, so that millions of games fit into any memory.

mod counts;
mod games;
mod runs;

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use chess::Color;
use pgn::Reader;

use crate::Entry;
use crate::merge::position_entries;
use crate::writer::{WriteError, write_book};
use counts::{Record, Table};
use games::GameCounter;
use runs::Runs;

/// How a move's weight comes from its results.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub enum Weighting {
    /// Two for a win and one for a draw of the side that moved, as Polyglot's own tool does.
    #[default]
    Results,
    /// One for each game.
    Games,
}

/// What goes into a book.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Half-moves of each game that are counted.
    pub max_ply: u32,
    /// Moves played in fewer games are left out.
    pub min_games: u32,
    /// Moves with a smaller part of their position's games, in percent, are left out.
    pub min_share: f64,
    /// Moves that scored less for their side, in percent, are left out.
    pub min_score: f64,
    /// Games in which a player is rated lower, or not at all, are left out; 0 takes all.
    pub min_elo: u32,
    /// Games in which a player is rated higher are left out, as engines are.
    pub max_elo: u32,
    /// Only moves of this side.
    pub side: Option<Color>,
    /// How weights come about.
    pub weighting: Weighting,
    /// Memory for counts, in megabytes.
    pub memory: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            max_ply: 30,
            min_games: 3,
            min_share: 0.0,
            min_score: 0.0,
            min_elo: 0,
            max_elo: u32::MAX,
            side: None,
            weighting: Weighting::Results,
            memory: 256,
        }
    }
}

/// What has been read and written.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Summary {
    /// Games counted.
    pub games: u64,
    /// Games left out: without a result, from another start, or of players outside the ratings.
    pub left_out: u64,
    /// Games with an illegal or unreadable move; what came before it is counted.
    pub broken: u64,
    /// Positions in the book.
    pub positions: u64,
    /// Entries in the book.
    pub entries: u64,
}

/// Why a book could not be built.
#[derive(Debug)]
pub enum BuildError {
    /// Games could not be read.
    Read(io::Error),
    /// A temporary file failed.
    Run(PathBuf, io::Error),
    /// The book could not be written.
    Write(WriteError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot read the games: {error}"),
            Self::Run(path, error) => {
                write!(f, "cannot use the temporary file {}: {error}", path.display())
            }
            Self::Write(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<WriteError> for BuildError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

/// Counts games, then writes a book.
pub struct Builder {
    options: BuildOptions,
    table: Table,
    runs: Runs,
    output: PathBuf,
    summary: Summary,
}

impl Builder {
    /// A builder for this file; temporary files are kept beside it.
    pub fn new(output: &Path, options: BuildOptions) -> Self {
        Self {
            table: Table::with_memory(options.memory),
            runs: Runs::beside(output),
            output: output.to_owned(),
            summary: Summary::default(),
            options,
        }
    }

    /// Counts all games of a PGN text.
    pub fn add_pgn(&mut self, pgn: impl Read) -> Result<(), BuildError> {
        let mut reader = Reader::new(pgn);
        while let Some(game) = reader.next_game().map_err(BuildError::Read)? {
            let (options, table, summary) = (&self.options, &mut self.table, &mut self.summary);
            GameCounter { options, table, summary }.count(&game);
            if self.table.is_full() {
                self.runs.add(self.table.drain_sorted())?;
            }
        }
        Ok(())
    }

    /// What has been read so far.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Writes the book.
    pub fn finish(mut self) -> Result<Summary, BuildError> {
        let rest = self.table.drain_sorted();
        let options = &self.options;
        let mut positions = 0;
        let entries = Positions { records: self.runs.merge(rest)?, pending: None }.flat_map(
            |position| -> Vec<Result<Entry, BuildError>> {
                match position {
                    Err(error) => vec![Err(error)],
                    Ok(records) => {
                        let entries = select(&records, options);
                        positions += u64::from(!entries.is_empty());
                        entries.into_iter().map(Ok).collect()
                    }
                }
            },
        );
        let entries = write_book(&self.output, entries)?;
        Ok(Summary { positions, entries, ..self.summary })
    }
}

/// Records of one position after the other, from records sorted by key.
struct Positions<I> {
    records: I,
    pending: Option<Record>,
}

impl<I: Iterator<Item = Result<Record, BuildError>>> Iterator for Positions<I> {
    type Item = Result<Vec<Record>, BuildError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut position = Vec::new();
        loop {
            let record = match self.pending.take().map(Ok).or_else(|| self.records.next()) {
                Some(Ok(record)) => record,
                Some(Err(error)) => return Some(Err(error)),
                None if position.is_empty() => return None,
                None => return Some(Ok(position)),
            };
            if position.first().is_some_and(|first: &Record| first.key != record.key) {
                self.pending = Some(record);
                return Some(Ok(position));
            }
            position.push(record);
        }
    }
}

/// The entries of a position that the options let in.
fn select(records: &[Record], options: &BuildOptions) -> Vec<Entry> {
    let all: u64 = records.iter().map(|record| record.counts.games()).sum();
    let moves: Vec<(u16, f64)> = records
        .iter()
        .filter(|record| {
            let counts = record.counts;
            counts.games() >= u64::from(options.min_games)
                && 100.0 * counts.games() as f64 >= options.min_share * all as f64
                && 100.0 * counts.points() as f64 >= options.min_score * 2.0 * counts.games() as f64
        })
        .map(|record| {
            let weight = match options.weighting {
                Weighting::Results => record.counts.points(),
                Weighting::Games => record.counts.games(),
            };
            (record.mv, weight as f64)
        })
        .collect();
    position_entries(records[0].key, &moves)
}
