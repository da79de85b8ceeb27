//! The file of a network.
//!
//! Little-endian, without gaps: the magic, the numbers of rows of each table; base, inputs and
//! ratings as 16-bit numbers, outputs as bytes; the scale, the bias of each output row and the
//! weights of the facts for each rating as floats; and a checksum (FNV-1a, 64 bits) of everything before it.

use std::fmt;

use crate::features::{FACTS, INPUTS, OUTPUTS, Rating};
use crate::net::{Net, WIDTH};

/// The format, its version included: other features are another version.
const MAGIC: [u8; 8] = *b"BRPEOP02";

/// What a file must say of its sizes.
const SIZES: [u32; 5] =
    [WIDTH as u32, INPUTS as u32, Rating::ROWS as u32, OUTPUTS as u32, FACTS as u32];

/// No scale, bias or fact is larger: so sums of them stay far from infinity.
const LARGEST: f32 = 1000.0;

/// Bytes of a file.
const LENGTH: usize = MAGIC.len()
    + 4 * SIZES.len()
    + 2 * WIDTH * (1 + INPUTS + Rating::ROWS)
    + WIDTH * OUTPUTS
    + 4 * (1 + OUTPUTS + Rating::ROWS * FACTS)
    + 8;

/// Why bytes are no network.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum NetError {
    /// They are too few or too many.
    Length(usize),
    /// They begin with something else.
    Magic([u8; 8]),
    /// The network has other tables.
    Sizes([u32; 5]),
    /// The checksum is another one.
    Checksum {
        /// The one in the file.
        expected: u64,
        /// That of its contents.
        got: u64,
    },
    /// A float is too large or no number.
    Range,
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(got) => write!(f, "expected a network of {LENGTH} bytes, got {got}"),
            Self::Magic(got) => write!(
                f,
                "expected a network that begins with {}, got {}",
                MAGIC.escape_ascii(),
                got.escape_ascii()
            ),
            Self::Sizes(got) => write!(f, "expected tables of sizes {SIZES:?}, got {got:?}"),
            Self::Checksum { expected, got } => {
                write!(f, "expected a network with checksum {expected:016x}, got {got:016x}")
            }
            Self::Range => {
                write!(f, "expected numbers from -{LARGEST} to {LARGEST} in a network, got others")
            }
        }
    }
}

impl std::error::Error for NetError {}

impl Net {
    /// Reads a network from the bytes of its file.
    pub fn parse(bytes: &[u8]) -> Result<Self, NetError> {
        let mut rest = Bytes(bytes);
        if let Some(magic) = bytes.first_chunk::<8>()
            && *magic != MAGIC
        {
            return Err(NetError::Magic(*magic));
        }
        if bytes.len() != LENGTH {
            return Err(NetError::Length(bytes.len()));
        }
        let (contents, end) = bytes.split_at(LENGTH - 8);
        let expected = Bytes(end).number(u64::from_le_bytes);
        let got = checksum(contents);
        if expected != got {
            return Err(NetError::Checksum { expected, got });
        }
        rest.number::<8, _>(|_| ());
        let sizes = std::array::from_fn(|_| rest.number(u32::from_le_bytes));
        if sizes != SIZES {
            return Err(NetError::Sizes(sizes));
        }
        let base = rest.row16();
        let inputs = (0..INPUTS).map(|_| rest.row16()).collect();
        let ratings = (0..Rating::ROWS).map(|_| rest.row16()).collect();
        let outputs =
            (0..OUTPUTS).map(|_| std::array::from_fn(|_| rest.number(i8::from_le_bytes))).collect();
        let scale = rest.number(f32::from_le_bytes);
        let bias: Vec<f32> = (0..OUTPUTS).map(|_| rest.number(f32::from_le_bytes)).collect();
        let facts: Vec<[f32; FACTS]> = (0..Rating::ROWS)
            .map(|_| std::array::from_fn(|_| rest.number(f32::from_le_bytes)))
            .collect();
        let mut floats = std::iter::once(&scale).chain(&bias).chain(facts.iter().flatten());
        if !floats.all(|number| number.abs() <= LARGEST) {
            return Err(NetError::Range);
        }
        Ok(Self { base, inputs, ratings, outputs, scale, bias, facts })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(SIZES.iter().flat_map(|size| size.to_le_bytes()));
        let wide = std::iter::once(&self.base).chain(&self.inputs).chain(&self.ratings);
        out.extend(wide.flatten().flat_map(|number| number.to_le_bytes()));
        out.extend(self.outputs.iter().flatten().flat_map(|number| number.to_le_bytes()));
        let floats =
            std::iter::once(&self.scale).chain(&self.bias).chain(self.facts.iter().flatten());
        out.extend(floats.flat_map(|number| number.to_le_bytes()));
        let sum = checksum(&out);
        out.extend(sum.to_le_bytes());
        out
    }
}

/// Bytes that are taken from the front; there are always enough, the length was checked.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn number<const N: usize, T>(&mut self, read: impl FnOnce([u8; N]) -> T) -> T {
        let mut number = [0; N];
        if let Some((front, rest)) = self.0.split_first_chunk::<N>() {
            number = *front;
            self.0 = rest;
        }
        read(number)
    }

    fn row16(&mut self) -> [i16; WIDTH] {
        std::array::from_fn(|_| self.number(i16::from_le_bytes))
    }
}

/// FNV-1a of 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
