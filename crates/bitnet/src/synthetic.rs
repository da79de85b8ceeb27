//! Models of any size with random weights: to measure speed, and to test what no trained file has.

use chess::Rng;

use crate::config::{ARCHITECTURE, Config};
use crate::gguf::{TensorType, Value, Writer, encode_ternary, seal};
use crate::tokens::VOCAB;

/// The file of a model with random ternary weights stored as `kind` and unit gains. The same
/// `seed` gives the same file.
///
/// # Panics
/// If `kind` is not ternary.
pub fn random_file(c: &Config, kind: TensorType, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut file = Writer::default();
    file.set("general.architecture", Value::String(ARCHITECTURE));
    for (key, value) in c.metadata() {
        file.set(&format!("{ARCHITECTURE}.{key}"), value);
    }
    let bytes: Vec<u8> = (0..VOCAB * c.width).map(|_| rng.next_u64() as u8).collect();
    file.tensor("token_embd.weight", TensorType::I8, &[c.width as u64, VOCAB as u64], &bytes);
    put_floats(&mut file, "token_embd.scale", &[1.0 / 1024.0]);
    for layer in 0..c.layers {
        let name = |part| format!("blk.{layer}.{part}.weight");
        let matrices = [
            ("attn_q", c.width, c.query_size()),
            ("attn_k", c.width, c.kv_size()),
            ("attn_v", c.width, c.kv_size()),
            ("attn_output", c.query_size(), c.width),
            ("ffn_gate", c.width, c.feed_forward),
            ("ffn_up", c.width, c.feed_forward),
            ("ffn_down", c.feed_forward, c.width),
        ];
        for (part, inputs, outputs) in matrices {
            let weights: Vec<i8> = (0..inputs * outputs).map(|_| rng.below(3) as i8 - 1).collect();
            // Keeps the size of states about the same from layer to layer.
            let data = encode_ternary(kind, &weights, 1.0 / (inputs as f32).sqrt());
            file.tensor(&name(part), kind, &[inputs as u64, outputs as u64], &data);
        }
        for part in ["attn_norm", "attn_scale", "ffn_norm", "ffn_scale"] {
            put_floats(&mut file, &name(part), &vec![1.0; c.width]);
        }
    }
    put_floats(&mut file, "output_norm.weight", &vec![1.0; c.width]);
    seal(&file.to_bytes()).expect("a file just written can be read")
}

fn put_floats(file: &mut Writer, name: &str, values: &[f32]) {
    let data: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    file.tensor(name, TensorType::F32, &[values.len() as u64], &data);
}
