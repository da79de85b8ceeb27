//! The tensors of a model, taken from its file into the forms the kernels read.

use simd::ternary::pack_codes;

use crate::config::Config;
use crate::gguf::{
    Gguf, GgufError, Problem, Tensor, TensorType, TernaryError, decode_ternary, f16_to_f32,
};
use crate::tokens::VOCAB;

/// A ternary matrix with one scale.
pub(crate) struct Linear {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) scale: f32,
    /// As [`simd::ternary`] lays them out.
    pub(crate) codes: Vec<u8>,
}

/// One block: attention, then feed-forward.
pub(crate) struct Block {
    pub(crate) attention_norm: Vec<f32>,
    pub(crate) query: Linear,
    pub(crate) key: Linear,
    pub(crate) value: Linear,
    pub(crate) attention_out: Linear,
    pub(crate) attention_scale: Vec<f32>,
    pub(crate) feed_forward_norm: Vec<f32>,
    pub(crate) gate: Linear,
    pub(crate) up: Linear,
    pub(crate) down: Linear,
    pub(crate) feed_forward_scale: Vec<f32>,
}

/// One vector per token, as stored.
pub(crate) enum Table {
    /// Bytes in units of one scale.
    Bytes(Vec<i8>, f32),
    /// Floats.
    Floats(Vec<f32>),
}

/// All tensors of a model.
pub(crate) struct Weights {
    pub(crate) embedding: Table,
    pub(crate) blocks: Vec<Block>,
    pub(crate) norm: Vec<f32>,
    /// The vectors that score moves, if they are not those of the embedding.
    pub(crate) policy: Option<Table>,
    pub(crate) policy_bias: Option<Vec<f32>>,
}

impl Table {
    /// `out = row`.
    pub(crate) fn copy_row(&self, row: usize, out: &mut [f32]) {
        let width = out.len();
        match self {
            Table::Bytes(bytes, scale) => {
                for (out, &byte) in out.iter_mut().zip(&bytes[row * width..]) {
                    *out = f32::from(byte) * scale;
                }
            }
            Table::Floats(floats) => out.copy_from_slice(&floats[row * width..][..width]),
        }
    }
}

impl Weights {
    /// Takes all tensors from a file whose sizes are known.
    pub(crate) fn load(file: &Gguf<'_>, c: &Config) -> Result<Weights, GgufError> {
        let blocks =
            (0..c.layers).map(|layer| load_block(file, c, layer)).collect::<Result<_, _>>()?;
        let policy = match has(file, "output.weight") {
            true => Some(load_table(file, "output", c.width)?),
            false => None,
        };
        let policy_bias = match has(file, "output.bias") {
            true => Some(floats(file, "output.bias", &[VOCAB])?),
            false => None,
        };
        Ok(Weights {
            embedding: load_table(file, "token_embd", c.width)?,
            blocks,
            norm: floats(file, "output_norm.weight", &[c.width])?,
            policy,
            policy_bias,
        })
    }

    /// Bytes of all ternary matrices as they lie in memory.
    pub(crate) fn ternary_bytes(&self) -> usize {
        let matrices = self.blocks.iter().flat_map(Block::matrices);
        matrices.map(|matrix| matrix.codes.len()).sum()
    }
}

impl Block {
    pub(crate) fn matrices(&self) -> [&Linear; 7] {
        let Block { query, key, value, attention_out, gate, up, down, .. } = self;
        [query, key, value, attention_out, gate, up, down]
    }
}

fn load_block(file: &Gguf<'_>, c: &Config, layer: usize) -> Result<Block, GgufError> {
    let name = |part: &str| format!("blk.{layer}.{part}.weight");
    let vector = |part| floats(file, &name(part), &[c.width]);
    let matrix = |part, inputs, outputs| ternary(file, &name(part), inputs, outputs);
    Ok(Block {
        attention_norm: vector("attn_norm")?,
        query: matrix("attn_q", c.width, c.query_size())?,
        key: matrix("attn_k", c.width, c.kv_size())?,
        value: matrix("attn_v", c.width, c.kv_size())?,
        attention_out: matrix("attn_output", c.query_size(), c.width)?,
        attention_scale: vector("attn_scale")?,
        feed_forward_norm: vector("ffn_norm")?,
        gate: matrix("ffn_gate", c.width, c.feed_forward)?,
        up: matrix("ffn_up", c.width, c.feed_forward)?,
        down: matrix("ffn_down", c.feed_forward, c.width)?,
        feed_forward_scale: vector("ffn_scale")?,
    })
}

