//! `brier-lab people-judge`: how often the network's first choice is the move a person played, by
//! rating and beside a search of depth 1; and whether the moves it calls unlikely are those of
//! hard puzzles.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, anyhow, ensure};
use chess::{Board, Move, Rng};
use engine::{Engine, Limits, Position, Source};
use people::{Last, Net, Rating};

use super::data::Games;
use crate::statistics::{percent, rank_correlation};

/// Options of `brier-lab people-judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The network.
    #[arg(long, default_value = "crates/people/data/people.net")]
    net: PathBuf,
    /// Games, as written by `people-data`: those kept apart are judged.
    #[arg(long)]
    games: Option<PathBuf>,
    /// Positions of these games.
    #[arg(long, default_value_t = 20_000)]
    positions: usize,
    /// How many of them are also given to a search of depth 1.
    #[arg(long, default_value_t = 4_000)]
    searched: usize,
    /// Puzzles of Lichess as CSV: id, FEN, FEN before the opponent's last move, that move, the
    /// solution, themes, rating.
    #[arg(long)]
    puzzles: Option<PathBuf>,
}

/// Points of rating in a row of the table.
const STEP: u32 = 200;

/// Hits among positions.
#[derive(Copy, Clone, Default)]
struct Tally {
    positions: usize,
    net: usize,
    net_three: usize,
    searched: usize,
    search: usize,
    net_where_searched: usize,
}

/// Judges what was asked for.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let bytes =
        fs::read(&args.net).with_context(|| format!("cannot read {}", args.net.display()))?;
    let net = Net::parse(&bytes).map_err(|error| anyhow!("{}: {error}", args.net.display()))?;
    ensure!(
        args.games.is_some() || args.puzzles.is_some(),
        "expected --games or --puzzles, got neither"
    );
    if let Some(path) = &args.games {
        games(args, &net, &Games::read(path)?)?;
    }
    if let Some(path) = &args.puzzles {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        puzzles(&net, &text)?;
    }
    Ok(())
}

/// Counts how often the first choice was played.
#[expect(clippy::print_stdout, reason = "the table is the command's answer")]
fn games(args: &Args, net: &Net, games: &Games) -> anyhow::Result<()> {
    let mut engine = Engine::builder()
        .evaluator(Source::Classical)
        .hash_mb(1)
        .build()
        .context("cannot start the engine")?;
    let mut rows = [Tally::default(); 10];
    let (mut seen, mut searched) = (0, 0);
    let mut rng = Rng::new(1);
    let held_out = games.held_out()?;
    while seen < args.positions {
        let number = held_out[rng.below(held_out.len())];
        games.get(number).for_each(|board, played, mv, rating| {
            if seen >= args.positions || rng.below(16) != 0 {
                return;
            }
            seen += 1;
            let row = (rating.clamp(1000, 2999) - 1000) / STEP;
            let tally = &mut rows[row as usize];
            let rank = rank(net, board, Last::of(played), rating, mv);
            tally.positions += 1;
            tally.net += usize::from(rank == 0);
            tally.net_three += usize::from(rank < 3);
            if searched < args.searched {
                searched += 1;
                tally.searched += 1;
                tally.search += usize::from(first_by_search(&mut engine, board) == Some(mv));
                tally.net_where_searched += usize::from(rank == 0);
            }
        });
    }
    println!("rating       positions   first  among 3 | positions   first   depth 1");
    let mut all = Tally::default();
    for (i, row) in rows.iter().enumerate() {
        if row.positions > 0 {
            println!("{} +   {}", 1000 + STEP * i as u32, row.text());
        }
        all.positions += row.positions;
        all.net += row.net;
        all.net_three += row.net_three;
        all.searched += row.searched;
        all.search += row.search;
        all.net_where_searched += row.net_where_searched;
    }
    println!("all      {}", all.text());
    Ok(())
}

impl Tally {
    fn text(&self) -> String {
        format!(
            "{:6}  {}  {} | {:6}  {}  {}",
            self.positions,
            percent(self.net, self.positions),
            percent(self.net_three, self.positions),
            self.searched,
            percent(self.net_where_searched, self.searched),
            percent(self.search, self.searched)
        )
    }
}

/// How many moves the network puts before the one played.
fn rank(net: &Net, board: &Board, last: Last, rating: u32, played: Move) -> usize {
    let moves = board.legal_moves();
    let shares = net.shares(board, last, Rating::new(rating), &moves);
    let own = moves.iter().position(|&mv| mv == played).map_or(1.0, |i| shares[i]);
    shares.iter().filter(|&&share| share > own).count()
}

fn first_by_search(engine: &mut Engine, board: &Board) -> Option<Move> {
    engine.new_game();
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let answer = engine.ask(&Position::new(board.clone()), &limits);
    answer.lines.first().and_then(|line| line.pv.first().copied())
}

/// Ranks puzzles by how unlikely their solution is, and compares with their ratings.
#[expect(clippy::print_stdout, reason = "the correlation is the command's answer")]
fn puzzles(net: &Net, text: &str) -> anyhow::Result<()> {
    let (mut ratings, mut firsts, mut wholes) = (Vec::new(), Vec::new(), Vec::new());
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [_, fen, before, last, solution, _, rating] = fields.as_slice() else { continue };
        let (Ok(mut board), Ok(rating)) = (fen.parse::<Board>(), rating.parse::<f64>()) else {
            continue;
        };
        let last = before.parse::<Board>().ok().and_then(|board| board.parse_uci(last).ok());
        let mut played: Vec<Move> = last.into_iter().collect();
        let (mut first, mut whole) = (None, 0.0);
        for (i, word) in solution.split(' ').enumerate() {
            let Ok(mv) = board.parse_uci(word) else { break };
            // Every second move is the opponent's.
            if i % 2 == 0 {
                let legal = board.legal_moves();
                let shares = net.shares(&board, Last::of(&played), Rating::new(1500), &legal);
                let share = legal.iter().position(|&m| m == mv).map_or(1.0, |i| shares[i]);
                let hard = -f64::from(share.max(1e-9).ln());
                first.get_or_insert(hard);
                whole += hard;
            }
            board.make_move(mv, &mut ());
            played.push(mv);
        }
        if let Some(first) = first {
            ratings.push(rating);
            firsts.push(first);
            wholes.push(whole);
        }
    }
    ensure!(ratings.len() > 2, "expected puzzles as lines of seven fields");
    println!(
        "{} puzzles: rank correlation of rating and surprise {:.3} (first move), {:.3} (whole solution)",
        ratings.len(),
        rank_correlation(&ratings, &firsts),
        rank_correlation(&ratings, &wholes)
    );
    Ok(())
}
