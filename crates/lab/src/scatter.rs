//! `brier-lab scatter`: positions of real games, and positions beside them, without scores.
//!
//! A search looks at moves nobody would play, and an evaluation that has only seen sensible
//! positions misjudges what follows. So next to each position of a game stand others, reached from
//! it by a random move or two. They all get their scores elsewhere (`docs/training.md`); here the
//! score is 0 and the result that of the game.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use chess::{Board, Move, Rng};
use data::{Outcome, Position, Record, ShuffleCounts, Shuffler};
use indicatif::HumanCount;

use crate::progress;
use crate::strong_games::{Game, Sources};

/// Options of `brier-lab scatter`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Where the records go, in random order and without twins.
    #[arg(short, long)]
    output: PathBuf,
    /// Positions beside each position of a game.
    #[arg(long, default_value_t = 2)]
    asides: usize,
    /// Most random moves from the game to such a position.
    #[arg(long, default_value_t = 2)]
    random_moves: usize,
    /// Plies of each game to leave out, since openings repeat.
    #[arg(long, default_value_t = 10)]
    skip_plies: usize,
    /// Stop after this many games.
    #[arg(long, default_value_t = u64::MAX)]
    games: u64,
    /// The random moves and the order of the records follow from this number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Megabytes of records to hold in memory at once.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
}

/// Records kept in buckets on disk until the end; more than this and memory use grows.
const EXPECTED: u64 = 200_000_000;

/// Scatters the positions of all games.
#[expect(clippy::print_stdout, reason = "how many records there are is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", args.output.display());
    let mut shuffler = open_shuffler(&args.output, args.seed, args.memory)?;
    let mut games = 0;
    args.sources.for_each(|game| {
        games += 1;
        scatter(game, args, &mut Rng::stream(args.seed, games), |record| {
            shuffler.push(record).with_context(context)
        })?;
        Ok(if games < args.games { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    let counts = finish_shuffler(shuffler, &args.output)?;
    println!(
        "{}: {} distinct of {} positions from {} games",
        args.output.display(),
        HumanCount(counts.written),
        HumanCount(counts.pushed),
        HumanCount(games)
    );
    Ok(())
}

/// A shuffler for records whose number is not known yet, with its buckets beside the output.
pub(crate) fn open_shuffler(output: &Path, seed: u64, megabytes: u64) -> anyhow::Result<Shuffler> {
    let mut folder = output.as_os_str().to_owned();
    folder.push(".buckets");
    let memory = megabytes.saturating_mul(1 << 20);
    Shuffler::new(Path::new(&folder), seed, EXPECTED, memory)
        .with_context(|| format!("cannot write {}", output.display()))
}

/// Writes all records in their new order, with a progress bar.
pub(crate) fn finish_shuffler(shuffler: Shuffler, output: &Path) -> anyhow::Result<ShuffleCounts> {
    let bar = progress::counter("records", shuffler.len());
    let counts = shuffler
        .finish(output, |done| bar.set_position(done))
        .with_context(|| format!("cannot write {}", output.display()))?;
    bar.finish();
    Ok(counts)
}

/// Hands out the quiet-looking positions of a game and their neighbours.
fn scatter(
    game: &Game,
    args: &Args,
    rng: &mut Rng,
    mut take: impl FnMut(&Record) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let outcome = match game.result {
        1 => Outcome::WhiteWins,
        -1 => Outcome::BlackWins,
        _ => Outcome::Draw,
    };
    let mut board = game.start.clone();
    for (ply, &mv) in game.moves.iter().enumerate() {
        if ply >= args.skip_plies.max(game.book) {
            if !board.in_check() {
                take(&record(&board, mv, outcome, ply))?;
            }
            for _ in 0..args.asides {
                let steps = 1 + rng.below(args.random_moves.max(1));
                if let Some((beside, reply)) = stray(&board, steps, rng) {
                    take(&record(&beside, reply, outcome, ply + steps))?;
                }
            }
        }
        board.make_move(mv, &mut ());
    }
    Ok(())
}

/// A position some random moves away, and a move in it; none if it is a check or the end.
fn stray(board: &Board, steps: usize, rng: &mut Rng) -> Option<(Board, Move)> {
    let mut board = board.clone();
    for _ in 0..steps {
        let mv = *rng.pick(&board.legal_moves())?;
        board.make_move(mv, &mut ());
    }
    let reply = *board.legal_moves().first()?;
    (!board.in_check()).then_some((board, reply))
}

fn record(board: &Board, mv: Move, outcome: Outcome, ply: usize) -> Record {
    Record::new(&Position { board: board.clone(), mv, score: 0, outcome, ply })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strays_are_legal_and_quiet_and_follow_from_the_seed() {
        let board = Board::default();
        for seed in 0..200 {
            let found = stray(&board, 2, &mut Rng::new(seed));
            assert_eq!(found, stray(&board, 2, &mut Rng::new(seed)));
            let Some((beside, reply)) = found else { continue };
            assert!(!beside.in_check() && beside.is_legal(reply));
            assert_eq!(beside.side_to_move(), board.side_to_move());
        }
    }

    #[test]
    fn a_finished_game_has_no_strays() {
        let mated: Board = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert_eq!(stray(&mated, 1, &mut Rng::new(1)), None);
    }
}
