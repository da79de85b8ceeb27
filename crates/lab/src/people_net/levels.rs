//! `brier-lab people-levels`: are levels like people? At positions of held-out games whose player
//! had about the level's rating, how often does the level play the person's move, and how much do
//! its moves lose, beside the person's own and beside the level without people's moves.

use anyhow::{Context, ensure};
use chess::{Board, Move, Rng};
use engine::{Engine, Limits, Position};

use super::data::{Games, OPENING, Searched, position_after};
use crate::statistics::percent;

/// Options of `brier-lab people-levels`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    searched: Searched,
    /// The ratings to look at.
    #[arg(long, value_delimiter = ',', default_value = "1200,1600,2000")]
    ratings: Vec<u32>,
    /// Positions of each.
    #[arg(long, default_value_t = 200)]
    positions: usize,
}

/// A player is of a rating if his own is this near.
const NEAR: u32 = 75;
/// A loss of this many centipawns is a blunder.
const BLUNDER: i32 = 200;
/// and of this many a mistake.
const MISTAKE: i32 = 80;

/// What one player did.
#[derive(Clone, Default)]
struct Tally {
    same: usize,
    losses: Vec<i32>,
}

impl Tally {
    fn text(&self) -> String {
        let n = self.losses.len();
        let part = |count: usize| percent(count, n);
        let worse = |than: i32| self.losses.iter().filter(|&&loss| loss >= than).count();
        let mean = self.losses.iter().map(|&loss| f64::from(loss)).sum::<f64>() / n.max(1) as f64;
        format!(
            "person's move {}  mean loss {mean:5.1}  mistakes {}  blunders {}",
            part(self.same),
            part(worse(MISTAKE)),
            part(worse(BLUNDER))
        )
    }
}

/// Plays, judges and prints.
#[expect(clippy::print_stdout, reason = "the table is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let games = args.searched.games()?;
    let mut judge = Engine::builder().hash_mb(8).build().context("cannot start the engine")?;
    for &rating in &args.ratings {
        let positions = positions(&games, rating, args.positions)?;
        ensure!(!positions.is_empty(), "expected games of players near {rating}, got none");
        let level = |people: bool| {
            Engine::builder()
                .hash_mb(8)
                .option("UCI_LimitStrength", true)
                .option("UCI_Elo", rating)
                .option("LikePeople", people)
                .build()
                .context("cannot start the engine")
        };
        let (mut new, mut old) = (level(true)?, level(false)?);
        let level_limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
        for (position, played) in &positions {
            let board = position.board();
            let best = judge.ask(position, &args.searched.limits());
            let Some(top) = best.lines.first() else { continue };
            let top = top.score.clamp(-1000, 1000);
            let choices = [
                Some(*played),
                new.ask(position, &level_limits).best,
                old.ask(position, &level_limits).best,
            ];
            for (tally, choice) in tallies.iter_mut().zip(choices) {
                let Some(choice) = choice else { continue };
                tally.same += usize::from(choice == *played);
                let loss = if best.best == Some(choice) {
                    0
                } else {
                    top - value_after(&mut judge, board, choice, &args.searched.limits())
                };
                tally.losses.push(loss.max(0));
            }
        }
        println!("rating {rating}, {} positions", positions.len());
        for (name, tally) in ["people  ", "levels  ", "without "].iter().zip(&tallies) {
            println!("  {name} {}", tally.text());
        }
    }
    Ok(())
}

/// What a move is worth for who plays it.
fn value_after(judge: &mut Engine, board: &Board, mv: Move, limits: &Limits) -> i32 {
    let after = board.after(mv);
    let answer = judge.ask(&Position::new(after.clone()), limits);
    let reply = answer.lines.first().map(|line| line.score);
    let over = if after.in_check() { 1000 } else { 0 };
    reply.map_or(over, |score| -score).clamp(-1000, 1000)
}

/// Positions of held-out games in which a player of about this rating moved, with his move.
fn positions(games: &Games, rating: u32, count: usize) -> anyhow::Result<Vec<(Position, Move)>> {
    let mut rng = Rng::new(u64::from(rating));
    let held_out = games.held_out()?;
    let mut found = Vec::new();
    for _ in 0..20 * held_out.len() {
        if found.len() >= count {
            break;
        }
        let number = held_out[rng.below(held_out.len())];
        games.get(number).for_each(|_, played, mv, of| {
            let wanted = of.abs_diff(rating) <= NEAR && played.len() >= OPENING;
            if wanted && found.len() < count && rng.below(24) == 0 {
                found.push((position_after(played), mv));
            }
        });
    }
    Ok(found)
}
