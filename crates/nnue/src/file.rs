//! The network file: a header that says what the numbers are, the numbers, a checksum.
//!
//! See `docs/nnue-format.md` for the table of bytes. Every field of the header must be what this
//! program computes with, and the checksum covers the header too, so a file that is cut short,
//! damaged or of another shape is refused with a reason and never half read.

use std::fmt;

use eval::checksum::fnv1a;

use crate::arch::{
    FT, FT_ONE, FT_STEP, GAP_SCALE_LIMIT, GAPS, L1, L1_ONE, L2, L2_IN, OUT, OUT_PADDED,
    OUTPUT_BUCKETS, WEIGHT_ONE, is_width, threat_lanes,
};
use crate::features::{INPUTS, KING_BUCKETS};
use crate::network::Network;
use crate::threats::THREATS;

/// The first bytes of every network file.
pub const MAGIC: &[u8; 8] = b"BRIERNET";
/// Version of a file with piece-square inputs alone.
pub const PLAIN: u32 = 1;
/// Version of a file that has threat inputs too.
pub const WITH_THREATS: u32 = 4;
/// Bytes of the name.
const NAME: usize = 64;
/// Bytes of the checksum at the end.
const HASH: usize = 8;

/// The first field of the header after magic and version: what it is called and what it must be.
const BUCKETS: (&str, u32) = ("king buckets", KING_BUCKETS as u32);

/// The same of the fields behind the transformer's width.
const SHAPE: [(&str, u32); 7] = [
    ("first layer outputs", L1 as u32),
    ("second layer outputs", L2 as u32),
    ("network outputs", OUT as u32),
    ("output buckets", OUTPUT_BUCKETS as u32),
    ("transformer scale", FT_ONE as u32),
    ("first layer scale", L1_ONE as u32),
    ("other layers' scale", WEIGHT_ONE as u32),
];

/// Smallest and largest centipawns of one unit of log-odds.
const SCALES: std::ops::RangeInclusive<i32> = 1..=10_000;

/// Why bytes are not a network this program can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetError {
    /// The first bytes are not [`MAGIC`].
    Magic {
        /// What was there instead.
        got: [u8; 8],
    },
    /// The file ends too soon, or goes on too long.
    Length {
        /// Bytes of a network of this shape.
        expected: usize,
        /// Bytes there are.
        got: usize,
    },
    /// A version this program does not know.
    Version {
        /// What was there instead of [`PLAIN`] or [`WITH_THREATS`].
        got: u32,
    },
    /// The network has another shape or other scales.
    Shape {
        /// Which number differs.
        field: &'static str,
        /// What this program computes with.
        expected: u32,
        /// What the file says.
        got: u32,
    },
    /// The transformer has a number of lanes that no kernel is made for.
    Width {
        /// What the file says.
        got: u32,
    },
    /// The centipawn scale is absurd.
    Scale {
        /// What the file says.
        got: i32,
    },
    /// A gap scale is negative or absurd, so that quantiles might cross.
    GapScale {
        /// What the file says.
        got: i32,
    },
    /// The name is not text.
    Name,
    /// The bytes are not those that were written.
    Checksum {
        /// The checksum in the file.
        expected: u64,
        /// The checksum of its bytes.
        got: u64,
    },
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic { got } => {
                write!(f, "expected a network file, which begins with BRIERNET, got ")?;
                write!(f, "\"{}\"", got.escape_ascii())
            }
            Self::Length { expected, got } => {
                write!(f, "expected a network of {expected} bytes, got {got}")
            }
            Self::Version { got } => {
                write!(f, "expected version {PLAIN} or {WITH_THREATS}, got {got}")
            }
            Self::Shape { field, expected, got } => {
                write!(f, "{field}: expected {expected}, got {got}")
            }
            Self::Width { got } => {
                write!(
                    f,
                    "transformer width: expected a multiple of {FT_STEP} up to {FT}, got {got}"
                )
            }
            Self::Scale { got } => {
                let (low, high) = (SCALES.start(), SCALES.end());
                write!(f, "centipawn scale: expected {low} to {high}, got {got}")
            }
            Self::GapScale { got } => {
                write!(f, "gap scale: expected 0 to {GAP_SCALE_LIMIT}, got {got}")
            }
            Self::Name => write!(f, "name: expected text (UTF-8), got other bytes"),
            Self::Checksum { expected, got } => {
                write!(f, "expected checksum {expected:016x}, got {got:016x}: the file is damaged")
            }
        }
    }
}

impl std::error::Error for NetError {}

/// The bytes of a network file.
pub(crate) fn write(network: &Network) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let version = if network.has_threats() { WITH_THREATS } else { PLAIN };
    bytes.extend(version.to_le_bytes());
    bytes.extend(BUCKETS.1.to_le_bytes());
    bytes.extend((network.width() as u32).to_le_bytes());
    for (_, value) in shape(version, network.width()) {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(network.scale.to_le_bytes());
    let mut name = network.name.clone();
    while name.len() > NAME {
        name.pop();
    }
    bytes.extend(name.as_bytes());
    bytes.resize(bytes.len() + NAME - name.len(), 0);
    put(&mut bytes, &network.ft_weights, i16::to_le_bytes);
    put(&mut bytes, &network.ft_biases, i16::to_le_bytes);
    put(&mut bytes, &network.threat_weights, i8::to_le_bytes);
    for head in &network.heads {
        put(&mut bytes, &head.l1_weights, i8::to_le_bytes);
        put(&mut bytes, &head.l1_biases, i32::to_le_bytes);
        put(&mut bytes, &*head.l2_weights, i16::to_le_bytes);
        put(&mut bytes, &head.l2_biases, i32::to_le_bytes);
        put(&mut bytes, &*head.out_weights, i16::to_le_bytes);
        put(&mut bytes, &head.out_biases, i32::to_le_bytes);
        put(&mut bytes, &head.gap_scales, i32::to_le_bytes);
    }
    let hash = fnv1a(&bytes);
    bytes.extend(hash.to_le_bytes());
    bytes
}

