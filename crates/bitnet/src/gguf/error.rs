//! What can be wrong with a file, and where.

use core::fmt;

/// A file that is not what it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct GgufError {
    /// The part of the file: "header", "key `x`", "tensor `y`".
    pub place: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The file could not be read.
    Io(String),
    /// It does not begin with `GGUF`.
    Magic([u8; 4]),
    /// The version is not 2 or 3, or the file is big-endian.
    Version(u32),
    /// More bytes are needed than there are left.
    Truncated {
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        left: u64,
    },
    /// Text that is not UTF-8.
    Text,
    /// Text longer than the format allows.
    Long {
        /// Its length.
        got: u64,
        /// The limit.
        most: usize,
    },
    /// An unknown number for the type of a value.
    ValueType(u32),
    /// A boolean that is neither 0 nor 1.
    Bool(u8),
    /// An array within an array.
    NestedArray,
    /// Two keys or tensors of one name.
    Duplicate,
    /// An alignment that is not a power of two.
    Alignment(u64),
    /// A tensor type that is not read here.
    TensorType(u32),
    /// A tensor without, or with more than four, dimensions, or with an empty one.
    Dimensions(Vec<u64>),
    /// A row that is not a whole number of blocks.
    Row {
        /// Length of the row.
        got: u64,
        /// Numbers in a block.
        block: usize,
    },
    /// A tensor whose data does not begin at a multiple of the alignment.
    Offset {
        /// Where it begins, counted from the first tensor's data.
        got: u64,
        /// The alignment of the file.
        alignment: usize,
    },
    /// A tensor whose data overlaps that of another.
    Overlap(String),
    /// A key or tensor that is not in the file.
    Missing,
    /// A value or tensor of another type than expected.
    Type {
        /// Expected type.
        expected: String,
        /// Type in the file.
        got: String,
    },
    /// A tensor of another shape than expected.
    Shape {
        /// Expected dimensions.
        expected: Vec<u64>,
        /// Dimensions in the file.
        got: Vec<u64>,
    },
    /// A checksum that does not fit the file.
    Checksum {
        /// The one that was written.
        expected: u64,
        /// The one that the bytes have.
        got: u64,
    },
    /// A number outside its bounds.
    Range {
        /// What it may be.
        expected: String,
        /// What it is.
        got: String,
    },
}

impl GgufError {
    /// Puts a problem in its place.
    pub fn new(place: impl Into<String>, problem: Problem) -> GgufError {
        GgufError { place: place.into(), problem }
    }

    /// A problem with one tensor.
    pub fn tensor(name: &str, problem: Problem) -> GgufError {
        GgufError::new(format!("tensor `{name}`"), problem)
    }

    /// A problem with one key.
    pub fn key(name: &str, problem: Problem) -> GgufError {
        GgufError::new(format!("key `{name}`"), problem)
    }
}

impl fmt::Display for GgufError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        match &self.problem {
            Problem::Io(text) => write!(f, "expected a GGUF file, got: {text}"),
            Problem::Magic(got) => {
                write!(f, "expected a GGUF file, which begins with \"GGUF\", got {got:?}")
            }
            Problem::Version(got) if got.swap_bytes() < 16 => {
                write!(f, "expected a little-endian file, got a big-endian one")
            }
            Problem::Version(got) => write!(f, "expected version 2 or 3, got {got}"),
            Problem::Truncated { needed, left } => {
                write!(f, "expected {needed} more bytes, but only {left} are left")
            }
            Problem::Text => write!(f, "expected UTF-8 text, got other bytes"),
            Problem::Long { got, most } => {
                write!(f, "expected at most {most} bytes of text, got {got}")
            }
            Problem::ValueType(got) => write!(f, "expected a value type of 0 to 12, got {got}"),
            Problem::Bool(got) => write!(f, "expected a boolean, 0 or 1, got {got}"),
            Problem::NestedArray => write!(f, "expected plain values, got an array in an array"),
            Problem::Duplicate => write!(f, "expected one of that name, got two"),
            Problem::Alignment(got) => {
                write!(f, "expected a power of two below 2^31 as alignment, got {got}")
            }
            Problem::TensorType(got) => {
                write!(f, "expected F32 (0), F16 (1), I8 (24), TQ1_0 (34) or TQ2_0 (35), got {got}")
            }
            Problem::Dimensions(got) => {
                write!(f, "expected one to four dimensions above zero, got {got:?}")
            }
            Problem::Row { got, block } => {
                write!(f, "expected rows of a multiple of {block} numbers, got {got}")
            }
            Problem::Offset { got, alignment } => {
                write!(f, "expected an offset that is a multiple of {alignment}, got {got}")
            }
            Problem::Overlap(other) => {
                write!(f, "expected data of its own, got some that overlaps tensor `{other}`")
            }
            Problem::Missing => write!(f, "expected it in the file, but it is not there"),
            Problem::Type { expected, got } => write!(f, "expected type {expected}, got {got}"),
            Problem::Shape { expected, got } => {
                write!(f, "expected dimensions {expected:?}, got {got:?}")
            }
            Problem::Checksum { expected, got } => {
                write!(f, "expected {expected:016x}, got {got:016x}: the file is damaged")
            }
            Problem::Range { expected, got } => write!(f, "expected {expected}, got {got}"),
        }
    }
}

impl core::error::Error for GgufError {}
