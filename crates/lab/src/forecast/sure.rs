//! What does it save to think only until sure? Positions are searched with a limit of nodes and
//! again with the same limit until the engine is sure of its move, both from an empty table.

use std::path::PathBuf;

use anyhow::ensure;
use chess::Board;
use engine::{Answer, Engine, Limits, Position, Settled};
use eval::{Chances, Quantiles};

use super::lines::alone;
use super::positions;
use crate::progress;

/// Moves that differ are compared by searches this many times as long as the limit.
const LONGER: u64 = 16;

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Positions, one FEN a line, that the model's fit has not seen
    positions: PathBuf,
    /// Nodes of the search that does not end early
    #[arg(long, default_value_t = 64_000)]
    nodes: u64,
    /// How sure is sure enough, in per cent
    #[arg(long, default_value_t = 90)]
    sure: u16,
    /// Leave out this many positions at the beginning of the file
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Look at this many positions at most
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Megabytes of the table
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

/// How the searches of all positions ended.
#[derive(Default)]
struct Tally {
    positions: usize,
    /// Ended because the engine was sure.
    sure: usize,
    /// Ended because more thought would not help.
    no_surer: usize,
    /// Nodes spent.
    nodes: u64,
    /// Moves that the whole search plays too.
    same: usize,
    /// Expected points lost where the moves differ.
    lost: f64,
    /// Moves of a search with half of the limit that the whole search plays too.
    half_same: usize,
}

fn ask(engine: &mut Engine, position: &Position, nodes: u64, sure: Option<u16>) -> Answer {
    engine.new_game();
    engine.ask(position, &Limits { nodes: Some(nodes), sure, ..Limits::default() })
}

impl Tally {
    fn add(&mut self, engine: &mut Engine, board: &Board, args: &Args) {
        let position = Position::new(board.clone());
        let whole = ask(engine, &position, args.nodes, None);
        let half = ask(engine, &position, args.nodes / 2, None);
        let early = ask(engine, &position, args.nodes, Some(10 * args.sure));
        let (Some(whole), Some(mv)) = (whole.best, early.best) else { return };
        self.positions += 1;
        self.nodes += early.nodes;
        self.sure += usize::from(matches!(early.settled, Some(Settled::Sure(_))));
        self.no_surer += usize::from(matches!(early.settled, Some(Settled::NoSurer(_))));
        self.half_same += usize::from(half.best == Some(whole));
        if mv == whole {
            self.same += 1;
            return;
        }
        let points = |score| Chances::on(board, &Quantiles::certain(score)).points();
        let mut worth = |mv| alone(engine, &position, LONGER * args.nodes, mv).map_or(0.5, points);
        self.lost += worth(whole) - worth(mv);
    }
}

#[expect(clippy::print_stdout, reason = "the report is the command's result")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let boards = positions::read(&args.positions, args.skip, args.count)?;
    let mut engine = Engine::builder().hash_mb(args.hash).build()?;
    let mut tally = Tally::default();
    let bar = progress::counter("positions", boards.len() as u64);
    for board in &boards {
        tally.add(&mut engine, board, args);
        bar.inc(1);
    }
    bar.finish();
    ensure!(tally.positions > 0, "expected positions with legal moves, got none");
    let count = tally.positions as f64;
    let percent = |part: usize| 100.0 * part as f64 / count;
    println!("{} positions, {} nodes or {} % sure", tally.positions, args.nodes, args.sure);
    println!("ended sure             {:>5.1} %", percent(tally.sure));
    println!("ended as no surer      {:>5.1} %", percent(tally.no_surer));
    println!(
        "nodes spent            {:>5.1} %",
        100.0 * tally.nodes as f64 / (count * args.nodes as f64)
    );
    println!("same move              {:>5.1} %", percent(tally.same));
    println!("same with half of them {:>5.1} %", percent(tally.half_same));
    println!("points lost            {:>7.4} a position", tally.lost / count);
    Ok(())
}