fn has(file: &Gguf<'_>, name: &str) -> bool {
    file.tensors.iter().any(|tensor| tensor.name == name)
}

/// The tensor of a name, if it has the expected shape.
fn shaped<'a, 'f>(
    file: &'f Gguf<'a>,
    name: &str,
    shape: &[usize],
) -> Result<&'f Tensor<'a>, GgufError> {
    let tensor = file.tensor(name)?;
    let expected: Vec<u64> = shape.iter().map(|&n| n as u64).collect();
    if tensor.shape != expected {
        let got = tensor.shape.clone();
        return Err(GgufError::tensor(name, Problem::Shape { expected, got }));
    }
    Ok(tensor)
}

fn wrong_type(tensor: &Tensor<'_>, expected: &str) -> GgufError {
    let (expected, got) = (expected.into(), tensor.kind.name().into());
    GgufError::tensor(tensor.name, Problem::Type { expected, got })
}

/// A tensor of floats, all finite.
fn floats(file: &Gguf<'_>, name: &str, shape: &[usize]) -> Result<Vec<f32>, GgufError> {
    let tensor = shaped(file, name, shape)?;
    let values: Vec<f32> = match tensor.kind {
        TensorType::F32 => {
            let chunks = tensor.data.as_chunks().0;
            chunks.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        }
        TensorType::F16 => {
            let chunks = tensor.data.as_chunks().0;
            chunks.iter().map(|&bytes| f16_to_f32(u16::from_le_bytes(bytes))).collect()
        }
        _ => return Err(wrong_type(tensor, "F32 or F16")),
    };
    match values.iter().find(|x| !x.is_finite()) {
        None => Ok(values),
        Some(x) => {
            let (expected, got) = ("finite numbers".into(), x.to_string());
            Err(GgufError::tensor(name, Problem::Range { expected, got }))
        }
    }
}

/// A table of vectors: floats, or bytes with the scale in a tensor beside it.
fn load_table(file: &Gguf<'_>, name: &str, width: usize) -> Result<Table, GgufError> {
    let weight = format!("{name}.weight");
    let tensor = shaped(file, &weight, &[width, VOCAB])?;
    if tensor.kind != TensorType::I8 {
        return match floats(file, &weight, &[width, VOCAB]) {
            Ok(values) => Ok(Table::Floats(values)),
            Err(GgufError { problem: Problem::Type { .. }, .. }) => {
                Err(wrong_type(tensor, "I8, F16 or F32"))
            }
            Err(other) => Err(other),
        };
    }
    let scale = floats(file, &format!("{name}.scale"), &[1])?[0];
    Ok(Table::Bytes(tensor.data.iter().map(|&byte| byte as i8).collect(), scale))
}

/// A ternary matrix.
fn ternary(
    file: &Gguf<'_>,
    name: &str,
    inputs: usize,
    outputs: usize,
) -> Result<Linear, GgufError> {
    let tensor = shaped(file, name, &[inputs, outputs])?;
    if !matches!(tensor.kind, TensorType::Tq1 | TensorType::Tq2) {
        return Err(wrong_type(tensor, "TQ1_0 or TQ2_0"));
    }
    let mut weights = Vec::with_capacity(inputs * outputs);
    let scale = decode_ternary(tensor.kind, tensor.data, |block| weights.extend_from_slice(block))
        .map_err(|error| {
            let (expected, got) = match error {
                TernaryError::Code { block } => {
                    ("ternary codes of 0 to 2".into(), format!("a 3 in block {block}"))
                }
                TernaryError::Scale { block, expected: Some(scale), got } => {
                    (format!("the scale {scale} in all blocks"), format!("{got} in block {block}"))
                }
                TernaryError::Scale { block, expected: None, got } => {
                    ("a scale above zero".into(), format!("{got} in block {block}"))
                }
            };
            GgufError::tensor(name, Problem::Range { expected, got })
        })?;
    Ok(Linear { inputs, outputs, scale, codes: pack_codes(&weights, inputs) })
}
