//! The file of a model.
//!
//! Little-endian, without gaps: the magic, the number of features; six ensembles (the five
//! quantiles, then the confidence), each a base, the number of its trees and the trees (a feature
//! and a threshold for each question, then the leaves); the corrections of the groups; the number
//! of knots and the knots of the reach, then of the confidence; and a checksum (FNV-1a) of
//! everything before it.

use std::fmt;

use eval::checksum::fnv1a;

use crate::Model;
use crate::correction::{Correction, GROUPS, Knots};
use crate::features::COUNT;
use crate::trees::{Ensemble, Split, Tree};

/// The format, its version included: another order of features is another version.
const MAGIC: [u8; 8] = *b"BRFORE03";
/// More trees or knots than this are a mistake.
const MOST: usize = 4096;
/// No factor of a correction is larger.
const LARGEST_FACTOR: i32 = 64 * 1024;

/// Why a file is no model.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum ModelError {
    /// It begins with something else.
    Magic([u8; 8]),
    /// It ends early.
    Short {
        /// How many bytes it has.
        got: usize,
    },
    /// It goes on after its end.
    Long {
        /// How many bytes too many.
        extra: usize,
    },
    /// Its checksum is another one.
    Checksum {
        /// The one in the file.
        expected: u64,
        /// That of its contents.
        got: u64,
    },
    /// It was made for other features.
    Features {
        /// How many it wants.
        got: usize,
    },
    /// A number is outside of its range.
    Range {
        /// What it counts or means.
        what: &'static str,
        /// The number.
        got: i64,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic(got) => write!(
                f,
                "expected a forecast model that begins with {}, got {}",
                MAGIC.escape_ascii(),
                got.escape_ascii()
            ),
            Self::Short { got } => {
                write!(f, "expected a whole forecast model, got {got} bytes that end in its middle")
            }
            Self::Long { extra } => {
                write!(f, "expected the end of a forecast model, got {extra} bytes more")
            }
            Self::Checksum { expected, got } => {
                write!(f, "expected a forecast model with checksum {expected:016x}, got {got:016x}")
            }
            Self::Features { got } => {
                write!(f, "expected a forecast model of {COUNT} features, got one of {got}")
            }
            Self::Range { what, got } => {
                write!(f, "expected a sensible {what} in a forecast model, got {got}")
            }
        }
    }
}

impl std::error::Error for ModelError {}

struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let (head, rest) =
            self.rest.split_first_chunk().ok_or(ModelError::Short { got: self.length })?;
        self.rest = rest;
        Ok(*head)
    }

    fn i32(&mut self) -> Result<i32, ModelError> {
        self.take().map(i32::from_le_bytes)
    }

    fn count(&mut self, what: &'static str) -> Result<usize, ModelError> {
        let got = u32::from_le_bytes(self.take()?);
        if got as usize <= MOST {
            Ok(got as usize)
        } else {
            Err(ModelError::Range { what, got: got.into() })
        }
    }

    fn split(&mut self) -> Result<Split, ModelError> {
        let [feature] = self.take()?;
        if usize::from(feature) >= COUNT {
            return Err(ModelError::Range { what: "feature", got: feature.into() });
        }
        Ok(Split { feature, threshold: self.i32()? })
    }

    fn ensemble(&mut self) -> Result<Ensemble, ModelError> {
        let base = self.i32()?;
        let count = self.count("number of trees")?;
        let trees = (0..count).map(|_| {
            let mut tree = Tree::default();
            for split in &mut tree.splits {
                *split = self.split()?;
            }
            for leaf in &mut tree.leaves {
                *leaf = self.i32()?;
            }
            Ok(tree)
        });
        Ok(Ensemble { base, trees: trees.collect::<Result<_, ModelError>>()? })
    }

    fn correction(&mut self) -> Result<Correction, ModelError> {
        let mut groups = [[0; 5]; GROUPS];
        for group in &mut groups {
            for number in group.iter_mut() {
                *number = self.i32()?;
            }
            for &factor in &group[1..] {
                if !(0..=LARGEST_FACTOR).contains(&factor) {
                    return Err(ModelError::Range { what: "correction", got: factor.into() });
                }
            }
            // The median stays within the band.
            if group[0].abs() > crate::correction::ONE / 4 {
                return Err(ModelError::Range { what: "shift", got: group[0].into() });
            }
        }
        let reach = self.knots()?;
        if let Some(&(_, factor)) =
            reach.iter().find(|knot| !(0..=LARGEST_FACTOR).contains(&knot.1))
        {
            return Err(ModelError::Range { what: "reach", got: factor.into() });
        }
        let confidence = self.knots()?;
        if let Some(pair) = confidence.windows(2).find(|pair| pair[0].1 > pair[1].1) {
            return Err(ModelError::Range { what: "order of confidence", got: pair[1].1.into() });
        }
        Ok(Correction { groups, reach, confidence })
    }

    fn knots(&mut self) -> Result<Knots, ModelError> {
        let count = self.count("number of knots")?;
        let knots = (0..count).map(|_| Ok((self.i32()?, self.i32()?)));
        let knots = knots.collect::<Result<Knots, ModelError>>()?;
        match knots.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            None => Ok(knots),
            Some(pair) => Err(ModelError::Range { what: "order of knots", got: pair[1].0.into() }),
        }
    }
}

impl Model {
    /// Reads a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let short = ModelError::Short { got: bytes.len() };
        let magic = *bytes.first_chunk().ok_or(short)?;
        if magic != MAGIC {
            return Err(ModelError::Magic(magic));
        }
        let (body, sum) = bytes.split_last_chunk().ok_or(short)?;
        let (expected, got) = (u64::from_le_bytes(*sum), fnv1a(body));
        if expected != got {
            return Err(ModelError::Checksum { expected, got });
        }
        let mut reader = Reader { rest: body, length: bytes.len() };
        reader.take::<8>()?;
        let features = reader.count("number of features")?;
        if features != COUNT {
            return Err(ModelError::Features { got: features });
        }
        let mut quantiles: [Ensemble; 5] = Default::default();
        for ensemble in &mut quantiles {
            *ensemble = reader.ensemble()?;
        }
        let (confidence, correction) = (reader.ensemble()?, reader.correction()?);
        match reader.rest.len() {
            0 => Ok(Self { quantiles, confidence, correction }),
            extra => Err(ModelError::Long { extra }),
        }
    }

    /// The file of this model.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((COUNT as u32).to_le_bytes());
        for ensemble in self.quantiles.iter().chain([&self.confidence]) {
            bytes.extend(ensemble.base.to_le_bytes());
            bytes.extend((ensemble.trees.len() as u32).to_le_bytes());
            for tree in &ensemble.trees {
                for split in &tree.splits {
                    bytes.push(split.feature);
                    bytes.extend(split.threshold.to_le_bytes());
                }
                bytes.extend(tree.leaves.iter().flat_map(|leaf| leaf.to_le_bytes()));
            }
        }
        let Correction { groups, reach, confidence } = &self.correction;
        bytes.extend(groups.iter().flatten().flat_map(|number| number.to_le_bytes()));
        for knots in [reach, confidence] {
            bytes.extend((knots.len() as u32).to_le_bytes());
            bytes.extend(knots.iter().flat_map(|&(x, y)| [x, y]).flat_map(i32::to_le_bytes));
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }
}
