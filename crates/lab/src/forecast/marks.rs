//! Do marks hold? Games are reviewed twice, the second time a tenth longer, and every marked move is
//! searched 64 times as long as the search that its mark rests on.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs::File;
use std::path::PathBuf;

use anyhow::Context;
use engine::{Engine, Limits, Position};
use eval::forecast::FACTOR;
use pgn::Game;
use review::marks::{self, Mark};
use review::review::{Review, Step};
use review::searcher::{Searcher, THOROUGH};

use crate::progress;

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games, in PGN
    games: PathBuf,
    /// Nodes for each position
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Review this many games at most
    #[arg(long, default_value_t = usize::MAX)]
    count: usize,
    /// Only compare the two reviews, and leave out the long searches
    #[arg(long)]
    no_truth: bool,
    /// Nodes of the second review for each position; a tenth more than the first if not given
    #[arg(long)]
    again: Option<u64>,
    /// Name the moves whose marks differ
    #[arg(long)]
    list: bool,
    /// Megabytes of the table
    #[arg(long, default_value_t = 64)]
    hash: usize,
}

/// What became of the moves with one mark.
#[derive(Default)]
struct Tally {
    moves: usize,
    /// Moves that lose at least as much as the mark says, by the longer search; 0 without one.
    right: usize,
    /// Moves that have the same mark in the second review.
    same: usize,
    /// Moves that have any mark there.
    marked: usize,
    /// Sum of the probabilities that went with the mark.
    sure: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let file = File::open(&args.games)
        .with_context(|| format!("cannot read games from {}", args.games.display()))?;
    let games: Vec<Game> = pgn::Reader::new(file)
        .games()
        .filter_map(Result::ok)
        .filter(|game| !game.moves.is_empty())
        .take(args.count)
        .collect();
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let engine = Engine::builder().hash_mb(args.hash).build()?;
    let mut searcher = Searcher::new(engine, nodes(args.nodes));
    let mut tallies = BTreeMap::<Mark, Tally>::new();
    let bar = progress::counter("games", games.len() as u64);
    for game in &games {
        let again = args.again.unwrap_or(args.nodes + args.nodes / 10);
        let [first, second] = [args.nodes, again].map(|count| {
            searcher.set_limits(nodes(count));
            let Ok(review) = Review::new(game.clone(), &mut searcher, |_| Ok::<_, Infallible>(()));
            review
        });
        searcher.set_limits(nodes(FACTOR * u64::from(THOROUGH) * args.nodes));
        for (step, again) in first.steps.iter().zip(&second.steps) {
            let Some(least) = step.mark.least_loss() else { continue };
            let tally = tallies.entry(step.mark).or_default();
            tally.moves += 1;
            tally.right += usize::from(!args.no_truth && true_loss(step, &mut searcher) >= least);
            tally.same += usize::from(step.mark == again.mark);
            if args.list && step.mark != again.mark {
                list(game, step, again);
            }
            tally.marked += usize::from(again.mark.is_fault());
            tally.sure += step.sure;
        }
        bar.inc(1);
    }
    bar.finish();
    print(&tallies, games.len());
    Ok(())
}

/// Expected points that a move loses, both positions searched alone.
fn true_loss(step: &Step, searcher: &mut Searcher) -> f64 {
    let side = step.before.side_to_move();
    let Some(&best) = step.best.moves.first() else { return 0.0 };
    let [best, played] = [best, step.mv].map(|mv| {
        searcher.new_game();
        searcher.best(&Position::new(step.before.after(mv)), false).verdict.seen_by(side)
    });
    marks::loss(&step.before, &best, &played)
}

/// A move whose marks differ, with the engine's choices and how sure it was of the marks.
#[expect(clippy::print_stdout, reason = "asked for")]
fn list(game: &Game, step: &Step, again: &Step) {
    let said = |step: &Step| {
        let choice = step.best.moves.first().map(|&mv| step.before.san(mv).to_string());
        format!(
            "{:<2} ({:.2} lost to {}, {:.0} % sure)",
            step.mark.symbol(),
            step.loss,
            choice.unwrap_or_default(),
            100.0 * step.sure
        )
    };
    let number = pgn::move_number(&step.before);
    println!("game {}, {number}{}: {} then {}", game.number, step.san, said(step), said(again));
}

#[expect(clippy::print_stdout, reason = "the report is the command's result")]
fn print(tallies: &BTreeMap<Mark, Tally>, games: usize) {
    println!("{games} games");
    println!("mark   moves  said, in %  right  same mark again  any mark again");
    for (mark, tally) in tallies.iter().rev() {
        let percent = |count: f64| 100.0 * count / tally.moves.max(1) as f64;
        println!(
            "{:<6} {:>5} {:>11.1} {:>6.1} {:>16.1} {:>15.1}",
            mark.symbol(),
            tally.moves,
            percent(tally.sure),
            percent(tally.right as f64),
            percent(tally.same as f64),
            percent(tally.marked as f64),
        );
    }
}
