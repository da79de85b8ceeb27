//! The curves that make the games' results likeliest.
//!
//! Fewer games are drawn when less is thought about each move. So the fit gives the score that wins
//! half of the games and the spread a power of the nodes as well; the curves printed are those at
//! [`NODES`] nodes a move. Each control counts alike, however many of its games there are.

use std::path::PathBuf;

use eval::chances::{NODES, Powers};
use eval::{Chances, Curve};

use super::sample::{self, Sample};

/// Rounds of the search for better numbers; the steps become half as large in each.
const ROUNDS: usize = 9;

/// The one number that is not fitted: a pawn wins half of the games at the material of move 32, as the
/// field has it.
const PAWN: usize = 2;

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of `chances collect`
    #[arg(required = true)]
    samples: Vec<PathBuf>,
}

/// Four curves and the powers of the nodes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Fit {
    pub(crate) curves: [Curve; 4],
    pub(crate) powers: Powers,
}

impl Fit {
    fn start() -> Self {
        let curve = |material| Curve { material, half: 100.0, spread: 80.0 };
        Self { curves: [10.0, 30.0, 58.0, 78.0].map(curve), powers: Powers::default() }
    }

    /// A number by its place: the halves, the spreads, the powers. All but the powers are fitted as
    /// logarithms, so a step is a factor and they stay positive.
    fn step(mut self, index: usize, step: f64) -> Self {
        match index {
            0..4 => self.curves[index].half *= step.exp(),
            4..8 => self.curves[index - 4].spread *= step.exp(),
            8 => self.powers.half += step,
            _ => self.powers.spread += step,
        }
        self
    }

    fn chances(&self, sample: &Sample) -> Chances {
        let curve = Curve::at(&self.curves, f64::from(sample.material));
        Chances::by(curve.thought(sample.nodes, self.powers), &sample.quantiles)
    }

    /// The mean of the controls' losses.
    fn loss(&self, controls: &[Vec<Sample>]) -> f64 {
        let losses = controls.iter().map(|samples| loss(samples, |sample| self.chances(sample)));
        losses.sum::<f64>() / controls.len().max(1) as f64
    }

    /// The likeliest one: each number is moved both ways, in ever smaller steps.
    pub(crate) fn to(controls: &[Vec<Sample>]) -> Self {
        let mut best = Self::start();
        let mut least = best.loss(controls);
        for round in 0..ROUNDS {
            let size = 0.3 * 0.5_f64.powi(round as i32);
            let mut improved = true;
            while improved {
                improved = false;
                for index in (0..10).filter(|&index| index != PAWN) {
                    for step in [size, -size] {
                        let next = best.step(index, step);
                        let loss = next.loss(controls);
                        if loss < least - 1e-7 {
                            (best, least, improved) = (next, loss, true);
                            break;
                        }
                    }
                }
            }
        }
        best
    }
}

/// The mean logarithmic loss of what is said about samples.
pub(crate) fn loss(samples: &[Sample], said: impl Fn(&Sample) -> Chances) -> f64 {
    let surprise = |sample: &Sample| {
        let chances = said(sample);
        let given = [chances.loss, chances.draw, chances.win][usize::from(sample.result)];
        -(f64::from(given).max(0.5) / 1000.0).ln()
    };
    samples.iter().map(surprise).sum::<f64>() / samples.len().max(1) as f64
}

#[expect(clippy::print_stdout, reason = "the fit is the command's result")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let controls = sample::read(&args.samples)?.into_iter();
    let (judging, fitting): (Vec<Vec<Sample>>, Vec<Vec<Sample>>) = controls
        .map(|control| control.samples.into_iter().partition(Sample::is_for_judging))
        .unzip();
    let count = |parts: &[Vec<Sample>]| parts.iter().map(Vec::len).sum::<usize>();
    let fit = Fit::to(&fitting);
    println!("{} positions; at {NODES} nodes a move:", count(&fitting));
    for Curve { material, half, spread } in fit.curves {
        println!("    Curve {{ material: {material:.1}, half: {half:.1}, spread: {spread:.1} }},");
    }
    println!(
        "half as nodes to the {:.3}, spread to the {:.3}; loss {:.4}, on {} positions kept apart {:.4}",
        fit.powers.half,
        fit.powers.spread,
        fit.loss(&fitting),
        count(&judging),
        fit.loss(&judging),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Rng;
    use eval::Quantiles;

    /// Results drawn by known curves give these curves back.
    #[test]
    fn finds_the_curves_that_drew_the_results() {
        let curve = |material, half, spread| Curve { material, half, spread };
        let truth = Fit {
            curves: [
                curve(10.0, 160.0, 40.0),
                curve(30.0, 120.0, 60.0),
                curve(58.0, 100.0, 80.0),
                curve(78.0, 90.0, 100.0),
            ],
            powers: Powers { half: 0.2, spread: -0.1 },
        };
        let mut rng = Rng::new(5);
        // Two controls, one of them with twice as many positions.
        let mut controls = [Vec::new(), Vec::new()];
        for game in 0..30_000 {
            let control = usize::from(rng.below(3) > 0);
            let score = rng.below(801) as i32 - 400;
            let wide = rng.below(60) as i32;
            let mut sample = Sample {
                game,
                nodes: [1_000, 20_000][control],
                ply: 0,
                material: 6 + rng.below(73) as u32,
                score,
                quantiles: Quantiles::from_gaps(score, [wide; 4]),
                result: 0,
            };
            let chances = truth.chances(&sample);
            let draw = rng.below(1000) as u32;
            sample.result = u8::from(draw >= chances.loss) + u8::from(draw >= 1000 - chances.win);
            controls[control].push(sample);
        }
        let fit = Fit::to(&controls);
        for (found, real) in fit.curves.iter().zip(truth.curves) {
            let close = |a: f64, b: f64| (a / b).ln().abs() < 0.2;
            assert!(close(found.half, real.half) && close(found.spread, real.spread), "{fit:?}");
        }
        let Powers { half, spread } = fit.powers;
        assert!((half - 0.2).abs() < 0.05 && (spread + 0.1).abs() < 0.05);
        assert!(fit.loss(&controls) <= truth.loss(&controls) + 1e-6);
    }
}
