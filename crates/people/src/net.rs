//! The network: sums of rows of a table, a clipped square, and a product with each move's row.

use chess::{Board, Move};
use eval::People;

use crate::Finding;
use crate::features::{self, Candidate, FACTS, INPUTS, Last, OUTPUTS, Rating};

/// Hidden numbers.
pub const WIDTH: usize = 256;
/// What 1 is in the first table.
pub(crate) const ONE: i32 = 1024;
/// What 1 is after the clipped square.
pub(crate) const FULL: i32 = 127;

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// The hidden layer of an empty board.
    pub(crate) base: [i16; WIDTH],
    /// [`INPUTS`] rows.
    pub(crate) inputs: Vec<[i16; WIDTH]>,
    /// [`Rating::ROWS`] rows.
    pub(crate) ratings: Vec<[i16; WIDTH]>,
    /// [`OUTPUTS`] rows.
    pub(crate) outputs: Vec<[i8; WIDTH]>,
    /// What a product of full numbers is worth.
    pub(crate) scale: f32,
    /// What is added for each row of `outputs`.
    pub(crate) bias: Vec<f32>,
    /// What is added for each fact, [`Rating::ROWS`] times.
    pub(crate) facts: Vec<[f32; FACTS]>,
}

/// The real numbers that training ends with, to be rounded.
#[derive(Clone, Debug)]
pub struct Weights<'a> {
    /// The hidden layer of an empty board: one row.
    pub base: &'a [f32],
    /// [`INPUTS`] rows.
    pub inputs: &'a [f32],
    /// [`Rating::ROWS`] rows.
    pub ratings: &'a [f32],
    /// [`OUTPUTS`] rows.
    pub outputs: &'a [f32],
    /// One number for each row of `outputs`.
    pub bias: &'a [f32],
    /// One number for each fact, [`Rating::ROWS`] times.
    pub facts: &'a [f32],
}

impl Net {
    /// Rounds what training ended with. The lengths must be those of the tables.
    pub fn from_weights(weights: &Weights<'_>) -> Self {
        let wide = |rows: &[f32]| -> Vec<[i16; WIDTH]> {
            let round = |x: f32| (x * ONE as f32).round().clamp(-32767.0, 32767.0) as i16;
            let chunks = rows.chunks_exact(WIDTH);
            chunks.map(|row| std::array::from_fn(|i| round(row[i]))).collect()
        };
        let largest = weights.outputs.iter().fold(1e-6f32, |most, x| most.max(x.abs()));
        let step = largest / 127.0;
        let outputs = weights.outputs.chunks_exact(WIDTH);
        let outputs: Vec<[i8; WIDTH]> = outputs
            .map(|row| std::array::from_fn(|i| (row[i] / step).round().clamp(-127.0, 127.0) as i8))
            .collect();
        let inputs = wide(weights.inputs);
        assert!(inputs.len() == INPUTS && outputs.len() == OUTPUTS, "wrong number of rows");
        let facts: Vec<[f32; FACTS]> = weights.facts.as_chunks().0.to_vec();
        assert!(weights.bias.len() == OUTPUTS && facts.len() == Rating::ROWS, "wrong lengths");
        let ratings = wide(weights.ratings);
        assert!(ratings.len() == Rating::ROWS, "expected {} rows for ratings", Rating::ROWS);
        Self {
            base: wide(weights.base)[0],
            inputs,
            ratings,
            outputs,
            scale: step / FULL as f32,
            bias: weights.bias.to_vec(),
            facts,
        }
    }

    /// How likely a player of this rating plays each of `moves`, the legal ones of the position.
    /// The shares add up to 1.
    pub fn shares(&self, board: &Board, last: Last, rating: Rating, moves: &[Move]) -> Vec<f32> {
        let (mut rows, mut candidates) = (Vec::with_capacity(48), Vec::with_capacity(moves.len()));
        features::inputs(board, last, &mut rows);
        features::candidates(board, last, moves, &mut candidates);
        let hidden = self.hidden(&rows, rating);
        let mut shares: Vec<f32> =
            candidates.iter().map(|candidate| self.logit(&hidden, rating, candidate)).collect();
        softmax(&mut shares);
        shares
    }

    /// How likely a player of this rating plays one move, a legal one; 0 for others.
    pub fn share(&self, board: &Board, played: &[Move], rating: Rating, mv: Move) -> f32 {
        let moves = board.legal_moves();
        let shares = self.shares(board, Last::of(played), rating, &moves);
        moves.iter().position(|&other| other == mv).map_or(0.0, |i| shares[i])
    }

    /// The hidden layer: a clipped square of sums, as bytes.
    fn hidden(&self, rows: &[u16], rating: Rating) -> [i8; WIDTH] {
        let (row, part) = rating.rows();
        let (low, high) = (&self.ratings[row], &self.ratings[row + 1]);
        let mut sums: [i32; WIDTH] = std::array::from_fn(|i| {
            let (low, high) = (i32::from(low[i]), i32::from(high[i]));
            i32::from(self.base[i]) + low + (high - low) * part / Rating::WHOLE
        });
        for &row in rows {
            for (sum, &weight) in sums.iter_mut().zip(&self.inputs[usize::from(row)]) {
                *sum += i32::from(weight);
            }
        }
        sums.map(|sum| {
            let x = sum.clamp(0, ONE);
            ((x * x * FULL + ONE * ONE / 2) / (ONE * ONE)) as i8
        })
    }

    fn logit(&self, hidden: &[i8; WIDTH], rating: Rating, candidate: &Candidate) -> f32 {
        let row = usize::from(candidate.row);
        let product: i32 =
            hidden.iter().zip(&self.outputs[row]).map(|(&h, &w)| i32::from(h) * i32::from(w)).sum();
        let (low, part) = rating.rows();
        let part = part as f32 / Rating::WHOLE as f32;
        let weight = |&fact: &u8| {
            let [low, high] = [low, low + 1].map(|row| self.facts[row][usize::from(fact)]);
            low + (high - low) * part
        };
        let facts: f32 = candidate.facts().iter().map(weight).sum();
        product as f32 * self.scale + self.bias[row] + facts
    }
}

impl People for Net {
    fn shares(&self, board: &Board, played: &[Move], rating: u32, moves: &[Move]) -> Vec<f32> {
        self.shares(board, Last::of(played), Rating::new(rating), moves)
    }

    fn finds(&self, board: &Board, played: &[Move], rating: u32, best: Move) -> f64 {
        let rating = Rating::new(rating);
        Finding::BUILT_IN.chance(self.share(board, played, rating, best), rating)
    }
}

/// Turns scores into shares that add up to 1.
fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}
