//! Reading a file that lies in memory.

use std::collections::HashSet;

use super::{
    Array, CHECKSUM, DEFAULT_ALIGNMENT, GgufError, Kind, MAGIC, MAX_DIMENSIONS, MAX_NAME, Problem,
    TensorType, Value,
};

/// A checked file: metadata and tensors, in the order of the file.
#[derive(Debug)]
pub struct Gguf<'a> {
    /// 2 or 3.
    pub version: u32,
    /// Tensor data begins at multiples of this.
    pub alignment: usize,
    /// Keys and values.
    pub metadata: Vec<(&'a str, Value<'a>)>,
    /// Names, shapes and data.
    pub tensors: Vec<Tensor<'a>>,
}

/// One tensor of a file.
#[derive(Clone, Debug)]
pub struct Tensor<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type.
    pub kind: TensorType,
    /// Its dimensions, the length of a row first.
    pub shape: Vec<u64>,
    /// Its numbers, exactly as many bytes as type and shape ask for.
    pub data: &'a [u8],
}

/// Where the parts of a file lie, for those who change or check it.
pub(super) struct Layout {
    /// The eight bytes of the checksum's value.
    pub(super) checksum: Option<usize>,
    /// Where the description of the tensors ends.
    pub(super) headings_end: usize,
    /// Where their data begins.
    pub(super) data_start: usize,
}

/// Longest key the format allows.
const MAX_KEY: usize = 65_535;

type Metadata<'a> = (Vec<(&'a str, Value<'a>)>, Option<usize>);

/// Least bytes of a key and value: an empty key, a type and one byte.
const MIN_PAIR: usize = 8 + 4 + 1;

/// Least bytes that describe a tensor: an empty name, one dimension, type and offset.
const MIN_TENSOR: usize = 8 + 4 + 8 + 4 + 8;

impl<'a> Gguf<'a> {
    /// Reads and checks a whole file.
    pub fn parse(file: &'a [u8]) -> Result<Gguf<'a>, GgufError> {
        Gguf::parse_with_layout(file).map(|(gguf, _)| gguf)
    }

    /// The same, and where the parts of the file lie.
    pub(super) fn parse_with_layout(file: &'a [u8]) -> Result<(Gguf<'a>, Layout), GgufError> {
        let mut bytes = Bytes { file, at: 0 };
        let header = |problem| GgufError::new("header", problem);
        let magic = bytes.array().map_err(header)?;
        if magic != MAGIC {
            return Err(header(Problem::Magic(magic)));
        }
        let version = bytes.u32().map_err(header)?;
        if !(2..=3).contains(&version) {
            return Err(header(Problem::Version(version)));
        }
        let tensors = bytes.u64().map_err(header)?;
        let pairs = bytes.u64().map_err(header)?;
        bytes.room_for(tensors, MIN_TENSOR).map_err(|p| GgufError::new("number of tensors", p))?;
        bytes.room_for(pairs, MIN_PAIR).map_err(|p| GgufError::new("number of keys", p))?;

        let (metadata, checksum) = read_metadata(&mut bytes, pairs)?;
        let alignment = read_alignment(&metadata)?;
        let headings = read_headings(&mut bytes, tensors)?;
        let headings_end = bytes.at;
        let data_start = headings_end.next_multiple_of(alignment).min(file.len());
        let tensors = place_tensors(headings, &file[data_start..], alignment)?;
        let gguf = Gguf { version, alignment, metadata, tensors };
        Ok((gguf, Layout { checksum, headings_end, data_start }))
    }

    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<&Value<'a>> {
        self.metadata.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The tensor of a name.
    pub fn tensor(&self, name: &str) -> Result<&Tensor<'a>, GgufError> {
        let found = self.tensors.iter().find(|tensor| tensor.name == name);
        found.ok_or_else(|| GgufError::tensor(name, Problem::Missing))
    }
}

