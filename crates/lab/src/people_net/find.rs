//! `brier-lab people-find`: how likely a player of a given rating finds the engine's move.
//!
//! The network's share of a move says how many play it, whatever it is worth. Players see some of
//! what the engine sees, so a move that is known to be the best is played more often than that.
//! Three numbers correct it ([`Finding`]): they are fitted on one half of the games kept apart and
//! tested on the other.
//!
//! Reviews ask after a mistake, so what counts are positions in which mistakes are made. Here a
//! player drawn from the network's shares makes them, and the question is whether the player of the
//! game, who knows nothing of that, found the engine's move.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, anyhow, ensure};
use chess::{Move, Rng};
use engine::{Engine, Limits, Position};
use eval::{Chances, Quantiles};
use people::{Finding, Last, Net, Rating};

use super::data::{Games, OPENING, Searched, position_after};
use crate::statistics::{Brier, error_of_share, mean, tenths};
use crate::{progress, workers};

/// Options of `brier-lab people-find`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    searched: Searched,
    /// Positions with a mistake.
    #[arg(long, default_value_t = 4_000)]
    positions: usize,
    /// How many expected points a mistake loses.
    #[arg(long, default_value_t = 0.05)]
    loss: f64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Rounds of Newton's method; it has settled long before.
const ROUNDS: usize = 30;

/// A position in which a player like that one could err.
struct Seen {
    /// Which half its game belongs to.
    to_fit: bool,
    /// The network's share of the engine's move.
    share: f32,
    rating: Rating,
    /// Was it played?
    found: bool,
}

/// Searches, fits, tests and prints.
#[expect(clippy::print_stdout, reason = "the table is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let seen = collect(args, &args.searched.games()?)?;
    let (fit, test): (Vec<_>, Vec<_>) = seen.iter().partition(|seen| seen.to_fit);
    ensure!(!fit.is_empty() && !test.is_empty(), "expected positions in both halves, got none");
    let fitted = newton(&fit);
    println!("{} positions fitted: {fitted:?}", fit.len());
    for (name, finding) in
        [("share alone", Finding::SHARE), ("fitted", fitted), ("built in", Finding::BUILT_IN)]
    {
        println!("\n{name}, on {} others", test.len());
        reliability(&cases(&test, finding));
    }
    println!();
    for points in (1000..3000).step_by(200) {
        let near = |seen: &&&Seen| (points..points + 200).contains(&seen.rating.points());
        let row: Vec<_> = test.iter().filter(near).copied().collect();
        if row.len() >= 20 {
            let cases = cases(&row, fitted);
            let said = mean(cases.iter().map(|(said, _)| *said));
            let text = compare(said, row.len(), Brier::new(&cases).base_rate);
            println!("rating {points} to {}: {text}", points + 199);
        }
    }
    Ok(())
}

/// Draws positions of held-out games until there are enough.
fn collect(args: &Args, games: &Games) -> anyhow::Result<Vec<Seen>> {
    let held_out = games.held_out()?;
    let next = AtomicUsize::new(0);
    let bar = progress::counter("positions", args.positions as u64);
    let all = Mutex::new(Vec::new());
    workers::work(args.threads.max(1), || {
        let engine = Engine::builder().hash_mb(8).build().context("cannot start the engine")?;
        let (limits, people) = (args.searched.limits(), people::embedded());
        let mut judge = Judge { engine, limits, people, loss: args.loss };
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let all_seen = || all.lock().map_err(|_| anyhow!("a working thread panicked"));
            if number >= held_out.len() || all_seen()?.len() >= args.positions {
                return Ok(());
            }
            for drawn in draw(games, held_out[number]) {
                if let Some(seen) = judge.see(&drawn, number.is_multiple_of(2)) {
                    all_seen()?.push(seen);
                    bar.inc(1);
                }
            }
        }
    })?;
    bar.finish();
    all.into_inner().map_err(|_| anyhow!("a working thread panicked"))
}

/// A position of a game, the move played, and what a player drawn from the shares would play.
struct Drawn {
    position: Position,
    played: Move,
    rating: Rating,
    /// From 0 to 1: where in the sum of the shares that player's move is.
    chance: f64,
}

/// A few positions of a game.
fn draw(games: &Games, number: usize) -> Vec<Drawn> {
    let mut rng = Rng::new(number as u64);
    let mut drawn = Vec::new();
    games.get(number).for_each(|_, played, mv, rating| {
        if played.len() >= OPENING && rng.below(8) == 0 {
            let position = position_after(played);
            let chance = rng.below(1 << 20) as f64 / f64::from(1 << 20);
            drawn.push(Drawn { position, played: mv, rating: Rating::new(rating), chance });
        }
    });
    drawn
}

