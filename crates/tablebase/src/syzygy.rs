//! Syzygy tables: finding them, asking them, and living with those that are missing or damaged.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess::Board;
use shakmaty::Chess;
use shakmaty_syzygy::filesystem::Filesystem;
use shakmaty_syzygy::{MaybeRounded, Metric, SyzygyError};

use crate::files::{TableFiles, list, table_name};
use crate::{Inventory, Problem, TableKind, convert};
use eval::tablebase::{RootProbe, Tablebase, Wdl};

/// Why a position has no answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ProbeError {
    /// The tables know nothing of castling.
    Castling,
    /// More men than any table covers.
    TooManyMen {
        /// On the board.
        men: usize,
        /// In the largest table.
        max: usize,
    },
    /// A table that the answer needs is not there.
    Missing(String),
    /// A table that the answer needs is damaged.
    Damaged(String),
    /// The position is too strange for the library.
    Impossible,
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castling => f.write_str("expected a position without castling rights"),
            Self::TooManyMen { men, max: 0 } => {
                write!(f, "no tables are loaded (the position has {men} men)")
            }
            Self::TooManyMen { men, max } => {
                write!(f, "expected at most {max} men, as in the largest table; got {men}")
            }
            Self::Missing(name) => write!(f, "the table {name} is needed and was not found"),
            Self::Damaged(name) => write!(f, "the table {name} is needed and is damaged"),
            Self::Impossible => f.write_str("expected a position that the tables can hold"),
        }
    }
}

impl std::error::Error for ProbeError {}

/// Syzygy tables from folders on disk.
///
/// Files are opened when they are first needed. What is wrong with a folder or a file is kept for
/// [`Self::take_problems`]; probing goes on without it.
pub struct SyzygyTables {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    files: Arc<TableFiles>,
    inventory: Inventory,
}

impl SyzygyTables {
    /// Looks for tables in these folders; of equal files the first folder's is taken.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Self {
        let mut paths = Vec::new();
        let mut problems = Vec::new();
        for folder in folders.iter().map(AsRef::as_ref) {
            match list(folder) {
                Ok(found) => paths.extend(found),
                Err(error) => problems.push((folder, format!("cannot read the folder: {error}"))),
            }
        }
        let tables = Self::with_files(TableFiles::on_disk(), paths);
        for (folder, reason) in problems {
            tables.files.note(folder, &reason);
        }
        tables
    }

    /// Tables whose bytes are given, each with its file name; their checksums are not looked at,
    /// so that tests and fuzzers reach the decoding.
    pub fn from_memory(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let files: BTreeMap<PathBuf, Arc<[u8]>> =
            files.into_iter().map(|(name, bytes)| (PathBuf::from(name), bytes.into())).collect();
        let paths = files.keys().cloned().collect();
        Self::with_files(TableFiles::in_memory(files), paths)
    }

    fn with_files(mut files: TableFiles, paths: Vec<PathBuf>) -> Self {
        let mut wanted = Vec::new();
        for path in paths {
            let Some((material, kind)) = table_name(&path) else { continue };
            let name = format!("{material}.{}", kind.extension());
            if files.add(&name, &path) {
                wanted.push((name, material, kind, path));
            }
        }
        let files = Arc::new(files);
        let mut tables =
            shakmaty_syzygy::Tablebase::with_filesystem(Arc::clone(&files) as Arc<dyn Filesystem>);
        let mut inventory = Inventory::default();
        for (name, material, kind, path) in wanted {
            match tables.add_file(&path) {
                Ok(()) => {
                    inventory.insert(&material, kind);
                }
                Err(error) => files.give_up(&name, &format!("not a table: {error}")),
            }
        }
        Self { tables, files, inventory }
    }

    /// Which tables were found.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// What went wrong since the last call, each thing once.
    pub fn take_problems(&self) -> Vec<Problem> {
        self.files.take_problems()
    }

    /// As [`Tablebase::wdl`], with the reason if there is no answer.
    pub fn probe_wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        let position = self.position(board)?;
        match self.tables.probe_wdl_after_zeroing(&position) {
            Ok(wdl) => Ok(own_wdl(wdl)),
            Err(error) => Err(self.explain(board, error)),
        }
    }

    /// Half-moves to the next capture or pawn move with best play; see [`eval::tablebase::RootMove::dtz`].
    pub fn probe_dtz(&self, board: &Board) -> Result<i32, ProbeError> {
        self.rounded_dtz(board).map(|dtz| dtz.value)
    }

    pub(crate) fn rounded_dtz(&self, board: &Board) -> Result<RoundedDtz, ProbeError> {
        let position = self.position(board)?;
        match self.tables.probe_dtz(&position) {
            Ok(dtz) => Ok(RoundedDtz {
                value: dtz.ignore_rounding().0,
                exact: matches!(dtz, MaybeRounded::Precise(_)),
            }),
            Err(error) => Err(self.explain(board, error)),
        }
    }

    /// The library's form of the board, if a table could hold it.
    pub(crate) fn position(&self, board: &Board) -> Result<Chess, ProbeError> {
        let men = board.occupied().count() as usize;
        if men > self.max_men() {
            return Err(ProbeError::TooManyMen { men, max: self.max_men() });
        }
        if !board.castling().is_empty() {
            return Err(ProbeError::Castling);
        }
        convert::position(board).ok_or(ProbeError::Impossible)
    }

    /// Says what an error of the library means, and gives up a file that made it.
    fn explain(&self, board: &Board, error: SyzygyError) -> ProbeError {
        let name = |metric, material| format!("{material}.{}", own_kind(metric).extension());
        match error {
            SyzygyError::Castling => ProbeError::Castling,
            SyzygyError::TooManyPieces => ProbeError::TooManyMen {
                men: board.occupied().count() as usize,
                max: self.max_men(),
            },
            SyzygyError::MissingTable { metric, material } => {
                ProbeError::Missing(name(metric, material))
            }
            SyzygyError::ProbeFailed { metric, material, error } => {
                let name = name(metric, material);
                self.files.give_up(&name, &first_line(&error.to_string()));
                ProbeError::Damaged(name)
            }
        }
    }
}

impl Tablebase for SyzygyTables {
    fn max_men(&self) -> usize {
        self.tables.max_pieces()
    }

    fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.probe_wdl(board).ok()
    }

    fn root(&self, board: &Board, keys: &[u64], fifty_move_rule: bool) -> Option<RootProbe> {
        self.probe_root(board, keys, fifty_move_rule).ok()
    }
}

/// A distance that may be one too small, unless it is exact.
#[derive(Copy, Clone, Debug)]
pub(crate) struct RoundedDtz {
    pub(crate) value: i32,
    pub(crate) exact: bool,
}

fn own_wdl(wdl: shakmaty_syzygy::Wdl) -> Wdl {
    match wdl {
        shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
        shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
        shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
        shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
        shakmaty_syzygy::Wdl::Win => Wdl::Win,
    }
}

fn own_kind(metric: Metric) -> TableKind {
    match metric {
        Metric::Wdl => TableKind::Wdl,
        Metric::Dtz => TableKind::Dtz,
    }
}

/// The library's errors may carry a backtrace.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
