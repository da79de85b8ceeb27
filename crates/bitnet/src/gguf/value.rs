//! Metadata values.

use core::fmt;

/// The type of a value, numbered as in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Unsigned byte.
    U8 = 0,
    /// Signed byte.
    I8 = 1,
    /// 16-bit unsigned.
    U16 = 2,
    /// 16-bit signed.
    I16 = 3,
    /// 32-bit unsigned.
    U32 = 4,
    /// 32-bit signed.
    I32 = 5,
    /// 32-bit float.
    F32 = 6,
    /// One byte, 0 or 1.
    Bool = 7,
    /// UTF-8 text with its length before it.
    String = 8,
    /// Several values of one type.
    Array = 9,
    /// 64-bit unsigned.
    U64 = 10,
    /// 64-bit signed.
    I64 = 11,
    /// 64-bit float.
    F64 = 12,
}

impl Kind {
    /// The kind behind a number in a file.
    pub const fn from_code(code: u32) -> Option<Kind> {
        Some(match code {
            0 => Kind::U8,
            1 => Kind::I8,
            2 => Kind::U16,
            3 => Kind::I16,
            4 => Kind::U32,
            5 => Kind::I32,
            6 => Kind::F32,
            7 => Kind::Bool,
            8 => Kind::String,
            9 => Kind::Array,
            10 => Kind::U64,
            11 => Kind::I64,
            12 => Kind::F64,
            _ => return None,
        })
    }

    /// Bytes of one value; for text and arrays, those of the empty one.
    pub const fn size(self) -> usize {
        match self {
            Kind::U8 | Kind::I8 | Kind::Bool => 1,
            Kind::U16 | Kind::I16 => 2,
            Kind::U32 | Kind::I32 | Kind::F32 => 4,
            Kind::U64 | Kind::I64 | Kind::F64 | Kind::String => 8,
            Kind::Array => 12,
        }
    }
}

/// One metadata value, borrowed from the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Unsigned byte.
    U8(u8),
    /// Signed byte.
    I8(i8),
    /// 16-bit unsigned.
    U16(u16),
    /// 16-bit signed.
    I16(i16),
    /// 32-bit unsigned.
    U32(u32),
    /// 32-bit signed.
    I32(i32),
    /// 32-bit float.
    F32(f32),
    /// Truth value.
    Bool(bool),
    /// Text.
    String(&'a str),
    /// Several values of one type.
    Array(Array<'a>),
    /// 64-bit unsigned.
    U64(u64),
    /// 64-bit signed.
    I64(i64),
    /// 64-bit float.
    F64(f64),
}

/// Several values of one type. They were checked but not taken apart: an array may be most of a
/// file, and nothing here needs its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Array<'a> {
    /// Type of each value.
    pub kind: Kind,
    /// How many there are.
    pub len: u64,
    /// All of them, as stored.
    pub bytes: &'a [u8],
}

impl Value<'_> {
    /// Its type.
    pub const fn kind(&self) -> Kind {
        match self {
            Value::U8(_) => Kind::U8,
            Value::I8(_) => Kind::I8,
            Value::U16(_) => Kind::U16,
            Value::I16(_) => Kind::I16,
            Value::U32(_) => Kind::U32,
            Value::I32(_) => Kind::I32,
            Value::F32(_) => Kind::F32,
            Value::Bool(_) => Kind::Bool,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::U64(_) => Kind::U64,
            Value::I64(_) => Kind::I64,
            Value::F64(_) => Kind::F64,
        }
    }

    /// The value as a count, if it is a whole number that is not negative: writers differ in the
    /// width and sign they choose.
    pub fn as_count(&self) -> Option<u64> {
        match *self {
            Value::U8(v) => Some(v.into()),
            Value::U16(v) => Some(v.into()),
            Value::U32(v) => Some(v.into()),
            Value::U64(v) => Some(v),
            Value::I8(v) => v.try_into().ok(),
            Value::I16(v) => v.try_into().ok(),
            Value::I32(v) => v.try_into().ok(),
            Value::I64(v) => v.try_into().ok(),
            _ => None,
        }
    }

    /// The value as a float, if it is one.
    pub const fn as_float(&self) -> Option<f64> {
        match *self {
            Value::F32(v) => Some(v as f64),
            Value::F64(v) => Some(v),
            _ => None,
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::U8(v) => write!(f, "{v}"),
            Value::I8(v) => write!(f, "{v}"),
            Value::U16(v) => write!(f, "{v}"),
            Value::I16(v) => write!(f, "{v}"),
            Value::U32(v) => write!(f, "{v}"),
            Value::I32(v) => write!(f, "{v}"),
            Value::F32(v) => write!(f, "{v}"),
            Value::Bool(v) => write!(f, "{v}"),
            Value::String(v) => write!(f, "{v}"),
            Value::Array(v) => write!(f, "{} values of type {:?}", v.len, v.kind),
            Value::U64(v) => write!(f, "{v}"),
            Value::I64(v) => write!(f, "{v}"),
            Value::F64(v) => write!(f, "{v}"),
        }
    }
}