/// Who says whether a move is a mistake.
struct Judge {
    engine: Engine,
    limits: Limits,
    people: Arc<Net>,
    loss: f64,
}

impl Judge {
    /// The position, if the move drawn is a mistake there.
    fn see(&mut self, drawn: &Drawn, to_fit: bool) -> Option<Seen> {
        let &Drawn { ref position, played, rating, chance } = drawn;
        let board = position.board();
        let moves = board.legal_moves();
        let shares = self.people.shares(board, Last::of(position.played()), rating, &moves);
        let mut left = chance as f32;
        let drawn = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        })?;
        let (best, top) = self.ask(position)?;
        if moves[drawn] == best {
            return None;
        }
        let mut after = position.clone();
        after.play(moves[drawn]);
        let (_, reply) = self.ask(&after)?;
        let points = |quantiles: &Quantiles| Chances::on(board, quantiles).points();
        if points(&top) - points(&reply.flipped()) < self.loss {
            return None;
        }
        let share = moves.iter().position(|&mv| mv == best).map(|index| shares[index])?;
        Some(Seen { to_fit, share, rating, found: best == played })
    }

    /// The engine's move and what it is worth; none where the game is over.
    fn ask(&mut self, position: &Position) -> Option<(Move, Quantiles)> {
        self.engine.new_game();
        let answer = self.engine.ask(position, &self.limits);
        answer.best.zip(answer.lines.first().map(|line| line.quantiles))
    }
}

/// The numbers of greatest likelihood, by Newton's method.
fn newton(fit: &[&Seen]) -> Finding {
    // From nothing the steps are never too long.
    let mut weights = [0.0; 3];
    for _ in 0..ROUNDS {
        let (mut slope, mut bend) = ([0.0; 3], [[0.0; 3]; 3]);
        for seen in fit {
            let x = Finding::facts(seen.share, seen.rating);
            let p = Finding(weights).chance(seen.share, seen.rating);
            for i in 0..3 {
                slope[i] += (f64::from(u8::from(seen.found)) - p) * x[i];
                for j in 0..3 {
                    bend[i][j] += p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        // A little of the identity: with few positions the bend may be flat somewhere.
        (0..3).for_each(|i| bend[i][i] += 1e-6);
        let step = solve(bend, slope);
        (0..3).for_each(|i| weights[i] += step[i]);
    }
    Finding(weights)
}

/// Solves three equations by elimination; the matrix is positive definite, so no pivot is zero.
fn solve(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> [f64; 3] {
    for i in 0..3 {
        let pivot = a[i];
        for row in i + 1..3 {
            let factor = a[row][i] / pivot[i];
            a[row].iter_mut().zip(pivot).for_each(|(value, above)| *value -= factor * above);
            b[row] -= factor * b[i];
        }
    }
    for i in (0..3).rev() {
        let known: f64 = (i + 1..3).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// What a correction says of each position, and what happened.
fn cases(seen: &[&Seen], finding: Finding) -> Vec<(f64, bool)> {
    seen.iter().map(|seen| (finding.chance(seen.share, seen.rating), seen.found)).collect()
}

/// What was said against what happened, a line for each tenth, and the Brier score.
#[expect(clippy::print_stdout, reason = "the table is the command's answer")]
fn reliability(cases: &[(f64, bool)]) {
    for tenth in tenths(cases) {
        let text = compare(tenth.said, tenth.count, tenth.came);
        println!("  {:.1} to {:.1}: {text}", tenth.from, tenth.from + 0.1);
    }
    let brier = Brier::new(cases);
    println!(
        "  Brier score {:.4}, of the base rate {:.4}: {:.0} % less",
        brier.score,
        brier.of_base_rate,
        brier.percent_less()
    );
}

fn compare(said: f64, positions: usize, found: f64) -> String {
    format!(
        "{positions:5} positions, said {:4.1} %, found {:4.1} ± {:.1} %",
        100.0 * said,
        100.0 * found,
        error_of_share(found, positions)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_what_made_the_data() {
        let truth = Finding([0.5, 0.8, 1.0]);
        let mut rng = Rng::new(1);
        let mut draw = || rng.below(1_000_000) as f64 / 1e6;
        let seen: Vec<Seen> = (0..20_000)
            .map(|_| {
                let (share, rating) = (draw() as f32, Rating::new(1000 + (1800.0 * draw()) as u32));
                let found = draw() < truth.chance(share, rating);
                Seen { to_fit: true, share, rating, found }
            })
            .collect();
        let fitted = newton(&seen.iter().collect::<Vec<_>>());
        for (fitted, truth) in fitted.0.iter().zip(truth.0) {
            assert!((fitted - truth).abs() < 0.1, "{fitted} for {truth}");
        }
    }
}
