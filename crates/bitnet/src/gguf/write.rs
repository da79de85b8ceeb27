//! Making a file.

use std::io::{self, Write};

use super::{DEFAULT_ALIGNMENT, Kind, MAGIC, TensorType, VERSION, Value};

/// Collects metadata and tensors and writes them as one file.
#[derive(Default)]
pub struct Writer {
    metadata: Vec<u8>,
    pairs: u64,
    headings: Vec<u8>,
    tensors: u64,
    data: Vec<u8>,
}

impl Writer {
    /// Adds a key with its value. Keys must differ.
    pub fn set(&mut self, key: &str, value: Value<'_>) {
        put_text(&mut self.metadata, key);
        self.metadata.extend((value.kind() as u32).to_le_bytes());
        put_value(&mut self.metadata, value);
        self.pairs += 1;
    }

    /// Adds a tensor, rows of `shape[0]` numbers each. Names must differ.
    ///
    /// # Panics
    /// If `data` is not as long as type and shape ask for.
    pub fn tensor(&mut self, name: &str, kind: TensorType, shape: &[u64], data: &[u8]) {
        let (block, size) = kind.block();
        let count: u64 = shape.iter().product();
        assert_eq!(data.len() as u64, count / block as u64 * size as u64, "tensor `{name}`");
        put_text(&mut self.headings, name);
        self.headings.extend((shape.len() as u32).to_le_bytes());
        self.headings.extend(shape.iter().flat_map(|n| n.to_le_bytes()));
        self.headings.extend(kind.code().to_le_bytes());
        self.headings.extend((self.data.len() as u64).to_le_bytes());
        self.data.extend_from_slice(data);
        self.data.resize(self.data.len().next_multiple_of(DEFAULT_ALIGNMENT), 0);
        self.tensors += 1;
    }

    /// Writes the file.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut head = Vec::from(MAGIC);
        head.extend(VERSION.to_le_bytes());
        head.extend(self.tensors.to_le_bytes());
        head.extend(self.pairs.to_le_bytes());
        head.extend_from_slice(&self.metadata);
        head.extend_from_slice(&self.headings);
        head.resize(head.len().next_multiple_of(DEFAULT_ALIGNMENT), 0);
        out.write_all(&head)?;
        out.write_all(&self.data)
    }

    /// The file as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes).expect("writing to memory does not fail");
        bytes
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn put_value(out: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::U8(v) => out.extend(v.to_le_bytes()),
        Value::I8(v) => out.extend(v.to_le_bytes()),
        Value::U16(v) => out.extend(v.to_le_bytes()),
        Value::I16(v) => out.extend(v.to_le_bytes()),
        Value::U32(v) => out.extend(v.to_le_bytes()),
        Value::I32(v) => out.extend(v.to_le_bytes()),
        Value::F32(v) => out.extend(v.to_le_bytes()),
        Value::Bool(v) => out.push(v.into()),
        Value::String(v) => put_text(out, v),
        Value::Array(v) => {
            debug_assert!(v.kind != Kind::Array);
            out.extend((v.kind as u32).to_le_bytes());
            out.extend(v.len.to_le_bytes());
            out.extend_from_slice(v.bytes);
        }
        Value::U64(v) => out.extend(v.to_le_bytes()),
        Value::I64(v) => out.extend(v.to_le_bytes()),
        Value::F64(v) => out.extend(v.to_le_bytes()),
    }
}