/// The keys and values, and where the checksum's value lies.
fn read_metadata<'a>(bytes: &mut Bytes<'a>, pairs: u64) -> Result<Metadata<'a>, GgufError> {
    let mut checksum = None;
    let mut metadata = Vec::with_capacity(pairs as usize);
    let mut seen = HashSet::new();
    for index in 0..pairs {
        let place = |problem| GgufError::new(format!("key number {index}"), problem);
        let key = bytes.text(MAX_KEY).map_err(place)?;
        let place = |problem| GgufError::key(key, problem);
        if !seen.insert(key) {
            return Err(place(Problem::Duplicate));
        }
        let kind = bytes.kind().map_err(place)?;
        if key == CHECKSUM && kind == Kind::U64 {
            checksum = Some(bytes.at);
        }
        metadata.push((key, bytes.value(kind).map_err(place)?));
    }
    Ok((metadata, checksum))
}

fn read_alignment(metadata: &[(&str, Value<'_>)]) -> Result<usize, GgufError> {
    const KEY: &str = "general.alignment";
    let Some((_, value)) = metadata.iter().find(|(name, _)| *name == KEY) else {
        return Ok(DEFAULT_ALIGNMENT);
    };
    let Some(alignment) = value.as_count() else {
        let (expected, got) = ("U32".into(), format!("{:?}", value.kind()));
        return Err(GgufError::key(KEY, Problem::Type { expected, got }));
    };
    if !alignment.is_power_of_two() || alignment >= 1 << 31 {
        return Err(GgufError::key(KEY, Problem::Alignment(alignment)));
    }
    Ok(alignment as usize)
}

/// What stands about a tensor before the data.
struct Heading<'a> {
    name: &'a str,
    kind: TensorType,
    shape: Vec<u64>,
    offset: u64,
    size: u64,
}

fn read_headings<'a>(bytes: &mut Bytes<'a>, count: u64) -> Result<Vec<Heading<'a>>, GgufError> {
    let mut headings = Vec::with_capacity(count as usize);
    let mut seen = HashSet::new();
    for index in 0..count {
        let place = |problem| GgufError::new(format!("tensor number {index}"), problem);
        let name = bytes.text(MAX_NAME).map_err(place)?;
        let place = |problem| GgufError::tensor(name, problem);
        if !seen.insert(name) {
            return Err(place(Problem::Duplicate));
        }
        headings.push(read_heading(bytes, name).map_err(place)?);
    }
    Ok(headings)
}

fn read_heading<'a>(bytes: &mut Bytes<'a>, name: &'a str) -> Result<Heading<'a>, Problem> {
    let dimensions = bytes.u32()? as usize;
    if dimensions == 0 || dimensions > MAX_DIMENSIONS {
        return Err(Problem::Dimensions(vec![0; dimensions.min(MAX_DIMENSIONS + 1)]));
    }
    let shape = (0..dimensions).map(|_| bytes.u64()).collect::<Result<Vec<_>, _>>()?;
    let code = bytes.u32()?;
    let kind = TensorType::from_code(code).ok_or(Problem::TensorType(code))?;
    let offset = bytes.u64()?;
    if shape.contains(&0) {
        return Err(Problem::Dimensions(shape));
    }
    let (block, block_size) = kind.block();
    if !shape[0].is_multiple_of(block as u64) {
        return Err(Problem::Row { got: shape[0], block });
    }
    let count = shape.iter().try_fold(1u64, |product, &n| product.checked_mul(n));
    let size = count.and_then(|n| (n / block as u64).checked_mul(block_size as u64));
    let size = size.ok_or_else(|| Problem::Dimensions(shape.clone()))?;
    Ok(Heading { name, kind, shape, offset, size })
}

