//! Vectors of numbers that begin on a cache line.
//!
//! A 64-byte load from an address that is no multiple of 64 touches two cache lines. Weights are
//! read a row at a time, so the price would be paid on every load.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line.
const LINE: usize = 64;

/// A fixed number of values, the first on a cache line.
#[derive(Debug)]
pub struct Aligned<T> {
    /// A line longer than needed, so that some element lies on a line's start.
    storage: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// `len` values, all zero (or what the type's default is).
    pub fn new(len: usize) -> Self {
        let spare = LINE.div_ceil(size_of::<T>().max(1));
        let storage = vec![T::default(); len + spare];
        // Rows are read all over a table: with small pages each would miss the address cache.
        crate::prefer_huge_pages(&storage);
        // The offset may in theory be unknowable; then alignment is lost but nothing else.
        let start = storage.as_ptr().align_offset(LINE).min(spare);
        Self { storage, start, len }
    }
}

impl<T> Aligned<T> {
    /// How many values there are: known without looking at them.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Are there none?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<T: Copy + Default> From<&[T]> for Aligned<T> {
    fn from(values: &[T]) -> Self {
        let mut aligned = Self::new(values.len());
        aligned.copy_from_slice(values);
        aligned
    }
}

impl<T: Copy + Default> Clone for Aligned<T> {
    /// A copy lies elsewhere, so its offset is found anew.
    fn clone(&self) -> Self {
        Self::from(&**self)
    }
}

impl<T: PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::Aligned;

    #[test]
    fn copies_keep_values_and_alignment() {
        let mut first = Aligned::<f32>::new(100);
        first[99] = 3.0;
        let copy = first.clone();
        assert_eq!(copy, first);
        assert_eq!(copy.len(), 100);
        assert_eq!(copy.as_ptr().addr() % 64, 0);
        assert_eq!(Aligned::<i8>::new(7).as_ptr().addr() % 64, 0);
    }
}
