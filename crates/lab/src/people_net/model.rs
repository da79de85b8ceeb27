//! The network of crate `people` while it is trained: real numbers, gradients, Adam.
//!
//! Rows that no position of a batch used are left alone, so a step costs what the batch touched.

use chess::Rng;
use people::Rating;
use people::features::{Candidate, FACTS, INPUTS, OUTPUTS};
use people::{WIDTH, Weights};

/// One position to learn from.
pub(super) struct Example {
    pub(super) rows: Vec<u16>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) rating: Rating,
    /// Which of the candidates was played.
    pub(super) played: usize,
}

/// What the network made of one position.
pub(super) struct Judged {
    /// The negative logarithm of the share of the move played.
    pub(super) loss: f32,
    /// How many moves it puts before the one played.
    pub(super) rank: usize,
}

/// A table of rows with its gradients and Adam's averages.
struct Table {
    width: usize,
    values: Vec<f32>,
    gradients: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    touched: Vec<bool>,
}

/// Adam's constants.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Table {
    fn new(rows: usize, width: usize, spread: f32, rng: &mut Rng) -> Self {
        let values = (0..rows * width).map(|_| (2.0 * rng.unit() as f32 - 1.0) * spread).collect();
        let zeros = vec![0.0; rows * width];
        Self {
            width,
            values,
            gradients: zeros.clone(),
            mean: zeros.clone(),
            square: zeros,
            touched: vec![false; rows],
        }
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.width..][..self.width]
    }

    /// Adds `factor` times `values` to the gradients of a row.
    fn push(&mut self, row: usize, values: &[f32], factor: f32) {
        self.touched[row] = true;
        let gradients = &mut self.gradients[row * self.width..][..self.width];
        for (gradient, value) in gradients.iter_mut().zip(values) {
            *gradient += factor * value;
        }
    }

    fn step(&mut self, rate: f32, scale: f32, correct: (f32, f32)) {
        for (row, touched) in self.touched.iter_mut().enumerate() {
            if !std::mem::take(touched) {
                continue;
            }
            let at = row * self.width..(row + 1) * self.width;
            let numbers = self.values[at.clone()]
                .iter_mut()
                .zip(&mut self.gradients[at.clone()])
                .zip(self.mean[at.clone()].iter_mut().zip(&mut self.square[at]));
            for ((value, gradient), (mean, square)) in numbers {
                let g = *gradient * scale;
                *gradient = 0.0;
                *mean = BETA1 * *mean + (1.0 - BETA1) * g;
                *square = BETA2 * *square + (1.0 - BETA2) * g * g;
                *value -= rate * (*mean * correct.0) / ((*square * correct.1).sqrt() + EPSILON);
            }
        }
    }
}

/// The network.
pub(super) struct Model {
    base: Table,
    inputs: Table,
    ratings: Table,
    outputs: Table,
    bias: Table,
    facts: Table,
    steps: i32,
}

