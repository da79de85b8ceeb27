//! The GGUF reader: what is written comes back, and a file that lies is refused with its reason.

use bitnet::gguf::{Gguf, Problem, TensorType, Value, Writer, encode_ternary, seal, verify};
use bitnet::synthetic::random_file;
use bitnet::{Config, Model};

/// The smallest sizes a model may have.
const SMALL: Config = Config {
    layers: 1,
    width: 256,
    heads: 4,
    kv_heads: 2,
    head_size: 64,
    feed_forward: 256,
    context: 40,
    moves: 6,
    rope_base: 100.0,
    norm_epsilon: 1e-5,
};

fn sample() -> Vec<u8> {
    let mut file = Writer::default();
    file.set("general.architecture", Value::String("test"));
    file.set("count", Value::U32(7));
    file.set("yes", Value::Bool(true));
    let numbers = [1i16, -2, 3].map(i16::to_le_bytes).concat();
    let array = bitnet::gguf::Array { kind: bitnet::gguf::Kind::I16, len: 3, bytes: &numbers };
    file.set("numbers", Value::Array(array));
    file.tensor(
        "first",
        TensorType::F32,
        &[3],
        &[1.5f32, -2.0, 0.25].map(f32::to_le_bytes).concat(),
    );
    file.tensor(
        "second",
        TensorType::Tq2,
        &[256, 2],
        &encode_ternary(TensorType::Tq2, &[1; 512], 0.5),
    );
    file.to_bytes()
}

/// Where `needle` begins in `file`.
fn find(file: &[u8], needle: &[u8]) -> usize {
    file.windows(needle.len()).position(|window| window == needle).expect("the needle is there")
}

#[test]
fn what_is_written_comes_back() {
    let bytes = sample();
    let file = Gguf::parse(&bytes).unwrap();
    assert_eq!((file.version, file.alignment), (3, 32));
    assert_eq!(file.value("count"), Some(&Value::U32(7)));
    assert_eq!(file.value("yes"), Some(&Value::Bool(true)));
    assert_eq!(file.value("general.architecture"), Some(&Value::String("test")));
    assert!(
        matches!(file.value("numbers"), Some(Value::Array(a)) if a.len == 3 && a.bytes.len() == 6)
    );
    assert_eq!(file.value("other"), None);
    let second = file.tensor("second").unwrap();
    assert_eq!((second.kind, &second.shape[..]), (TensorType::Tq2, &[256, 2][..]));
    assert_eq!(second.data, encode_ternary(TensorType::Tq2, &[1; 512], 0.5));
    assert_eq!(file.tensor("third").unwrap_err().problem, Problem::Missing);
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = sample();
    // The padding after the last tensor may be missing.
    let end = bytes.len() - 28;
    for length in 0..end {
        let error = Gguf::parse(&bytes[..length]).expect_err("a cut file must be refused");
        if length > find(&bytes, b"second") + 40 {
            assert!(error.to_string().contains("tensor `"), "{length}: {error}");
        }
    }
    assert!(Gguf::parse(&bytes[..end]).is_ok());
}

/// Overwrites the bytes `offset` after the first `needle` and gives the message of the reader.
fn message(needle: &[u8], offset: usize, new: &[u8]) -> String {
    let mut bytes = sample();
    let at = find(&bytes, needle) + offset;
    bytes[at..at + new.len()].copy_from_slice(new);
    Gguf::parse(&bytes).expect_err("a lying file must be refused").to_string()
}

#[test]
fn lies_are_named() {
    let huge = u64::MAX.to_le_bytes();
    let big = (1u64 << 40).to_le_bytes();
    for (needle, offset, new, expected) in [
        (&b"GGUF"[..], 0, &b"GGML"[..], "begins with \"GGUF\""),
        (b"GGUF", 4, &[4], "version 2 or 3, got 4"),
        (b"GGUF", 4, &[0, 0, 0, 3], "little-endian"),
        (b"GGUF", 8, &huge, "number of tensors"),
        (b"GGUF", 16, &big, "number of keys"),
        (b"general.arch", 0, &[0xFF], "key number 0: expected UTF-8"),
        (b"count", 5, &[77], "key `count`: expected a value type of 0 to 12, got 77"),
        (b"yes", 7, &[2], "key `yes`: expected a boolean, 0 or 1, got 2"),
        (b"numbers", 11, &[9], "key `numbers`: expected plain values"),
        (b"numbers", 15, &huge, "key `numbers`: expected"),
        (b"first", 5, &[0], "tensor `first`: expected one to four dimensions"),
        (b"first", 5, &[5], "tensor `first`: expected one to four dimensions"),
        (b"first", 9, &[0], "tensor `first`: expected one to four dimensions above zero, got [0]"),
        (b"first", 9, &huge, "tensor `first`"),
        (b"first", 9, &big, "tensor `first`: expected 4398046511104 more bytes"),
        (b"first", 17, &[2], "tensor `first`: expected F32 (0)"),
        (
            b"second",
            10,
            &[255, 0],
            "tensor `second`: expected rows of a multiple of 256 numbers, got 255",
        ),
        (
            b"second",
            30,
            &[33],
            "tensor `second`: expected an offset that is a multiple of 32, got 33",
        ),
        (b"second", 30, &[0], "overlaps"),
        (b"second", 30, &big, "tensor `second`: expected 132 more bytes"),
    ] {
        let message = message(needle, offset, new);
        assert!(message.contains(expected), "expected \"{expected}\" in \"{message}\"");
    }
}

