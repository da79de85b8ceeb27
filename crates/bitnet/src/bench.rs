//! How fast the model is: the numbers of `brier bench policy`.
//!
//! All times are the least of several tries on one thread, because a busy machine only ever adds
//! to them; products are timed matrix by matrix and added up. The reference size is measured on
//! random weights; speed does not depend on values.

use std::fmt;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use simd::Kernels;
use simd::ternary::pack_codes;

use crate::config::Config;
use crate::gguf::{GgufError, TensorType};
use crate::model::Model;
use crate::synthetic::random_file;
use crate::tokens::{GO, Token};

/// Tokens of the sequences that a cached step is compared with.
const SEQUENCE: usize = 24;

/// Bytes read to measure the memory: more than a cache holds, on most machines.
const MEMORY: usize = 512 << 20;

/// How long each number is measured.
const PATIENCE: Duration = Duration::from_millis(500);

/// What was measured. It prints as a table.
#[derive(Clone, Debug)]
pub struct PolicyBench {
    /// The table of kernels.
    pub kernels: &'static str,
    /// Ternary weights of the reference size.
    pub weights: usize,
    /// Their bytes in memory.
    pub bytes: usize,
    /// One token after 24 others, reference size.
    pub step: Duration,
    /// 24 tokens at once, reference size.
    pub sequence: Duration,
    /// Only the matrix products of one token.
    pub codes: Duration,
    /// The same as dense 32-bit floats.
    pub floats: Duration,
    /// Reading the packed weights once from memory.
    pub memory: Duration,
    /// The loaded file, if one was given: one token after 24 others, and 24 tokens at once.
    pub loaded: Option<(Duration, Duration)>,
}

/// Measures the reference size, and the model of a file if one is given.
pub fn bench(file: Option<&Path>, kernels: &'static Kernels) -> Result<PolicyBench, GgufError> {
    let loaded = file.map(|path| Model::load(path, kernels)).transpose()?;
    let config = Config::REFERENCE;
    let model = Model::from_bytes(&random_file(&config, TensorType::Tq2, 1), kernels)?;
    let (step, sequence) = times(&model);
    Ok(PolicyBench {
        kernels: kernels.name,
        weights: config.ternary_weights(),
        bytes: model.ternary_bytes(),
        step,
        sequence,
        codes: codes(&config, kernels),
        floats: floats(&config, kernels),
        memory: read_time(model.ternary_bytes()),
        loaded: loaded.map(|model| times(&model)),
    })
}

/// The least time of `work` in several tries.
fn least(mut work: impl FnMut() -> Duration) -> Duration {
    let begin = Instant::now();
    let mut least = work();
    for _ in 0..2 {
        least = least.min(work());
    }
    while begin.elapsed() < PATIENCE {
        least = least.min(work());
    }
    least
}

/// The sum over `parts` of the least time of each, in several passes over all of them. On a busy
/// machine a short part is sometimes left undisturbed where a whole pass never is.
fn least_of_parts(parts: usize, mut work: impl FnMut(usize)) -> Duration {
    let mut least = vec![Duration::MAX; parts];
    let begin = Instant::now();
    let mut passes = 0;
    while passes < 3 || begin.elapsed() < PATIENCE {
        for (part, least) in least.iter_mut().enumerate() {
            *least = (*least).min(time(|| work(part)));
        }
        passes += 1;
    }
    least.iter().sum()
}

