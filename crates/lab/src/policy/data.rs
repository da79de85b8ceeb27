//! `brier-lab policy-data`: games become token records for the trainer in `training/bitnet`.
//!
//! A record is a window of a game: the position at its beginning as tokens, up to eight moves
//! after it, and for each of up to nine positions the move played and the other legal ones. Tokens
//! are those of the engine itself, so trainer and engine cannot disagree on them. `data.py` there
//! describes the layout.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use bitnet::sequence::{move_token, push_position};
use bitnet::tokens::{MOVE_TOKENS, Token};
use chess::{Board, Move, Rng};

use crate::strong_games::{Game, Sources};

/// Tokens of the largest position: 32 pieces and the end.
const PREFIX: usize = 33;
/// Moves after the position.
const MOVES: usize = 8;
/// Positions in which a move is to be found.
const TARGETS: usize = MOVES + 1;
/// Legal moves kept of each, the one played first.
const CANDIDATES: usize = 64;
/// Where there is no token.
const PAD: Token = Token::MAX;
/// Plies from one window to the next, so that a game gives a few that do not overlap.
const STRIDE: [usize; 2] = [24, 20];

/// Options of `brier-lab policy-data`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Folder for `train.u16`, `valid.u16` and `moves.u16`.
    #[arg(short, long)]
    output: PathBuf,
}

/// Reads all games and writes the records.
#[expect(clippy::print_stdout, reason = "what was written is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot make the folder {}", args.output.display()))?;
    let moves: Vec<u8> = MOVE_TOKENS.iter().flat_map(|token| token.to_le_bytes()).collect();
    fs::write(args.output.join("moves.u16"), moves).context("cannot write moves.u16")?;
    let mut files = [create(&args.output, "train.u16")?, create(&args.output, "valid.u16")?];
    let (mut games, mut records) = ([0u64; 2], [0u64; 2]);
    let mut rng = Rng::new(1);
    let mut record = Vec::new();
    args.sources.for_each(|game| {
        games[usize::from(game.engines)] += 1;
        let boards = game.boards();
        for begin in windows(game, &mut rng) {
            let end = game.moves.len().min(begin + TARGETS);
            put_record(&mut record, &boards[begin..end], &game.moves[begin..end], game);
            let bytes: Vec<u8> = record.iter().flat_map(|token| token.to_le_bytes()).collect();
            files[usize::from(game.held_out)].write_all(&bytes)?;
            records[usize::from(game.held_out)] += 1;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    for file in &mut files {
        file.flush()?;
    }
    println!("games: {} of people, {} of engines", games[0], games[1]);
    println!("records: {} for training, {} held out", records[0], records[1]);
    Ok(())
}

fn create(folder: &Path, name: &str) -> anyhow::Result<BufWriter<File>> {
    let path = folder.join(name);
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(BufWriter::new(file))
}

/// The first plies of the windows of a game.
pub(super) fn windows(game: &Game, rng: &mut Rng) -> Vec<usize> {
    let stride = STRIDE[usize::from(game.engines)];
    let mut windows = Vec::new();
    let mut begin = game.book;
    while begin + TARGETS < game.moves.len() {
        let at = begin + rng.below(stride - TARGETS);
        begin += stride;
        if at + 2 < game.moves.len() {
            windows.push(at);
        }
    }
    windows
}

fn put_record(out: &mut Vec<Token>, boards: &[Board], moves: &[Move], game: &Game) {
    let us = boards[0].side_to_move();
    let mut prefix = Vec::with_capacity(PREFIX);
    push_position(&boards[0], &mut prefix);
    out.clear();
    out.extend([prefix.len() as u16, moves.len() as u16, game.engines.into()]);
    prefix.resize(PREFIX, PAD);
    out.extend(prefix);
    let known = moves.len().saturating_sub(1).min(MOVES);
    out.extend(moves[..known].iter().map(|&mv| move_token(mv, us)));
    out.extend([PAD; MOVES].iter().skip(known));
    for target in 0..TARGETS {
        let begin = out.len();
        if let (Some(board), Some(&played)) = (boards.get(target), moves.get(target)) {
            out.push(move_token(played, us));
            let others = board.legal_moves();
            let others = others.iter().filter(|&&mv| mv != played).take(CANDIDATES - 1);
            out.extend(others.map(|&mv| move_token(mv, us)));
        }
        out.resize(begin + CANDIDATES, PAD);
    }
}