impl Model {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut model = Self {
            base: Table::new(1, WIDTH, 0.0, &mut rng),
            inputs: Table::new(INPUTS, WIDTH, 0.06, &mut rng),
            ratings: Table::new(Rating::ROWS, WIDTH, 0.02, &mut rng),
            outputs: Table::new(OUTPUTS, WIDTH, 0.05, &mut rng),
            bias: Table::new(OUTPUTS, 1, 0.0, &mut rng),
            facts: Table::new(Rating::ROWS * FACTS, 1, 0.0, &mut rng),
            steps: 0,
        };
        model.base.values.fill(0.3);
        model
    }

    /// The tables in the order in which they are saved.
    fn tables(&self) -> [&Table; 6] {
        [&self.base, &self.inputs, &self.ratings, &self.outputs, &self.bias, &self.facts]
    }

    fn tables_mut(&mut self) -> [&mut Table; 6] {
        [
            &mut self.base,
            &mut self.inputs,
            &mut self.ratings,
            &mut self.outputs,
            &mut self.bias,
            &mut self.facts,
        ]
    }

    pub(super) fn weights(&self) -> Weights<'_> {
        let [base, inputs, ratings, outputs, bias, facts] =
            self.tables().map(|table| table.values.as_slice());
        Weights { base, inputs, ratings, outputs, bias, facts }
    }

    /// Everything that training goes on from.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let tables = self.tables();
        let parts = tables.iter().flat_map(|t| [&t.values, &t.mean, &t.square]);
        let steps = self.steps.to_le_bytes();
        steps.into_iter().chain(parts.flatten().flat_map(|x| x.to_le_bytes())).collect()
    }

    /// Goes on from the bytes of [`Self::to_bytes`]; false if they are of another length.
    pub(super) fn restore(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() != self.to_bytes().len() {
            return false;
        }
        let mut numbers = bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
        self.steps = numbers.next().map_or(0, i32::from_le_bytes);
        for table in self.tables_mut() {
            for part in [&mut table.values, &mut table.mean, &mut table.square] {
                for (number, bytes) in part.iter_mut().zip(&mut numbers) {
                    *number = f32::from_le_bytes(bytes);
                }
            }
        }
        true
    }

    /// Judges a position and, if asked, adds its gradients.
    pub(super) fn judge(&mut self, example: &Example, learn: bool) -> Judged {
        let (low, part) = example.rating.rows();
        let high_share = part as f32 / Rating::WHOLE as f32;
        let mut sums = [0.0f32; WIDTH];
        sums.copy_from_slice(&self.base.values);
        add(&mut sums, self.ratings.row(low), 1.0 - high_share);
        add(&mut sums, self.ratings.row(low + 1), high_share);
        for &row in &example.rows {
            add(&mut sums, self.inputs.row(row.into()), 1.0);
        }
        let hidden = sums.map(|x| x.clamp(0.0, 1.0) * x.clamp(0.0, 1.0));
        let mut shares: Vec<f32> = example
            .candidates
            .iter()
            .map(|c| {
                let row = usize::from(c.row);
                let weight = |&fact: &u8| {
                    let [low, high] = fact_rows(low, fact).map(|row| self.facts.values[row]);
                    low + (high - low) * high_share
                };
                let facts: f32 = c.facts().iter().map(weight).sum();
                dot(&hidden, self.outputs.row(row)) + self.bias.values[row] + facts
            })
            .collect();
        let own = shares[example.played];
        let rank = shares.iter().filter(|&&share| share > own).count();
        let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for share in &mut shares {
            *share = (*share - most).exp();
            sum += *share;
        }
        let loss = sum.ln() - (own - most);
        if learn {
            let mut back = [0.0f32; WIDTH];
            for (i, (candidate, share)) in example.candidates.iter().zip(&shares).enumerate() {
                let error = share / sum - f32::from(u8::from(i == example.played));
                let row = usize::from(candidate.row);
                add(&mut back, self.outputs.row(row), error);
                self.outputs.push(row, &hidden, error);
                self.bias.push(row, &[1.0], error);
                for &fact in candidate.facts() {
                    let [low, high] = fact_rows(low, fact);
                    self.facts.push(low, &[1.0], (1.0 - high_share) * error);
                    self.facts.push(high, &[1.0], high_share * error);
                }
            }
            for (back, &x) in back.iter_mut().zip(&sums) {
                *back *= if x > 0.0 && x < 1.0 { 2.0 * x } else { 0.0 };
            }
            self.base.push(0, &back, 1.0);
            self.ratings.push(low, &back, 1.0 - high_share);
            self.ratings.push(low + 1, &back, high_share);
            for &row in &example.rows {
                self.inputs.push(row.into(), &back, 1.0);
            }
        }
        Judged { loss, rank }
    }

    /// Takes a step against the gradients of `batch` positions.
    pub(super) fn step(&mut self, rate: f32, batch: usize) {
        self.steps = self.steps.saturating_add(1);
        let correct = (1.0 / (1.0 - BETA1.powi(self.steps)), 1.0 / (1.0 - BETA2.powi(self.steps)));
        for table in self.tables_mut() {
            table.step(rate, 1.0 / batch as f32, correct);
        }
    }
}

/// Where the weights of a fact are: for the rating below and for the one above.
fn fact_rows(low: usize, fact: u8) -> [usize; 2] {
    [low, low + 1].map(|row| row * FACTS + usize::from(fact))
}

fn add(sums: &mut [f32; WIDTH], row: &[f32], factor: f32) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum += factor * value;
    }
}

/// The product of two rows, in eight parts so that the compiler can use vectors.
fn dot(a: &[f32; WIDTH], b: &[f32]) -> f32 {
    let mut parts = [0.0f32; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for (part, (a, b)) in parts.iter_mut().zip(a.iter().zip(b)) {
            *part += a * b;
        }
    }
    parts.iter().sum()
}