fn place_tensors<'a>(
    headings: Vec<Heading<'a>>,
    data: &'a [u8],
    alignment: usize,
) -> Result<Vec<Tensor<'a>>, GgufError> {
    let mut order: Vec<&Heading<'_>> = headings.iter().collect();
    order.sort_by_key(|h| h.offset);
    for h in &order {
        if !h.offset.is_multiple_of(alignment as u64) {
            return Err(GgufError::tensor(h.name, Problem::Offset { got: h.offset, alignment }));
        }
        let left = (data.len() as u64).saturating_sub(h.offset);
        if h.size > left {
            return Err(GgufError::tensor(h.name, Problem::Truncated { needed: h.size, left }));
        }
    }
    for pair in order.windows(2) {
        // No overflow: both lie inside the data.
        if pair[0].offset + pair[0].size > pair[1].offset {
            return Err(GgufError::tensor(pair[1].name, Problem::Overlap(pair[0].name.into())));
        }
    }
    let place = |h: Heading<'a>| {
        let start = h.offset as usize;
        let data = &data[start..start + h.size as usize];
        Tensor { name: h.name, kind: h.kind, shape: h.shape, data }
    };
    Ok(headings.into_iter().map(place).collect())
}

/// A cursor that never passes the end.
struct Bytes<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn left(&self) -> usize {
        self.file.len() - self.at
    }

    /// Refuses a count whose smallest form would not fit in what is left.
    fn room_for(&self, count: u64, each: usize) -> Result<(), Problem> {
        let needed = count.saturating_mul(each as u64);
        let left = self.left() as u64;
        if needed > left { Err(Problem::Truncated { needed, left }) } else { Ok(()) }
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], Problem> {
        self.room_for(count, 1)?;
        let taken = &self.file[self.at..][..count as usize];
        self.at += taken.len();
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Problem> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, Problem> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Problem> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self, most: usize) -> Result<&'a str, Problem> {
        let len = self.u64()?;
        if len > most as u64 {
            return Err(Problem::Long { got: len, most });
        }
        str::from_utf8(self.take(len)?).map_err(|_| Problem::Text)
    }

    fn kind(&mut self) -> Result<Kind, Problem> {
        let code = self.u32()?;
        Kind::from_code(code).ok_or(Problem::ValueType(code))
    }

    fn value(&mut self, kind: Kind) -> Result<Value<'a>, Problem> {
        Ok(match kind {
            Kind::U8 => Value::U8(self.array().map(u8::from_le_bytes)?),
            Kind::I8 => Value::I8(self.array().map(i8::from_le_bytes)?),
            Kind::U16 => Value::U16(self.array().map(u16::from_le_bytes)?),
            Kind::I16 => Value::I16(self.array().map(i16::from_le_bytes)?),
            Kind::U32 => Value::U32(self.u32()?),
            Kind::I32 => Value::I32(self.array().map(i32::from_le_bytes)?),
            Kind::F32 => Value::F32(self.array().map(f32::from_le_bytes)?),
            Kind::Bool => Value::Bool(match self.array::<1>()? {
                [0] => false,
                [1] => true,
                [other] => return Err(Problem::Bool(other)),
            }),
            Kind::String => Value::String(self.text(usize::MAX)?),
            Kind::Array => Value::Array(self.values()?),
            Kind::U64 => Value::U64(self.u64()?),
            Kind::I64 => Value::I64(self.array().map(i64::from_le_bytes)?),
            Kind::F64 => Value::F64(self.array().map(f64::from_le_bytes)?),
        })
    }

    fn values(&mut self) -> Result<Array<'a>, Problem> {
        let kind = self.kind()?;
        let len = self.u64()?;
        self.room_for(len, kind.size())?;
        let start = self.at;
        match kind {
            Kind::Array => return Err(Problem::NestedArray),
            Kind::String | Kind::Bool => {
                for _ in 0..len {
                    self.value(kind)?;
                }
            }
            _ => {
                self.take(len * kind.size() as u64)?;
            }
        }
        Ok(Array { kind, len, bytes: &self.file[start..self.at] })
    }
}
