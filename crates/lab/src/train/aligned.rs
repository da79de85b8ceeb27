//! Vectors of floats that begin on a cache line.
//!
//! A 64-byte load from an address that is no multiple of 64 touches two cache lines; in the
//! transformer's rows that costs a third of the whole training time.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line.
const LINE: usize = 64;

/// A fixed number of floats, the first on a cache line.
#[derive(Debug)]
pub(crate) struct Aligned {
    /// A line longer than needed, so that some element lies on a line's start.
    storage: Vec<f32>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let storage = vec![0.0f32; len + LINE / 4];
        // The offset may in theory be unknowable; then alignment is lost but nothing else.
        let start = storage.as_ptr().align_offset(LINE).min(LINE / 4);
        Self { storage, start, len }
    }
}

impl From<&[f32]> for Aligned {
    fn from(values: &[f32]) -> Self {
        let mut aligned = Self::zeros(values.len());
        aligned.copy_from_slice(values);
        aligned
    }
}

impl Clone for Aligned {
    /// A copy lies elsewhere, so its offset is found anew.
    fn clone(&self) -> Self {
        Self::from(&**self)
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.storage[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::Aligned;

    #[test]
    fn copies_keep_values_and_alignment() {
        let mut first = Aligned::zeros(100);
        first[99] = 3.0;
        let copy = first.clone();
        assert_eq!(copy, first);
        assert!(copy.as_ptr().is_aligned() && copy.as_ptr().addr() % 64 == 0);
    }
}