#[test]
fn two_of_a_name_are_refused() {
    let mut file = Writer::default();
    file.set("a", Value::U8(1));
    file.set("a", Value::U8(2));
    let error = Gguf::parse(&file.to_bytes()).unwrap_err();
    assert_eq!(error.problem, Problem::Duplicate);
}

#[test]
fn alignment_must_be_a_power_of_two() {
    for (value, good) in [(64, true), (1, true), (0, false), (48, false)] {
        let mut file = Writer::default();
        file.set("general.alignment", Value::U32(value));
        assert_eq!(Gguf::parse(&file.to_bytes()).is_ok(), good, "{value}");
    }
}

#[test]
fn changed_bytes_never_panic() {
    let bytes = sample();
    for at in 0..bytes.len() {
        for new in [0, 1, 0x7F, 0x80, 0xFF, bytes[at] ^ 4] {
            let mut changed = bytes.clone();
            changed[at] = new;
            // An answer of either kind is right; only a panic or a hang would be wrong.
            let _ = Gguf::parse(&changed);
        }
    }
}

#[test]
fn a_model_without_or_with_a_wrong_part_is_refused_by_name() {
    let good = random_file(&SMALL, TensorType::Tq1, 3);
    let load = |bytes: &[u8]| Model::from_bytes(bytes, simd::kernels()).map(|_| ());
    assert_eq!(load(&good), Ok(()));
    for (needle, new, expected) in [
        (&b"blk.0.ffn_up.weight"[..], &b"blk.0.ffn_xx.weight"[..], "tensor `blk.0.ffn_up.weight`"),
        (b"brier.block_count", b"brier.block_xxxxx", "key `brier.block_count`: expected it"),
        (
            b"\x05\0\0\0\0\0\0\0brier",
            b"\x05\0\0\0\0\0\0\0llama",
            "expected \"brier\", got \"llama\"",
        ),
    ] {
        let mut bytes = good.clone();
        let at = find(&bytes, needle);
        bytes[at..at + new.len()].copy_from_slice(new);
        let message = load(&bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "expected \"{expected}\" in \"{message}\"");
    }
    // The key and its type take 4 bytes after the name; the value follows.
    for (key, value, expected) in [
        ("brier.block_count", 2u32, "tensor `blk.1.attn_norm.weight`: expected it in the file"),
        ("brier.block_count", 0, "expected a multiple of 1 from 1 to 256, got 0"),
        ("brier.embedding_length", 512, "expected dimensions"),
        ("brier.embedding_length", 300, "expected a multiple of 256"),
        ("brier.attention.head_count_kv", 3, "a divisor of 4 heads"),
        ("brier.context_length", 1 << 30, "from 34 to 4096"),
        ("brier.rope.freq_base", f32::NAN.to_bits(), "expected a float from 1"),
        ("brier.vocab_size", 100, "from 4608 to 4608, got 100"),
    ] {
        let mut bytes = good.clone();
        let at = find(&bytes, key.as_bytes()) + key.len();
        // `head_count` is also the beginning of `head_count_kv`; all keys here are whole.
        bytes[at + 4..at + 8].copy_from_slice(&value.to_le_bytes());
        let message = load(&bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "{key}: expected \"{expected}\" in \"{message}\"");
    }
}

#[test]
fn a_number_that_is_not_finite_is_refused() {
    let good = random_file(&SMALL, TensorType::Tq2, 3);
    let file = Gguf::parse(&good).unwrap();
    let data = file.tensor("output_norm.weight").unwrap().data;
    let at = data.as_ptr() as usize - good.as_ptr() as usize;
    let mut bytes = good.clone();
    bytes[at..at + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let error = Model::from_bytes(&bytes, simd::kernels()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "tensor `output_norm.weight`: expected finite numbers, got inf");
}

#[test]
fn a_missing_or_empty_file_is_refused() {
    let error = Model::load("no/such/file.gguf".as_ref(), simd::kernels()).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("file `no/such/file.gguf`"), "{error}");
    let path = std::env::temp_dir().join(format!("brier-empty-{}.gguf", std::process::id()));
    std::fs::write(&path, []).unwrap();
    let error = Model::load(&path, simd::kernels()).map(|_| ()).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert!(error.to_string().contains("expected 4 more bytes"), "{error}");
}

#[test]
fn a_model_with_a_single_damaged_byte_is_refused() {
    let good = random_file(&SMALL, TensorType::Tq1, 3);
    let load = |bytes: &[u8]| Model::from_bytes(bytes, simd::kernels()).map(|_| ());
    assert_eq!(load(&good), Ok(()));
    for part in 0..150 {
        let mut bytes = good.clone();
        let at = part * (bytes.len() - 1) / 149;
        bytes[at] ^= 1 << (part % 8);
        assert!(load(&bytes).is_err(), "byte {at} of {} changed", bytes.len());
    }
}

#[test]
fn a_file_is_sealed_once_and_again() {
    let plain = sample();
    assert_eq!(verify(&plain).unwrap_err().problem, Problem::Missing);
    let sealed = seal(&plain).unwrap();
    verify(&sealed).unwrap();
    assert_eq!(seal(&sealed).unwrap(), sealed);
    let (before, after) = (Gguf::parse(&plain).unwrap(), Gguf::parse(&sealed).unwrap());
    assert_eq!(before.metadata[..], after.metadata[1..]);
    for (old, new) in before.tensors.iter().zip(&after.tensors) {
        assert_eq!((old.name, &old.shape, old.data), (new.name, &new.shape, new.data));
    }
}
