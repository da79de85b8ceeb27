//! Running the model: tokens in, the state of the last one out.
//!
//! [`Run`] keeps the keys and values of every token seen (the KV cache) and all working memory,
//! so that a token after the first allocates nothing. Tokens are processed in groups, layer by
//! layer: the position as one group, then a move or two at a time.

use simd::Kernels;

use crate::config::Config;
use crate::math::{attend, dot, quantise, rms_norm, rope_angles, rotate, swiglu};
use crate::tokens::Token;
use crate::weights::{Block, Linear, Table, Weights};

/// A sequence under way: its tokens, keys and values, and room to work in.
pub struct Run {
    tokens: Vec<Token>,
    /// Tokens that belong to the position and see each other.
    prefix: usize,
    /// For each layer, token and head of keys.
    keys: Vec<f32>,
    values: Vec<f32>,
    /// For each position and pair of numbers of a head.
    cos: Vec<f32>,
    sin: Vec<f32>,
    work: Work,
}

/// Working memory for a group of tokens.
struct Work {
    states: Vec<f32>,
    normed: Vec<f32>,
    integers: Vec<i8>,
    steps: Vec<f32>,
    sums: Vec<i32>,
    queries: Vec<f32>,
    attended: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    scores: Vec<f32>,
    last: Vec<f32>,
}

impl Run {
    /// An empty sequence for models of these sizes.
    pub fn new(c: &Config) -> Run {
        let n = c.context;
        let angles: Vec<_> = (0..n).map(|at| rope_angles(at, c.head_size, c.rope_base)).collect();
        let widest = c.width.max(c.query_size()).max(c.feed_forward);
        Run {
            tokens: Vec::with_capacity(n),
            prefix: 0,
            keys: vec![0.0; c.layers * n * c.kv_size()],
            values: vec![0.0; c.layers * n * c.kv_size()],
            cos: angles.iter().flat_map(|(cos, _)| cos).copied().collect(),
            sin: angles.iter().flat_map(|(_, sin)| sin).copied().collect(),
            work: Work {
                states: vec![0.0; n * c.width],
                normed: vec![0.0; c.width],
                integers: vec![0; n * widest],
                steps: vec![0.0; n],
                sums: vec![0; n * widest],
                queries: vec![0.0; n * c.query_size()],
                attended: vec![0.0; n * c.query_size()],
                gate: vec![0.0; n * c.feed_forward],
                up: vec![0.0; n * c.feed_forward],
                scores: vec![0.0; n],
                last: vec![0.0; c.width],
            },
        }
    }

    /// The tokens whose keys and values are kept.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Forgets the sequence.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.prefix = 0;
    }

    /// The state after the last token, ready to be scored.
    pub fn state(&self) -> &[f32] {
        &self.work.last
    }
}

/// Where a group of new tokens stands.
#[derive(Clone, Copy)]
struct Group {
    /// Tokens before it.
    start: usize,
    /// Tokens in it.
    len: usize,
    /// Tokens of the position.
    prefix: usize,
}

impl Group {
    /// How many tokens the `i`-th of the group sees: a piece the whole position, a move all before it.
    fn visible(&self, i: usize) -> usize {
        (self.start + i + 1).max(self.prefix)
    }

    /// What the angles of the `i`-th count: 0 for all pieces, 1 for the end of the position, then on.
    fn position(&self, i: usize) -> usize {
        (self.start + i + 2).saturating_sub(self.prefix)
    }
}

/// Processes `new` tokens after those already in `run`. The first call after [`Run::clear`] gives the
/// whole position.
///
/// # Panics
/// If the sequence becomes longer than the context, or `new` is empty.
pub(crate) fn extend(w: &Weights, c: &Config, kernels: &Kernels, run: &mut Run, new: &[Token]) {
    assert!(!new.is_empty() && run.tokens.len() + new.len() <= c.context);
    if run.tokens.is_empty() {
        run.prefix = new.len();
    }
    let group = Group { start: run.tokens.len(), len: new.len(), prefix: run.prefix };
    run.tokens.extend_from_slice(new);
    let states = run.work.states.chunks_exact_mut(c.width);
    for (state, &token) in states.zip(new) {
        w.embedding.copy_row(usize::from(token), state);
    }
    for (layer, block) in w.blocks.iter().enumerate() {
        attention(block, c, kernels, run, group, layer);
        feed_forward(block, c, kernels, &mut run.work, group.len);
    }
    let last = &run.work.states[(group.len - 1) * c.width..][..c.width];
    rms_norm(&mut run.work.last, last, &w.norm, c.norm_epsilon);
}

