//! Positions of finished games, searched as the chances will be asked for: from an empty table, with
//! the band that a person would see.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use chess::{Board, Color, Rng};
use engine::{Engine, Limits, Position};
use eval::{Chances, score};
use pgn::{Game, GameResult};

use super::sample::Sample;
use crate::pgn_files::PgnFiles;
use crate::{progress, workers};

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    games: PgnFiles,
    /// Where the positions go; games that are there already are not searched again
    #[arg(long)]
    out: PathBuf,
    /// Nodes of a search: as many as the players had for a move
    #[arg(long)]
    nodes: u64,
    /// Positions of each game, besides its first
    #[arg(long, default_value_t = 2)]
    each: usize,
    /// Positions searched at once, each on one thread
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Megabytes of each table
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// The evaluator, as the option EvalFile names it
    #[arg(long, default_value = "<default>", value_name = "FILE")]
    eval_file: String,
}

/// A position of a game to search.
struct Task {
    game: u64,
    ply: u32,
    board: Board,
    result: u8,
}

/// White's points, doubled; none if the game has no result.
fn points(result: GameResult) -> Option<u8> {
    match result {
        GameResult::WhiteWins => Some(2),
        GameResult::Draw => Some(1),
        GameResult::BlackWins => Some(0),
        GameResult::Unknown => None,
    }
}

/// The first position of a game and some others, drawn by its number.
fn tasks(number: u64, game: &Game, each: usize) -> Vec<Task> {
    let Some(white) = points(game.result) else { return Vec::new() };
    let boards: Vec<Board> = game.positions().collect();
    let mut rng = Rng::stream(1, number);
    let mut plies: Vec<usize> = (0..each).map(|_| rng.below(boards.len())).collect();
    plies.push(0);
    plies.sort_unstable();
    plies.dedup();
    let task = |ply: usize| {
        let board = &boards[ply];
        let result = if board.side_to_move() == Color::White { white } else { 2 - white };
        Task { game: number, ply: ply as u32, board: board.clone(), result }
    };
    plies.into_iter().map(task).filter(|task| !task.board.legal_moves().is_empty()).collect()
}

/// What a search says about a position; nothing if it is decided.
fn search(engine: &mut Engine, task: &Task, nodes: u64) -> Option<Sample> {
    engine.new_game();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let answer = engine.ask(&Position::new(task.board.clone()), &limits);
    let line = answer.lines.first().filter(|line| !score::is_decisive(line.score))?;
    Some(Sample {
        game: task.game,
        nodes,
        ply: task.ply,
        material: Chances::material(&task.board),
        score: line.score,
        quantiles: line.quantiles,
        result: task.result,
    })
}

/// Games are done in order, so the last one there is the last one done; it may lack a line, and is
/// done again.
fn resume(path: &Path) -> anyhow::Result<(File, u64)> {
    let context = || format!("cannot write {}", path.display());
    let text = if path.exists() {
        std::fs::read_to_string(path).with_context(context)?
    } else {
        String::new()
    };
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let first_undone = match whole.lines().last() {
        None => 0,
        Some(line) => Sample::parse(line).with_context(context)?.game,
    };
    let kept: usize = whole
        .split_inclusive('\n')
        .take_while(|line| Sample::parse(line.trim_end()).is_ok_and(|s| s.game < first_undone))
        .map(str::len)
        .sum();
    let file = OpenOptions::new().create(true).append(true).open(path).with_context(context)?;
    file.set_len(kept as u64).with_context(context)?;
    Ok((file, first_undone))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut games = Vec::new();
    args.games.for_each(|game| {
        games.push(game);
        Ok(())
    })?;
    let finished = games.iter().filter(|game| points(game.result).is_some()).count();
    if finished == 0 {
        bail!("expected games with results, got {} games and none with one", games.len());
    }
    let (mut file, first) = resume(&args.out)?;
    let bar = progress::counter("games", games.len() as u64);
    bar.set_position(first);
    for chunk in (0..games.len() as u64).skip(first as usize).collect::<Vec<_>>().chunks(1000) {
        let found = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        workers::work(args.threads.get(), || {
            let builder = Engine::builder().hash_mb(args.hash).option("EvalFile", &args.eval_file);
            let mut engine = builder.build()?;
            while let Some(&number) = chunk.get(next.fetch_add(1, Ordering::Relaxed)) {
                let tasks = tasks(number, &games[number as usize], args.each);
                let samples: Vec<Sample> =
                    tasks.iter().filter_map(|task| search(&mut engine, task, args.nodes)).collect();
                found.lock().unwrap_or_else(PoisonError::into_inner).extend(samples);
                bar.inc(1);
            }
            Ok(())
        })?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|sample: &Sample| (sample.game, sample.ply));
        let lines: String = found.into_iter().map(|sample| sample.to_line() + "\n").collect();
        file.write_all(lines.as_bytes())
            .with_context(|| format!("cannot write {}", args.out.display()))?;
    }
    bar.finish();
    Ok(())
}
