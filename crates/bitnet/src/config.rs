//! The sizes of a model, as its file states them.

use crate::gguf::{Gguf, GgufError, Problem, Value};
use crate::tokens::VOCAB;

/// The architecture name that our files carry and the keys begin with.
pub const ARCHITECTURE: &str = "brier";

/// Pieces of a full board.
const PIECES: u64 = 32;

/// Every size of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Blocks of attention and feed-forward.
    pub layers: usize,
    /// Numbers of a token's state.
    pub width: usize,
    /// Query heads.
    pub heads: usize,
    /// Heads of keys and values, each shared by several query heads.
    pub kv_heads: usize,
    /// Numbers of a head.
    pub head_size: usize,
    /// Numbers between the two halves of the feed-forward part.
    pub feed_forward: usize,
    /// Most tokens of a sequence.
    pub context: usize,
    /// Most moves after the position before it is better to begin anew: as many as the model saw
    /// when it was trained.
    pub moves: usize,
    /// Base of the angles that tell positions apart.
    pub rope_base: f32,
    /// Added to mean squares before the root.
    pub norm_epsilon: f32,
}

impl Config {
    /// The size of the document this model follows: the one that speed is measured with.
    pub const REFERENCE: Config = Config {
        layers: 12,
        width: 512,
        heads: 8,
        kv_heads: 2,
        head_size: 64,
        feed_forward: 1536,
        context: 256,
        moves: 64,
        rope_base: 10_000.0,
        norm_epsilon: 1e-5,
    };

    /// Numbers of all query heads together.
    pub const fn query_size(&self) -> usize {
        self.heads * self.head_size
    }

    /// Numbers of all key heads together, and of all value heads.
    pub const fn kv_size(&self) -> usize {
        self.kv_heads * self.head_size
    }

    /// Ternary weights of the whole model.
    pub const fn ternary_weights(&self) -> usize {
        let attention = 2 * self.width * (self.query_size() + self.kv_size());
        self.layers * (attention + 3 * self.width * self.feed_forward)
    }

    /// Reads and checks the sizes.
    pub fn read(file: &Gguf<'_>) -> Result<Config, GgufError> {
        const NAME: &str = "general.architecture";
        match file.value(NAME) {
            Some(Value::String(ARCHITECTURE)) => {}
            Some(other) => {
                let (expected, got) = (format!("\"{ARCHITECTURE}\""), format!("\"{other}\""));
                return Err(GgufError::key(NAME, Problem::Range { expected, got }));
            }
            None => return Err(GgufError::key(NAME, Problem::Missing)),
        }
        let vocabulary = VOCAB as u64;
        count(file, "vocab_size", vocabulary, vocabulary, 1)?;
        let heads = count(file, "attention.head_count", 1, 256, 1)?;
        let kv_heads = count(file, "attention.head_count_kv", 1, heads as u64, 1)?;
        let config = Config {
            layers: count(file, "block_count", 1, 256, 1)?,
            // Rows of ternary tensors are whole blocks of 256.
            width: count(file, "embedding_length", 256, 16_384, 256)?,
            heads,
            kv_heads,
            head_size: count(file, "attention.key_length", 16, 512, 16)?,
            feed_forward: count(file, "feed_forward_length", 256, 65_536, 256)?,
            context: count(file, "context_length", PIECES + 2, 4096, 1)?,
            moves: 0,
            rope_base: float(file, "rope.freq_base", 1.0, 1e9)?,
            norm_epsilon: float(file, "attention.layer_norm_rms_epsilon", 1e-12, 1e-1)?,
        };
        let most = config.context as u64 - PIECES - 1;
        let config = Config { moves: count(file, "policy.moves", 0, most, 1)?, ..config };
        if !config.heads.is_multiple_of(config.kv_heads) {
            let expected = format!("a divisor of {} heads", config.heads);
            return Err(range("attention.head_count_kv", expected, config.kv_heads.to_string()));
        }
        if !config.query_size().is_multiple_of(256) {
            let expected = "heads that make a multiple of 256".into();
            return Err(range("attention.key_length", expected, config.query_size().to_string()));
        }
        Ok(config)
    }

    /// The metadata of a file with these sizes, as (key without the architecture, value).
    pub fn metadata(&self) -> [(&'static str, Value<'static>); 11] {
        let count = |n: usize| Value::U32(n as u32);
        [
            ("vocab_size", count(VOCAB)),
            ("context_length", count(self.context)),
            ("embedding_length", count(self.width)),
            ("block_count", count(self.layers)),
            ("feed_forward_length", count(self.feed_forward)),
            ("attention.head_count", count(self.heads)),
            ("attention.head_count_kv", count(self.kv_heads)),
            ("attention.key_length", count(self.head_size)),
            ("attention.layer_norm_rms_epsilon", Value::F32(self.norm_epsilon)),
            ("rope.freq_base", Value::F32(self.rope_base)),
            ("policy.moves", count(self.moves)),
        ]
    }
}

fn value<'a, 'f>(file: &'f Gguf<'a>, key: &str) -> Result<&'f Value<'a>, GgufError> {
    let key = format!("{ARCHITECTURE}.{key}");
    file.value(&key).ok_or_else(|| GgufError::key(&key, Problem::Missing))
}

fn range(key: &str, expected: String, got: String) -> GgufError {
    GgufError::key(&format!("{ARCHITECTURE}.{key}"), Problem::Range { expected, got })
}

fn count(
    file: &Gguf<'_>,
    key: &str,
    least: u64,
    most: u64,
    multiple: u64,
) -> Result<usize, GgufError> {
    let value = value(file, key)?;
    match value.as_count() {
        Some(n) if (least..=most).contains(&n) && n.is_multiple_of(multiple) => Ok(n as usize),
        _ => {
            let expected = format!("a multiple of {multiple} from {least} to {most}");
            Err(range(key, expected, value.to_string()))
        }
    }
}

fn float(file: &Gguf<'_>, key: &str, least: f64, most: f64) -> Result<f32, GgufError> {
    let value = value(file, key)?;
    match value.as_float() {
        Some(x) if (least..=most).contains(&x) => Ok(x as f32),
        _ => Err(range(key, format!("a float from {least} to {most}"), value.to_string())),
    }
}
