//! Positions to collect at: one of each game, so that no two depend on each other.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use chess::{Board, Rng};

use crate::pgn_files::PgnFiles;

/// Half moves at a game's beginning that are left out: they come from books.
const OPENING: usize = 8;

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    games: PgnFiles,
    /// Where the positions go, one FEN a line, in random order
    #[arg(long)]
    out: PathBuf,
    /// Most positions
    #[arg(long, default_value_t = usize::MAX)]
    count: usize,
    /// Seed of the draw
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Reads such a file, from a position on and as many as are wanted.
pub(super) fn read(path: &Path, skip: usize, count: usize) -> anyhow::Result<Vec<Board>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read positions from {}", path.display()))?;
    let parse = |(number, fen): (usize, &str)| {
        fen.parse().with_context(|| format!("position {}: {fen:?}", number + 1))
    };
    text.lines().enumerate().skip(skip).take(count).map(parse).collect()
}

#[expect(clippy::print_stderr, reason = "a word to the person at the terminal")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    let mut fens = Vec::new();
    let mut number = 0;
    args.games.for_each(|game| {
        number += 1;
        let boards: Vec<Board> = game.positions().collect();
        let boards = boards.get(OPENING..).unwrap_or_default();
        let drawn = Rng::stream(args.seed, number).pick(boards);
        let drawn = drawn.filter(|board| board.legal_moves().len() > 1);
        fens.extend(drawn.filter(|board| seen.insert(board.key())).map(Board::to_string));
        Ok(())
    })?;
    ensure!(
        !fens.is_empty(),
        "expected games of more than {OPENING} half moves, got {number} games and no such position"
    );
    Rng::new(args.seed).shuffle(&mut fens);
    fens.truncate(args.count);
    std::fs::write(&args.out, fens.join("\n") + "\n")
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    eprintln!("{} positions of {number} games", fens.len());
    Ok(())
}
