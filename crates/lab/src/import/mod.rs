//! `brier-lab import`: engine games in PGN, with scores in the comments, become training games.
//!
//! Each game is written from its first scored move on. A move's principal variation is written
//! as a short game of its own, from the position after the move: its positions bear the root's
//! score, since a principal variation is the search's claim that they are all worth the same.
//! Both belong to one family, so that a split never tears them apart.

mod comment;
mod game;

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use data::viri::Writer;
use indicatif::{HumanCount, MultiProgress, ProgressBar};
use pgn::Reader;

use crate::pgn_files::PgnFiles;
use crate::progress;
use comment::Side;
use game::{Builder, Skipped};

/// Options of `brier-lab import`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    games: PgnFiles,
    /// Where the games go: viriformat. Must not exist yet.
    #[arg(short, long)]
    output: PathBuf,
    /// Plies of each principal variation to keep; 0 for none.
    #[arg(long, default_value_t = 12)]
    pv_plies: usize,
    /// Scores of shallower searches count as missing (books and crashes show as depth 1).
    #[arg(long, default_value_t = 8)]
    min_depth: u32,
    /// Whose side plain "score/depth" comments take; `wv=` and `ev=` are always White's.
    #[arg(long, value_enum, default_value_t = Side::Mover)]
    score_side: Side,
}

/// What an import has done so far.
#[derive(Default)]
struct Counts {
    games: u64,
    positions: u64,
    lines: u64,
    line_positions: u64,
    skipped: Vec<(Skipped, u64)>,
}

impl Counts {
    fn skip(&mut self, reason: Skipped) {
        match self.skipped.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.skipped.push((reason, 1)),
        }
    }
}

/// Reads all games of the inputs and writes them.
#[expect(clippy::print_stdout, reason = "what was imported is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let files = args.games.find()?;
    ensure!(
        !args.output.exists(),
        "expected an output that does not exist yet, got {}",
        args.output.display()
    );
    let (mut writer, _) = Writer::append(&args.output)
        .with_context(|| format!("cannot write {}", args.output.display()))?;

    let mut total = 0;
    for path in &files {
        let context = || format!("cannot read {}", path.display());
        total += path.metadata().with_context(context)?.len();
    }
    let bars = MultiProgress::new();
    let file_bar = bars.add(progress::counter("files", files.len() as u64));
    let byte_bar = bars.add(progress::bytes(total));
    let mut counts = Counts::default();
    for path in &files {
        file_bar.set_message(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        import_file(path, args, &mut writer, &mut counts, &byte_bar)
            .with_context(|| format!("cannot import {}", path.display()))?;
        file_bar.inc(1);
    }
    file_bar.finish();
    byte_bar.finish();
    println!("{}", report(&counts));
    Ok(())
}

fn import_file(
    path: &Path,
    args: &Args,
    writer: &mut Writer,
    counts: &mut Counts,
    bar: &ProgressBar,
) -> anyhow::Result<()> {
    let mut reader = Reader::new(bar.wrap_read(File::open(path)?));
    let builder = Builder::new(args.pv_plies, args.min_depth, args.score_side);
    while let Some(raw) = reader.next_game()? {
        match builder.import(&raw) {
            Ok(imported) => {
                writer.write_all(imported.games.iter().chain(&imported.lines))?;
                let positions =
                    |games: &[data::Game]| games.iter().map(|g| g.moves.len() as u64).sum::<u64>();
                counts.games += 1;
                counts.positions += positions(&imported.games);
                counts.lines += imported.lines.len() as u64;
                counts.line_positions += positions(&imported.lines);
            }
            Err(reason) => counts.skip(reason),
        }
        bar.set_message(format!(
            "{} games, {} positions",
            HumanCount(counts.games),
            HumanCount(counts.positions + counts.line_positions)
        ));
    }
    Ok(())
}

fn report(counts: &Counts) -> String {
    let mut text = format!(
        "{} games with {} scored positions, {} variations with {}",
        HumanCount(counts.games),
        HumanCount(counts.positions),
        HumanCount(counts.lines),
        HumanCount(counts.line_positions)
    );
    for (reason, count) in &counts.skipped {
        text += &format!("\nskipped {count} games: {reason}");
    }
    text
}
