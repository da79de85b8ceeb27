//! GGUF, the container of the GGML projects: named metadata and named tensors in one file.
//!
//! [`Gguf::parse`] reads a file that lies in memory without copying it, and [`Writer`] makes one. Nothing a file says is believed before it is checked:
//! every count against the bytes that are left, every tensor against the end of the file, its
//! neighbours and the alignment.
//!
//! Only what this engine needs is here: versions 2 and 3, little-endian, and the tensor types of
//! [`TensorType`]. A tensor of another type is an error that names it. What the names mean is the
//! business of [`crate::Model`].

mod checksum;
mod error;
mod half;
mod read;
mod ternary;
mod value;
mod write;

pub use checksum::{CHECKSUM, seal, verify};
pub use error::{GgufError, Problem};
pub use half::{f16_to_f32, f32_to_f16};
pub use read::{Gguf, Tensor};
pub use ternary::{TernaryError, decode_ternary, encode_ternary};
pub use value::{Array, Kind, Value};
pub use write::Writer;

/// The first four bytes of every file.
pub const MAGIC: [u8; 4] = *b"GGUF";

/// The longest file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// The bytes of a file. It is read whole rather than mapped: a map of a file that somebody
/// shortens would end the program.
pub fn read_file(path: &std::path::Path) -> Result<Vec<u8>, GgufError> {
    files::read(path, MOST_BYTES).map_err(|error| {
        GgufError::new(format!("file `{}`", path.display()), Problem::Io(error.to_string()))
    })
}

/// The version written here; version 2 has the same layout and is read too.
pub const VERSION: u32 = 3;

/// The alignment of tensor data when the file does not say.
pub const DEFAULT_ALIGNMENT: usize = 32;

/// Longest tensor name the format allows.
pub const MAX_NAME: usize = 64;

/// Most dimensions the format allows.
pub const MAX_DIMENSIONS: usize = 4;

/// Weights per block of the ternary types; rows are whole blocks.
pub const BLOCK: usize = 256;

/// How the numbers of a tensor are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorType {
    /// 32-bit floats.
    F32,
    /// 16-bit floats.
    F16,
    /// Signed bytes.
    I8,
    /// Ternary, five weights to a byte: 54 bytes per block.
    Tq1,
    /// Ternary, four weights to a byte: 66 bytes per block.
    Tq2,
}

impl TensorType {
    /// The type behind a number in a file.
    pub const fn from_code(code: u32) -> Option<TensorType> {
        match code {
            0 => Some(TensorType::F32),
            1 => Some(TensorType::F16),
            24 => Some(TensorType::I8),
            34 => Some(TensorType::Tq1),
            35 => Some(TensorType::Tq2),
            _ => None,
        }
    }

    /// The number that stands for the type in a file.
    pub const fn code(self) -> u32 {
        match self {
            TensorType::F32 => 0,
            TensorType::F16 => 1,
            TensorType::I8 => 24,
            TensorType::Tq1 => 34,
            TensorType::Tq2 => 35,
        }
    }

    /// The name used by the GGML projects.
    pub const fn name(self) -> &'static str {
        match self {
            TensorType::F32 => "F32",
            TensorType::F16 => "F16",
            TensorType::I8 => "I8",
            TensorType::Tq1 => "TQ1_0",
            TensorType::Tq2 => "TQ2_0",
        }
    }

    /// (numbers per block, bytes per block).
    pub const fn block(self) -> (usize, usize) {
        match self {
            TensorType::F32 => (1, 4),
            TensorType::F16 => (1, 2),
            TensorType::I8 => (1, 1),
            TensorType::Tq1 => (BLOCK, 54),
            TensorType::Tq2 => (BLOCK, 66),
        }
    }
}
