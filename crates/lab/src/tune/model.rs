//! The evaluation as a function of its weights, with its gradient.
//!
//! It repeats in floating point what `classical` does in integers with the sums: squares the
//! attacks on the kings, lets complexity act on the endgame half, blends. A test holds the two
//! together.

use std::thread;

use classical::layout::COUNT;
use classical::{SAFETY_EG_DIVISOR, SAFETY_LIMIT, SAFETY_MG_DIVISOR, Tapered};

use super::examples::{Example, Examples, Use};
use crate::regression::sigmoid;

/// A middlegame and an endgame value.
type Pair = [f32; 2];

/// All weights, in floating point.
#[derive(Clone)]
pub(super) struct Weights(pub(super) Box<[Pair; COUNT]>);

impl Weights {
    /// The weights this program was built with.
    pub(super) fn current() -> Self {
        let pair = |weight: &Tapered| [weight.mg() as f32, weight.eg() as f32];
        Self(Box::new(classical::weights().each_ref().map(pair)))
    }

    pub(super) fn zero() -> Self {
        Self(Box::new([[0.0; 2]; COUNT]))
    }

    /// The nearest whole numbers, as the engine will use them.
    pub(super) fn rounded(mut self) -> Self {
        for value in self.0.iter_mut().flatten() {
            // Adding zero turns -0 into 0.
            *value = value.round() + 0.0;
        }
        self
    }

    fn sum(&self, uses: &[Use]) -> Pair {
        let mut sum = [0.0; 2];
        for used in uses {
            let [mg, eg] = self.0[used.index as usize];
            sum[0] += mg * f32::from(used.count);
            sum[1] += eg * f32::from(used.count);
        }
        sum
    }

    fn add(&mut self, uses: &[Use], slope: Pair) {
        for used in uses {
            let weight = &mut self.0[used.index as usize];
            weight[0] += slope[0] * f32::from(used.count);
            weight[1] += slope[1] * f32::from(used.count);
        }
    }
}

/// The uses of one example, by what happens to their sums.
struct Parts<'a> {
    linear: &'a [Use],
    attacks: [&'a [Use]; 2],
    complexity: &'a [Use],
}

impl<'a> Parts<'a> {
    fn of(example: &Example, uses: &'a [Use]) -> Self {
        let mut rest = &uses[example.start as usize..];
        let mut take = |count: usize| {
            let (taken, others) = rest.split_at(count);
            rest = others;
            taken
        };
        Self {
            linear: take(example.linear.into()),
            attacks: example.attacks.map(|count| take(count.into())),
            complexity: take(example.complexity.into()),
        }
    }
}

/// What an attack is worth, and how fast that changes with its signs.
fn attack_worth(signs: Pair) -> (Pair, Pair) {
    let limit = SAFETY_LIMIT as f32;
    let inside = signs.map(|sign| f32::from(sign > 0.0 && sign < limit));
    let [mg, eg] = signs.map(|sign| sign.clamp(0.0, limit));
    let (square, line) = (1.0 / SAFETY_MG_DIVISOR as f32, 1.0 / SAFETY_EG_DIVISOR as f32);
    ([mg * mg * square, eg * line], [2.0 * mg * square * inside[0], line * inside[1]])
}

/// Evaluates an example from White's side. If there is a gradient to add to, `slope` turns the
/// score into what the loss changes by when the score does.
fn evaluate(
    weights: &Weights,
    example: &Example,
    uses: &[Use],
    gradient: Option<(&mut Weights, &dyn Fn(f32) -> f32)>,
) -> f32 {
    let parts = Parts::of(example, uses);
    let mut sum = weights.sum(parts.linear);
    let attacks = parts.attacks.map(|uses| attack_worth(weights.sum(uses)));
    let [(white, _), (black, _)] = attacks;
    sum[0] += white[0] - black[0];
    sum[1] += white[1] - black[1];
    let complexity = weights.sum(parts.complexity)[1];
    // Complexity may cancel an endgame advantage but never turn it round.
    let alive = complexity > -sum[1].abs();
    let eg = if alive { sum[1] + sum[1].signum() * complexity } else { 0.0 };
    let score = example.blend[0] * sum[0] + example.blend[1] * eg;

    if let Some((gradient, slope)) = gradient {
        let slope = slope(score);
        let eg_slope = if alive { slope * example.blend[1] } else { 0.0 };
        let slopes = [slope * example.blend[0], eg_slope];
        gradient.add(parts.linear, slopes);
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let change = attacks[side].1;
            gradient.add(
                parts.attacks[side],
                [sign * slopes[0] * change[0], sign * slopes[1] * change[1]],
            );
        }
        gradient.add(parts.complexity, [0.0, eg_slope * sum[1].signum()]);
    }
    score
}

