//! `brier tb`: what the tablebases say, and which of them are there.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

use chess::Board;
use chess::notation::fen::FenError;
use clap::Args;
use eval::tablebase::{RootProbe, Tablebase, Wdl};
use tablebase::{CheckedFile, Inventory, ProbeError, SyzygyTables, TableKind, check};

use crate::Failure;

/// Where the folders of tablebases are named if no option does.
const PATH_VARIABLE: &str = "SYZYGY_PATH";

/// Men for which missing tablebases are listed.
const LISTED_MEN: std::ops::RangeInclusive<usize> = 3..=5;

#[derive(Debug, Args)]
pub(crate) struct TbArguments {
    /// The position as FEN, or `info`: which tablebases are found, missing and damaged
    #[arg(required = true, value_name = "FEN | info")]
    what: Vec<String>,
    /// Folders of Syzygy tablebases, separated as in PATH [default: the variable SYZYGY_PATH]
    #[arg(short, long)]
    path: Option<String>,
}

/// Runs the command.
pub(crate) fn run(arguments: &TbArguments, out: &mut impl Write) -> Result<(), Failure> {
    let path = arguments.path.clone().or_else(|| env::var(PATH_VARIABLE).ok());
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        let reason =
            format!("expected folders of tablebases, by --path or {PATH_VARIABLE}; got none");
        return Err(Failure::Other(reason));
    };
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    match arguments.what.as_slice() {
        [word] if word == "info" => info(&folders, out).map_err(Failure::Output),
        words => {
            let board: Board = words
                .join(" ")
                .parse()
                .map_err(|error: FenError| Failure::Other(error.to_string()))?;
            probe(&SyzygyTables::open(&folders), &board, out)
        }
    }
}

fn probe(tables: &SyzygyTables, board: &Board, out: &mut impl Write) -> Result<(), Failure> {
    let unknown = |error: ProbeError| Failure::Other(error.to_string());
    let wdl = tables.probe_wdl(board);
    for problem in tables.take_problems() {
        writeln!(out, "{problem}").map_err(Failure::Output)?;
    }
    let answer = Answer {
        wdl: wdl.map_err(unknown)?,
        dtz: tables.probe_dtz(board),
        root: tables.probe_root(board, &[], true).map_err(unknown)?,
    };
    answer.print(board, out).map_err(Failure::Output)
}

/// All that the tablebases know of a position.
struct Answer {
    wdl: Wdl,
    dtz: Result<i32, ProbeError>,
    root: RootProbe,
}

impl Answer {
    fn print(&self, board: &Board, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "WDL {}", name(self.wdl))?;
        match &self.dtz {
            Ok(dtz) => writeln!(out, "DTZ {dtz}")?,
            Err(error) => writeln!(out, "DTZ unknown: {error}")?,
        }
        for root in &self.root.moves {
            let san = board.san(root.mv).to_string();
            let dtz = root.dtz.map_or_else(|| "?".to_owned(), |dtz| dtz.to_string());
            writeln!(out, "{san:<8} {:<12} DTZ {dtz}", name(root.wdl))?;
        }
        Ok(())
    }
}

fn name(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Loss => "loss",
        Wdl::BlessedLoss => "blessed loss",
        Wdl::Draw => "draw",
        Wdl::CursedWin => "cursed win",
        Wdl::Win => "win",
    }
}

fn info(folders: &[PathBuf], out: &mut impl Write) -> io::Result<()> {
    let tables = SyzygyTables::open(folders);
    let (files, problems) = check(folders);
    let inventory = tables.inventory();
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    writeln!(
        out,
        "{} files, {:.1} MB, up to {} men",
        files.len(),
        bytes as f64 / 1e6,
        tables.max_men()
    )?;
    for kind in TableKind::ALL {
        print_kind(kind, &files, inventory, out)?;
    }
    for file in &files {
        if let Some(damage) = &file.damage {
            writeln!(out, "damaged: {}: {damage}", file.path.display())?;
        }
    }
    problems.iter().try_for_each(|problem| writeln!(out, "{problem}"))
}

fn print_kind(
    kind: TableKind,
    files: &[CheckedFile],
    inventory: &Inventory,
    out: &mut impl Write,
) -> io::Result<()> {
    let title = match kind {
        TableKind::Wdl => "WDL",
        TableKind::Dtz => "DTZ",
    };
    let found: Vec<&str> = files
        .iter()
        .filter(|file| file.kind == kind && file.damage.is_none())
        .map(|file| file.material.as_str())
        .collect();
    writeln!(out, "{title} found: {}", list(&found))?;
    for men in LISTED_MEN {
        let missing = inventory.missing(men, kind);
        let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
        writeln!(out, "{title} missing with {men} men: {}", list(&missing))?;
    }
    Ok(())
}

fn list(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        names => format!("{} ({})", names.len(), names.join(" ")),
    }
}