/// The time of `work`, which is called once.
fn time(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

/// One token after 24 others, and 24 tokens at once.
fn times(model: &Model) -> (Duration, Duration) {
    let tokens: Vec<Token> = (0..SEQUENCE as Token).map(|i| i * 73 + 1).collect();
    let mut run = model.start();
    let sequence = least(|| {
        run.clear();
        time(|| model.extend(&mut run, &tokens))
    });
    let step = least(|| {
        run.clear();
        model.extend(&mut run, &tokens);
        // A few more than one, for the price of the tokens before.
        (0..8).map(|_| time(|| model.extend(&mut run, &[GO]))).min().unwrap_or_default()
    });
    (step, sequence)
}

/// The shapes (inputs, outputs) of one layer's matrices.
fn shapes(c: &Config) -> [(usize, usize); 7] {
    let (width, query, kv, ff) = (c.width, c.query_size(), c.kv_size(), c.feed_forward);
    [
        (width, query),
        (width, kv),
        (width, kv),
        (query, width),
        (width, ff),
        (width, ff),
        (ff, width),
    ]
}

/// The products of one token with every matrix of a model.
fn codes(c: &Config, kernels: &Kernels) -> Duration {
    let weight = |i: usize| (i * 7919 / 13 % 3) as i8 - 1;
    let matrices: Vec<Vec<u8>> = (0..c.layers)
        .flat_map(|_| shapes(c))
        .map(|(inputs, outputs)| {
            pack_codes(&(0..inputs * outputs).map(weight).collect::<Vec<_>>(), inputs)
        })
        .collect();
    let longest = c.feed_forward.max(c.width).max(c.query_size());
    let input: Vec<i8> = (0..longest).map(|i| (i * 37 % 255) as i8).collect();
    let mut out = vec![0; longest];
    least_of_parts(matrices.len(), |part| {
        let (inputs, outputs) = shapes(c)[part % 7];
        (kernels.ternary.matvec)(&mut out[..outputs], &matrices[part], &input[..inputs]);
    })
}

/// The same products as dense 32-bit floats.
fn floats(c: &Config, kernels: &Kernels) -> Duration {
    let matrices: Vec<Vec<f32>> = (0..c.layers)
        .flat_map(|_| shapes(c))
        .map(|(inputs, outputs)| vec![0.5; inputs * outputs])
        .collect();
    let longest = c.feed_forward.max(c.width).max(c.query_size());
    let (input, bias, mut out) = (vec![1.0; longest], vec![0.0; longest], vec![0.0; longest]);
    least_of_parts(matrices.len(), |part| {
        let (inputs, outputs) = shapes(c)[part % 7];
        let (out, bias) = (&mut out[..outputs], &bias[..outputs]);
        (kernels.train.matvec)(out, bias, &matrices[part], &input[..inputs]);
    })
}

/// How long reading that many bytes from memory takes, at the speed of a much longer read.
fn read_time(bytes: usize) -> Duration {
    const PARTS: usize = 512;
    let memory = vec![1u64; MEMORY / 8];
    let part_len = memory.len() / PARTS;
    let whole = least_of_parts(PARTS, |part| {
        black_box(memory[part * part_len..][..part_len].iter().sum::<u64>());
    });
    whole.mul_f64(bytes as f64 / MEMORY as f64)
}

impl fmt::Display for PolicyBench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = |d: Duration| d.as_secs_f64() * 1e6;
        let times = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
        let millions = self.weights as f64 / 1e6;
        let megabytes = self.bytes as f64 / 1e6;
        writeln!(f, "kernels {}, one thread", self.kernels)?;
        writeln!(f, "reference size, {millions:.1} million ternary weights, {megabytes:.1} MB")?;
        writeln!(f, "  tokens per second, one at a time  {:>10.0}", 1.0 / self.step.as_secs_f64())?;
        let rate = SEQUENCE as f64 / self.sequence.as_secs_f64();
        writeln!(f, "  tokens per second, {SEQUENCE} at once     {rate:>10.0}")?;
        writeln!(f, "  one token after {SEQUENCE} others         {:>10.1} µs", micros(self.step))?;
        writeln!(
            f,
            "  {SEQUENCE} tokens from nothing            {:>10.1} µs",
            micros(self.sequence)
        )?;
        writeln!(
            f,
            "  a cached step is faster by        {:>10.1} times",
            times(self.sequence, self.step)
        )?;
        writeln!(f, "  products of one token, codes      {:>10.1} µs", micros(self.codes))?;
        writeln!(f, "  products of one token, f32        {:>10.1} µs", micros(self.floats))?;
        writeln!(
            f,
            "  codes are faster than f32 by      {:>10.1} times",
            times(self.floats, self.codes)
        )?;
        writeln!(f, "  reading the weights from memory   {:>10.1} µs", micros(self.memory))?;
        let share = 100.0 * times(self.memory, self.codes);
        writeln!(f, "  products reach                    {share:>10.0} % of that limit")?;
        if let Some((step, sequence)) = self.loaded {
            writeln!(f, "loaded file")?;
            writeln!(f, "  one token after {SEQUENCE} others         {:>10.1} µs", micros(step))?;
            writeln!(
                f,
                "  {SEQUENCE} tokens from nothing            {:>10.1} µs",
                micros(sequence)
            )?;
            writeln!(
                f,
                "  a cached step is faster by        {:>10.1} times",
                times(sequence, step)
            )?;
        }
        Ok(())
    }
}