/// The mean squared error of the predicted results.
pub(super) fn loss(weights: &Weights, examples: &Examples, scale: f32, threads: usize) -> f64 {
    if examples.is_empty() {
        return 0.0;
    }
    let sum = |part: &[Example]| -> f64 {
        let error = |example| {
            sigmoid(scale * evaluate(weights, example, &examples.uses, None)) - example.score
        };
        part.iter().map(|example| f64::from(error(example)).powi(2)).sum()
    };
    let size = examples.len().div_ceil(threads);
    let total: f64 = thread::scope(|scope| {
        let parts: Vec<_> =
            examples.list.chunks(size).map(|part| scope.spawn(move || sum(part))).collect();
        parts.into_iter().map(|part| part.join().expect("summing does not panic")).sum()
    });
    total / examples.len() as f64
}

/// The loss summed over a batch and its gradient.
pub(super) fn gradient(
    weights: &Weights,
    batch: &[Example],
    uses: &[Use],
    scale: f32,
    threads: usize,
) -> (f64, Weights) {
    let work = |part: &[Example]| {
        let mut gradient = Weights::zero();
        let mut total = 0.0;
        for example in part {
            let slope = |score: f32| {
                let guess = sigmoid(scale * score);
                2.0 * scale * (guess - example.score) * guess * (1.0 - guess)
            };
            let score = evaluate(weights, example, uses, Some((&mut gradient, &slope)));
            total += f64::from(sigmoid(scale * score) - example.score).powi(2);
        }
        (total, gradient)
    };
    if threads == 1 {
        return work(batch);
    }
    let size = batch.len().div_ceil(threads);
    thread::scope(|scope| {
        let parts: Vec<_> =
            batch.chunks(size).map(|part| scope.spawn(move || work(part))).collect();
        let mut sum = (0.0, Weights::zero());
        for part in parts {
            let (total, gradient) = part.join().expect("following the gradient does not panic");
            sum.0 += total;
            for (all, new) in sum.1.0.iter_mut().flatten().zip(gradient.0.iter().flatten()) {
                *all += new;
            }
        }
        sum
    })
}

#[cfg(test)]
mod tests {
    use chess::Board;
    use classical::evaluate_traced;

    use super::*;
    use crate::tune::examples::Counts;

    const POSITIONS: &[&str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2r3k1/5p1p/p3pQp1/1p6/3q1P2/8/PP4PP/2R4K b - - 0 1",
        "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    ];

    fn examples() -> Examples {
        let mut examples = Examples::default();
        for fen in POSITIONS {
            examples.add(&fen.parse().unwrap(), 0.7, 1.0, &mut Counts::default());
        }
        examples
    }

    /// The engine rounds at four places, so a few centipawns are allowed.
    #[test]
    fn the_model_is_the_evaluation() {
        let weights = Weights::current();
        let examples = examples();
        for (example, fen) in examples.list.iter().zip(POSITIONS) {
            let board: Board = fen.parse().unwrap();
            let exact = evaluate_traced(&board, &()).unwrap().score as f32;
            let model = evaluate(&weights, example, &examples.uses, None);
            assert!((model - exact).abs() <= 3.0, "{fen}: {model} for {exact}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let weights = Weights::current();
        let examples = examples();
        let scale = 0.004;
        let (_, gradient) = gradient(&weights, &examples.list, &examples.uses, scale, 2);
        let loss = |weights: &Weights| loss(weights, &examples, scale, 1) * examples.len() as f64;
        let mut tested = 0;
        for index in 0..COUNT {
            for half in 0..2 {
                let slope = f64::from(gradient.0[index][half]);
                if slope.abs() < 2e-5 {
                    continue;
                }
                let mut moved = [weights.clone(), weights.clone()];
                moved[0].0[index][half] += 0.5;
                moved[1].0[index][half] -= 0.5;
                let measured = loss(&moved[0]) - loss(&moved[1]);
                assert!(
                    (measured - slope).abs() < 0.05 * slope.abs() + 1e-6,
                    "{index}: {measured} for {slope}"
                );
                tested += 1;
            }
        }
        assert!(tested > 100, "{tested}");
    }
}
