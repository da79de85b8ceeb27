//! `brier-lab people-train`: trains the network of crate `people` on games of people.
//!
//! Positions are drawn at random from all games; the network learns to give the move played a
//! large share. The last moves are sometimes hidden, because a position may come without them.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, ensure};
use chess::{Board, Move, Rng};
use people::features::{candidates, inputs};
use people::{Last, Net, Rating};

use super::data::Games;
use super::model::{Example, Judged, Model};
use crate::progress;

/// Positions of one step.
const BATCH: usize = 2048;
/// One position in this many is taken from a game that was drawn.
const SPARSE: usize = 8;
/// One position in this many is shown without the moves before it.
const WITHOUT_LAST: usize = 8;
/// Positions between two reports and checkpoints.
const REPORT: u64 = 1000 * BATCH as u64;
/// Held-out positions of a report.
const HELD_OUT: usize = 20_000;

/// Options of `brier-lab people-train`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games, as written by `people-data`.
    games: PathBuf,
    /// The network; the checkpoint lies beside it, and the same command goes on from it.
    #[arg(short, long)]
    output: PathBuf,
    /// Positions to learn from, in all.
    #[arg(long, default_value_t = 60_000_000)]
    positions: u64,
    /// The largest step; it falls to a hundredth along a straight line.
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
}

/// Trains until all positions were seen.
#[expect(clippy::print_stdout, reason = "the course of the training is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.rate > 0.0 && args.rate < 1.0, "expected a rate from 0 to 1, got {}", args.rate);
    let games = Games::read(&args.games)?;
    let held_out = held_out(&games)?;
    let mut model = Model::new(1);
    let checkpoint = args.output.with_extension("ck");
    let mut seen = 0;
    if checkpoint.exists() {
        let bytes = std::fs::read(&checkpoint)
            .with_context(|| format!("cannot read {}", checkpoint.display()))?;
        let (head, body) = bytes.split_at(bytes.len().min(8));
        ensure!(
            head.len() == 8 && model.restore(body),
            "expected a checkpoint of this network in {}",
            checkpoint.display()
        );
        seen = head.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    }
    let mut rng = Rng::new(seen + 2);
    let bar = progress::counter("positions", args.positions);
    bar.set_position(seen);
    let (start, began) = (Instant::now(), seen);
    let mut batch = Vec::with_capacity(BATCH);
    let mut loss = Mean::default();
    while seen < args.positions {
        draw(&games, &mut rng, &mut batch);
        for example in batch.drain(..) {
            loss.add(&model.judge(&example, true));
        }
        let done = seen as f32 / args.positions as f32;
        model.step(args.rate * (1.0 - 0.99 * done), BATCH);
        seen += BATCH as u64;
        bar.inc(BATCH as u64);
        if seen % REPORT < BATCH as u64 || seen >= args.positions {
            let mut test = Mean::default();
            for example in &held_out {
                test.add(&model.judge(example, false));
            }
            let speed = (seen - began) as f64 / start.elapsed().as_secs_f64();
            println!(
                "{seen} positions, {speed:.0} a second: training {}; held out {}",
                loss.text(),
                test.text()
            );
            loss = Mean::default();
            let net = Net::from_weights(&model.weights());
            files::replace(&args.output, &net.to_bytes())
                .with_context(|| format!("cannot write {}", args.output.display()))?;
            let state: Vec<u8> = seen.to_le_bytes().into_iter().chain(model.to_bytes()).collect();
            files::replace(&checkpoint, &state)
                .with_context(|| format!("cannot write {}", checkpoint.display()))?;
        }
    }
    bar.finish();
    Ok(())
}

/// Fills a batch with positions of games drawn at random.
fn draw(games: &Games, rng: &mut Rng, batch: &mut Vec<Example>) {
    while batch.len() < BATCH {
        let number = rng.below(games.len());
        if Games::is_held_out(number) {
            continue;
        }
        games.get(number).for_each(|board, played, mv, rating| {
            if batch.len() < BATCH && rng.below(SPARSE) == 0 {
                let hidden = rng.below(WITHOUT_LAST) == 0;
                let last = if hidden { Last::default() } else { Last::of(played) };
                batch.extend(example(board, last, mv, rating));
            }
        });
    }
}

/// The first positions of the games kept for testing, every [`SPARSE`]th of each.
fn held_out(games: &Games) -> anyhow::Result<Vec<Example>> {
    let mut found = Vec::new();
    let mut rng = Rng::new(1);
    for number in games.held_out()? {
        games.get(number).for_each(|board, played, mv, rating| {
            if found.len() < HELD_OUT && rng.below(SPARSE) == 0 {
                found.extend(example(board, Last::of(played), mv, rating));
            }
        });
    }
    Ok(found)
}

/// A position with its move; none where there is no choice.
fn example(board: &Board, last: Last, mv: Move, rating: u32) -> Option<Example> {
    let moves = board.legal_moves();
    let played = moves.iter().position(|&other| other == mv)?;
    let mut example =
        Example { rows: Vec::new(), candidates: Vec::new(), rating: Rating::new(rating), played };
    inputs(board, last, &mut example.rows);
    candidates(board, last, &moves, &mut example.candidates);
    (moves.len() > 1).then_some(example)
}

/// Averages over positions.
#[derive(Default)]
struct Mean {
    positions: u64,
    loss: f64,
    first: u64,
}

impl Mean {
    fn add(&mut self, judged: &Judged) {
        self.positions += 1;
        self.loss += f64::from(judged.loss);
        self.first += u64::from(judged.rank == 0);
    }

    fn text(&self) -> String {
        let n = self.positions.max(1) as f64;
        format!("loss {:.4}, first {:.2} %", self.loss / n, 100.0 * self.first as f64 / n)
    }
}