fn attention(
    block: &Block,
    c: &Config,
    kernels: &Kernels,
    run: &mut Run,
    group: Group,
    layer: usize,
) {
    let (n, kv, half) = (group.len, c.kv_size(), c.head_size / 2);
    let work = &mut run.work;
    let keys = &mut run.keys[layer * c.context * kv..][..c.context * kv];
    let values = &mut run.values[layer * c.context * kv..][..c.context * kv];
    norm_and_quantise(work, &block.attention_norm, c, n);
    let Work { integers, steps, sums, queries, attended, scores, .. } = work;
    let input = &integers[..n * c.width];
    let new = group.start * kv..(group.start + n) * kv;
    product(&block.query, kernels, input, steps, sums, &mut queries[..n * c.query_size()]);
    product(&block.key, kernels, input, steps, sums, &mut keys[new.clone()]);
    product(&block.value, kernels, input, steps, sums, &mut values[new.clone()]);
    for i in 0..n {
        let angles = group.position(i) * half..(group.position(i) + 1) * half;
        let (cos, sin) = (&run.cos[angles.clone()], &run.sin[angles]);
        let key = &mut keys[(group.start + i) * kv..][..kv];
        let query = &mut queries[i * c.query_size()..][..c.query_size()];
        for head in key.chunks_exact_mut(c.head_size).chain(query.chunks_exact_mut(c.head_size)) {
            rotate(head, cos, sin);
        }
    }
    for i in 0..n {
        let seen = group.visible(i);
        for head in 0..c.heads {
            let at = i * c.query_size() + head * c.head_size;
            let shared = head / (c.heads / c.kv_heads) * c.head_size;
            attend(
                &mut attended[at..at + c.head_size],
                &queries[at..at + c.head_size],
                keys[..seen * kv].chunks_exact(kv).map(|k| &k[shared..shared + c.head_size]),
                values[..seen * kv].chunks_exact(kv).map(|v| &v[shared..shared + c.head_size]),
                &mut scores[..seen],
            );
        }
    }
    quantise_rows(integers, steps, &attended[..n * c.query_size()], c.query_size());
    add_product(&block.attention_out, &block.attention_scale, kernels, work, n);
}

fn feed_forward(block: &Block, c: &Config, kernels: &Kernels, work: &mut Work, n: usize) {
    norm_and_quantise(work, &block.feed_forward_norm, c, n);
    let Work { integers, steps, sums, gate, up, .. } = work;
    let size = n * c.feed_forward;
    product(&block.gate, kernels, &integers[..n * c.width], steps, sums, &mut gate[..size]);
    product(&block.up, kernels, &integers[..n * c.width], steps, sums, &mut up[..size]);
    swiglu(&mut gate[..size], &up[..size]);
    quantise_rows(integers, steps, &gate[..size], c.feed_forward);
    add_product(&block.down, &block.feed_forward_scale, kernels, work, n);
}

/// Norms each state and rounds it to integers.
fn norm_and_quantise(work: &mut Work, gain: &[f32], c: &Config, n: usize) {
    for i in 0..n {
        let row = i * c.width..(i + 1) * c.width;
        rms_norm(&mut work.normed, &work.states[row.clone()], gain, c.norm_epsilon);
        work.steps[i] = quantise(&mut work.integers[row], &work.normed);
    }
}

/// Rounds rows of `width` numbers to integers.
fn quantise_rows(integers: &mut [i8], steps: &mut [f32], x: &[f32], width: usize) {
    let rows = integers.chunks_exact_mut(width).zip(x.chunks_exact(width));
    for ((integers, x), step) in rows.zip(steps) {
        *step = quantise(integers, x);
    }
}

/// `out = matrix · input` for each token.
fn product(
    matrix: &Linear,
    kernels: &Kernels,
    input: &[i8],
    steps: &[f32],
    sums: &mut [i32],
    out: &mut [f32],
) {
    let n = input.len() / matrix.inputs;
    let sums = &mut sums[..n * matrix.outputs];
    (kernels.ternary.matmul)(sums, &matrix.codes, input, n);
    let rows = sums.chunks_exact(matrix.outputs).zip(out.chunks_exact_mut(matrix.outputs));
    for ((sums, out), step) in rows.zip(steps) {
        let worth = matrix.scale * step;
        for (out, &sum) in out.iter_mut().zip(sums) {
            *out = sum as f32 * worth;
        }
    }
}

/// `states += scale · (matrix · integers)` for each token.
fn add_product(matrix: &Linear, scale: &[f32], kernels: &Kernels, work: &mut Work, n: usize) {
    let sums = &mut work.sums[..n * matrix.outputs];
    (kernels.ternary.matmul)(sums, &matrix.codes, &work.integers[..n * matrix.inputs], n);
    let rows = sums.chunks_exact(matrix.outputs).zip(work.states.chunks_exact_mut(matrix.outputs));
    for ((sums, states), step) in rows.zip(&work.steps) {
        let worth = matrix.scale * step;
        for ((state, &sum), scale) in states.iter_mut().zip(sums).zip(scale) {
            *state += scale * (sum as f32 * worth);
        }
    }
}

/// The score of one move token after the last token.
pub(crate) fn logit(w: &Weights, state: &[f32], token: Token) -> f32 {
    let (width, row) = (state.len(), usize::from(token));
    let score = match w.policy.as_ref().unwrap_or(&w.embedding) {
        Table::Floats(floats) => dot(state, &floats[row * width..][..width]),
        Table::Bytes(bytes, scale) => {
            // In groups of one register, so that the bytes need no memory of their own.
            let mut lanes = [0.0; 16];
            let groups = state.as_chunks::<16>().0.iter().zip(bytes[row * width..].as_chunks().0);
            for (state, bytes) in groups {
                let bytes: &[i8; 16] = bytes;
                for i in 0..16 {
                    lanes[i] += state[i] * f32::from(bytes[i]);
                }
            }
            dot(&lanes, &[1.0; 16]) * scale
        }
    };
    score + w.policy_bias.as_ref().map_or(0.0, |bias| bias[row])
}
