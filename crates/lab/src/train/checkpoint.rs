//! Saving a run and going on with it.
//!
//! ```text
//! bytes  meaning
//! 8      "BRIERCK2"
//! 4      lanes of an accumulator
//! 4      1 with threat inputs, 0 without
//! 8      steps done
//! 4 + n  settings as text: a run goes on only with the same ones
//! 12 × p parameters, first moments, second moments (f32)
//! 8      FNV-1a of all before
//! ```
//! All numbers are little-endian.

use std::fs;
use std::path::Path;

use eval::checksum::fnv1a;
use simd::Aligned;

use super::model::Layout;
use super::optimiser::AdamW;

const MAGIC: &[u8; 8] = b"BRIERCK2";

/// The whole state of a run between two steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checkpoint {
    /// Shape of the network.
    pub(crate) layout: Layout,
    /// Steps done.
    pub(crate) step: u64,
    /// The settings the run was started with.
    pub(crate) settings: String,
    /// The network.
    pub(crate) parameters: Aligned<f32>,
    /// The optimiser.
    pub(crate) adam: AdamW,
}

impl Checkpoint {
    /// Writes beside the file and renames, so that a kill leaves the old one or the new one.
    pub(crate) fn save(&self, path: &Path) -> Result<(), String> {
        files::replace(path, &self.to_bytes())
            .map_err(|e| format!("cannot write {}: {e}", path.display()))
    }

    /// The file as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.layout.ft as u32).to_le_bytes());
        bytes.extend(u32::from(self.layout.threats).to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend((self.settings.len() as u32).to_le_bytes());
        bytes.extend(self.settings.as_bytes());
        for part in [&self.parameters, &self.adam.first, &self.adam.second] {
            bytes.extend(part.iter().flat_map(|x| x.to_le_bytes()));
        }
        let hash = fnv1a(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// Reads a file written by [`Checkpoint::save`].
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        Self::from_bytes(&bytes).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Reads the bytes of such a file.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (body, hash) =
            bytes.split_last_chunk::<8>().ok_or("expected a checkpoint, got too few bytes")?;
        if !body.starts_with(MAGIC) {
            return Err("expected a checkpoint, got another kind of file".into());
        }
        let hash = u64::from_le_bytes(*hash);
        let sum = fnv1a(body);
        if hash != sum {
            return Err(format!("expected checksum {hash:016x}, got {sum:016x}: damaged"));
        }
        let mut rest = &body[MAGIC.len()..];
        let ft = u32::from_le_bytes(take(&mut rest)?) as usize;
        let threats = u32::from_le_bytes(take(&mut rest)?) != 0;
        let step = u64::from_le_bytes(take(&mut rest)?);
        let len = u32::from_le_bytes(take(&mut rest)?) as usize;
        let (text, rest) = rest.split_at_checked(len).ok_or("settings are cut short")?;
        let settings = String::from_utf8(text.to_vec()).map_err(|e| format!("settings: {e}"))?;
        let layout = layout(ft, threats, rest.len())?;
        let floats: Vec<f32> =
            rest.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        let part = |i: usize| Aligned::from(&floats[i * layout.len()..(i + 1) * layout.len()]);
        let adam = AdamW { first: part(1), second: part(2) };
        Ok(Self { layout, step, settings, parameters: part(0), adam })
    }
}

/// The shape of a network whose parameters and moments have this many bytes: the header leaves out
/// how many king buckets there are.
fn layout(ft: usize, threats: bool, bytes: usize) -> Result<Layout, String> {
    let size = |king_buckets| 12 * Layout { ft, king_buckets, threats }.len();
    let (fixed, bucket) = (size(0), size(1) - size(0));
    match bytes.checked_sub(fixed) {
        Some(rest) if rest > 0 && bucket > 0 && rest.is_multiple_of(bucket) => {
            Ok(Layout { ft, king_buckets: rest / bucket, threats })
        }
        _ => Err(format!(
            "expected {fixed} bytes of numbers and {bucket} for each king bucket, got {bytes}"
        )),
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], String> {
    let (head, tail) = rest.split_first_chunk::<N>().ok_or("the header is cut short")?;
    *rest = tail;
    Ok(*head)
}

#[cfg(test)]
mod tests {
    use super::{AdamW, Checkpoint, Layout};

    #[test]
    fn damage_is_noticed() {
        let layout = Layout::new(64, true);
        let checkpoint = Checkpoint {
            layout,
            step: 12,
            settings: "rate 1".into(),
            parameters: layout.initial(1),
            adam: AdamW::new(layout.len()),
        };
        let path = std::env::temp_dir().join(format!("brier-{}-checkpoint", std::process::id()));
        checkpoint.save(&path).unwrap();
        assert_eq!(Checkpoint::load(&path).unwrap(), checkpoint);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[200] ^= 1;
        assert!(Checkpoint::from_bytes(&bytes).unwrap_err().contains("damaged"));
        for len in [0, 7, 8, 19, 1000, bytes.len() - 1] {
            assert!(Checkpoint::from_bytes(&bytes[..len]).is_err());
        }
        std::fs::remove_file(path).unwrap();
    }
}
