//! Do the bands and confidences of further lines hold? Positions are searched for several lines, and
//! each line's move is then searched alone, 64 times as long.

use std::path::PathBuf;

use anyhow::ensure;
use chess::{Board, Move};
use engine::{Engine, Limits, Position};
use eval::forecast::{FACTOR, TOLERANCE};
use eval::{Chances, Quantiles, Score, score};

use super::sample::cut;
use super::{judge, positions};
use crate::progress;

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Positions, one FEN a line, that the model's fit has not seen
    positions: PathBuf,
    /// Nodes of the search for all lines
    #[arg(long, default_value_t = 4000)]
    nodes: u64,
    /// Lines
    #[arg(long, default_value_t = 3)]
    lines: usize,
    /// Leave out this many positions at the beginning of the file
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Look at this many positions at most
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// Megabytes of the table
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

/// What was said about a line, and what came.
struct Judged {
    band: Quantiles,
    /// The probability that the move is the best or nearly so.
    confidence: f64,
    /// What a long search of the move alone says.
    truth: Score,
    /// Was it the best of the lines, or nearly so?
    held: bool,
}

/// The score of a fresh search; of one move alone.
pub(super) fn alone(
    engine: &mut Engine,
    position: &Position,
    nodes: u64,
    mv: Move,
) -> Option<Score> {
    engine.new_game();
    engine.set_lines(1);
    let limits = Limits { nodes: Some(nodes), search_moves: vec![mv], ..Limits::default() };
    engine.ask(position, &limits).score()
}

/// The lines of a position; none where one is decided, for that needs no forecast.
fn judged(engine: &mut Engine, board: &Board, args: &Args) -> Vec<Judged> {
    let position = Position::new(board.clone());
    engine.new_game();
    engine.set_lines(args.lines);
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let lines = engine.ask(&position, &limits).lines;
    if lines.iter().any(|line| score::is_decisive(line.score)) {
        return Vec::new();
    }
    let truth = |line: &engine::Info| alone(engine, &position, FACTOR * args.nodes, line.pv[0]);
    let truths: Option<Vec<Score>> = lines.iter().map(truth).collect();
    let truths = truths.unwrap_or_default();
    let points = |score| Chances::on(board, &Quantiles::certain(score)).points();
    let best = truths.iter().copied().map(points).fold(0.0, f64::max);
    lines
        .iter()
        .zip(truths)
        .map(|(line, truth)| Judged {
            band: line.quantiles,
            confidence: f64::from(line.confidence.unwrap_or(0)) / 1000.0,
            truth,
            held: points(truth) >= best - TOLERANCE,
        })
        .collect()
}

#[expect(clippy::print_stdout, reason = "the report is the command's result")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let boards = positions::read(&args.positions, args.skip, args.count)?;
    let mut engine = Engine::builder().hash_mb(args.hash).build()?;
    let mut ranks: Vec<Vec<Judged>> = Vec::new();
    let bar = progress::counter("positions", boards.len() as u64);
    for board in &boards {
        for (rank, line) in judged(&mut engine, board, args).into_iter().enumerate() {
            ranks.resize_with(ranks.len().max(rank + 1), Vec::new);
            ranks[rank].push(line);
        }
        bar.inc(1);
    }
    bar.finish();
    ensure!(!ranks.is_empty(), "expected positions that are not decided, got none");
    println!(
        "line  count  in 80  in 50  width   loss  best: said    was  Brier score, of the rate"
    );
    for (rank, lines) in ranks.iter().enumerate() {
        println!("{:>4} {}", rank + 1, row(lines));
    }
    Ok(())
}

fn row(lines: &[Judged]) -> String {
    let count = lines.len() as f64;
    let mean = |value: &dyn Fn(&Judged) -> f64| lines.iter().map(value).sum::<f64>() / count;
    let within = |low: Score, high: Score, truth: Score| {
        // A tie is half within.
        let below = |bound: Score| match truth.cmp(&bound) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        100.0 * (below(high) - below(low))
    };
    let held = |line: &Judged| f64::from(u8::from(line.held));
    let rate = mean(&held);
    format!(
        "{:>6} {:>6.1} {:>6.1} {:>6.0} {:>6.1} {:>11.3} {rate:>6.3} {:>12.4} {:>6.4}",
        lines.len(),
        mean(&|line| within(line.band.q10, line.band.q90, line.truth)),
        mean(&|line| within(line.band.q25, line.band.q75, line.truth)),
        judge::quantile(lines.iter().map(|line| f64::from(line.band.uncertainty())), 0.5),
        mean(&|line| {
            let band = line.band.to_array().map(|score| f64::from(cut(score)));
            judge::pinball(f64::from(cut(line.truth)), &band)
        }),
        mean(&|line| line.confidence),
        mean(&|line| (line.confidence - held(line)).powi(2)),
        rate * (1.0 - rate),
    )
}