fn put<T: Copy, const N: usize>(bytes: &mut Vec<u8>, values: &[T], encode: fn(T) -> [u8; N]) {
    bytes.extend(values.iter().flat_map(|&value| encode(value)));
}

/// Reads the bytes of a network file.
pub(crate) fn read(bytes: &[u8]) -> Result<Network, NetError> {
    let mut cursor = Cursor { bytes, at: 0, expected: length(PLAIN, FT) };
    let magic = cursor.array::<8>()?;
    if magic != *MAGIC {
        return Err(NetError::Magic { got: magic });
    }
    let version = cursor.u32()?;
    if ![PLAIN, WITH_THREATS].contains(&version) {
        return Err(NetError::Version { got: version });
    }
    cursor.expected = length(version, FT);
    cursor.expect(BUCKETS)?;
    let got = cursor.u32()?;
    let width = got as usize;
    if !is_width(width) {
        return Err(NetError::Width { got });
    }
    cursor.expected = length(version, width);
    for field in shape(version, width) {
        cursor.expect(field)?;
    }
    let scale = cursor.u32()? as i32;
    if !SCALES.contains(&scale) {
        return Err(NetError::Scale { got: scale });
    }
    let name = cursor.array::<NAME>()?;
    let name = std::str::from_utf8(&name).map_err(|_| NetError::Name)?.trim_end_matches('\0');
    if bytes.len() != cursor.expected {
        return Err(cursor.wrong_length());
    }
    let (body, hash) = bytes.split_at(bytes.len() - HASH);
    let expected = hash.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let got = fnv1a(body);
    if expected != got {
        return Err(NetError::Checksum { expected, got });
    }

    let mut network = match version {
        PLAIN => Network::new(width, name, scale),
        _ => Network::with_threats(width, name, scale),
    };
    cursor.take(&mut network.ft_weights, i16::from_le_bytes)?;
    cursor.take(&mut network.ft_biases, i16::from_le_bytes)?;
    cursor.take(&mut network.threat_weights, i8::from_le_bytes)?;
    for head in &mut network.heads {
        cursor.take(&mut head.l1_weights, i8::from_le_bytes)?;
        cursor.take(&mut head.l1_biases, i32::from_le_bytes)?;
        cursor.take(&mut *head.l2_weights, i16::from_le_bytes)?;
        cursor.take(&mut head.l2_biases, i32::from_le_bytes)?;
        cursor.take(&mut *head.out_weights, i16::from_le_bytes)?;
        cursor.take(&mut head.out_biases, i32::from_le_bytes)?;
        cursor.take(&mut head.gap_scales, i32::from_le_bytes)?;
        if let Some(&got) = head.gap_scales.iter().find(|s| !(0..=GAP_SCALE_LIMIT).contains(*s)) {
            return Err(NetError::GapScale { got });
        }
    }
    Ok(network)
}

/// Fields of the header between width and scale.
fn shape(version: u32, width: usize) -> impl Iterator<Item = (&'static str, u32)> {
    let threats = [("threat inputs", THREATS as u32), ("threat lanes", threat_lanes(width) as u32)];
    SHAPE.into_iter().chain((version == WITH_THREATS).then_some(threats).into_iter().flatten())
}

/// Bytes of one output bucket's dense layers, without the weights of the first.
const HEAD: usize = 4 * (L1 + L2 + OUT_PADDED + GAPS) + 2 * (L2_IN * L2 + L2 * OUT_PADDED);

/// Bytes of a whole file of a network with `width` lanes.
fn length(version: u32, width: usize) -> usize {
    let header = 8 + 4 + 4 * (2 + shape(version, width).count()) + 4 + NAME;
    let threats = if version == WITH_THREATS { THREATS * threat_lanes(width) } else { 0 };
    let lane = 2 * (INPUTS + 1) + OUTPUT_BUCKETS * L1;
    header + width * lane + threats + OUTPUT_BUCKETS * HEAD + HASH
}

/// Reads numbers one after the other.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Bytes the whole file should have.
    expected: usize,
}

impl Cursor<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetError> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let found = *found.ok_or_else(|| self.wrong_length())?;
        self.at += N;
        Ok(found)
    }

    fn u32(&mut self) -> Result<u32, NetError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads a field that must have one value.
    fn expect(&mut self, (field, expected): (&'static str, u32)) -> Result<(), NetError> {
        match self.u32()? {
            got if got == expected => Ok(()),
            got => Err(NetError::Shape { field, expected, got }),
        }
    }

    fn take<T, const N: usize>(
        &mut self,
        into: &mut [T],
        decode: fn([u8; N]) -> T,
    ) -> Result<(), NetError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let (values, _) = rest.as_chunks::<N>();
        let values = values.get(..into.len()).ok_or_else(|| self.wrong_length())?;
        into.iter_mut().zip(values).for_each(|(into, value)| *into = decode(*value));
        self.at += into.len() * N;
        Ok(())
    }

    fn wrong_length(&self) -> NetError {
        NetError::Length { expected: self.expected, got: self.bytes.len() }
    }
}
