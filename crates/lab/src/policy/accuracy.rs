//! `brier-lab policy-accuracy`: how often the move played is among the policy's first, beside the
//! order the engine finds by itself with a search of depth 1.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use bitnet::PolicyNet;
use chess::{Board, Move, Rng};
use engine::{Engine, Limits, Position, Source};
use eval::Policy;

use super::data::windows;
use crate::statistics::percent;
use crate::strong_games::Sources;

/// Options of `brier-lab policy-accuracy`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// The policy.
    #[arg(long, default_value = "nets/policy.gguf")]
    net: PathBuf,
    /// Positions of held-out games to look at.
    #[arg(long, default_value_t = 5000)]
    positions: usize,
}

/// How often the move played was first, and among the first three.
#[derive(Default)]
struct Tally {
    positions: usize,
    first: usize,
    first_three: usize,
}

impl Tally {
    fn add(&mut self, rank: usize) {
        self.positions += 1;
        self.first += usize::from(rank < 1);
        self.first_three += usize::from(rank < 3);
    }

    /// Percentages with twice their standard error.
    fn text(&self) -> String {
        let share = |count| percent(count, self.positions);
        let (first, three) = (share(self.first), share(self.first_three));
        format!("first {first}   among three {three}   ({} positions)", self.positions)
    }
}

/// Looks at held-out games and prints the tallies.
#[expect(clippy::print_stdout, reason = "the tallies are the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut net = PolicyNet::load(&args.net, simd::kernels())
        .map_err(|error| anyhow!("{}: {error}", args.net.display()))?;
    let mut engine = Engine::builder()
        .evaluator(Source::Classical)
        .hash_mb(1)
        .build()
        .context("cannot start the engine")?;
    let (mut fresh, mut followed, mut depth1) =
        (<[Tally; 2]>::default(), Tally::default(), <[Tally; 2]>::default());
    let mut rng = Rng::new(1);
    args.sources.for_each(|game| {
        let places = windows(game, &mut rng);
        if !game.held_out {
            return Ok(ControlFlow::Continue(()));
        }
        let boards = game.boards();
        let kind = usize::from(game.engines);
        for begin in places {
            let played = game.moves[begin];
            fresh[kind].add(rank_by_net(&mut net, &boards[begin], &[], &boards[begin], played));
            depth1[kind].add(rank_by_search(&mut engine, &boards[begin], played));
            // As in play: the sequence goes on, two moves at a time.
            for after in (2..=net.model().config().moves).step_by(2) {
                let at = begin + after;
                if at < game.moves.len() {
                    let since = &game.moves[begin..at];
                    let played = game.moves[at];
                    followed.add(rank_by_net(&mut net, &boards[begin], since, &boards[at], played));
                }
            }
        }
        let seen: usize = fresh.iter().map(|tally| tally.positions).sum();
        Ok(if seen >= args.positions { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    for (kind, name) in ["people", "engines"].into_iter().enumerate() {
        println!("games of {name}");
        println!("  policy, the position alone     {}", fresh[kind].text());
        println!("  engine without it, depth 1     {}", depth1[kind].text());
    }
    println!("both, policy with moves after it   {}", followed.text());
    Ok(())
}

/// How many moves the policy puts before the one played.
fn rank_by_net(
    net: &mut PolicyNet,
    start: &Board,
    since: &[Move],
    now: &Board,
    played: Move,
) -> usize {
    let moves = now.legal_moves();
    let mut scores = vec![0.0; moves.len()];
    net.logits(start, since, &moves, &mut scores);
    let own = moves.iter().position(|&mv| mv == played).map_or(f32::INFINITY, |i| scores[i]);
    scores.iter().filter(|&&score| score > own).count()
}

/// How many moves a search of depth 1 puts before the one played.
fn rank_by_search(engine: &mut Engine, board: &Board, played: Move) -> usize {
    engine.set_lines(board.legal_moves().len());
    engine.new_game();
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let lines = engine.ask(&Position::new(board.clone()), &limits).lines;
    lines.iter().position(|line| line.pv.first() == Some(&played)).unwrap_or(lines.len())
}
