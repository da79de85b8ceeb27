//! A middlegame and an endgame value in one number, so that one addition adds both.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A pair of values: how much something counts with all pieces on the board, and with none.
///
/// The endgame half is in the upper sixteen bits. A negative middlegame half borrows one from it,
/// which [`eg`](Self::eg) gives back.
#[derive(Copy, Clone, Default, Eq, PartialEq)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing in either half.
    pub const ZERO: Self = Self(0);

    /// From both halves, each of which must fit sixteen bits.
    #[inline(always)]
    pub const fn new(mg: i32, eg: i32) -> Self {
        Self((eg << 16).wrapping_add(mg))
    }

    /// The middlegame half.
    #[inline(always)]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half.
    #[inline(always)]
    pub const fn eg(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline(always)]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.mg(), self.eg())
    }
}

#[cfg(test)]
mod tests {
    use super::Tapered;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let values = [-9000, -301, -1, 0, 1, 77, 9_345];
        for a in values {
            for b in values {
                let pair = Tapered::new(a, b);
                assert_eq!((pair.mg(), pair.eg()), (a, b));
                assert_eq!(((-pair).mg(), (-pair).eg()), (-a, -b));
                let sum = pair * 2 + Tapered::new(-5, 9) - Tapered::new(b, a);
                assert_eq!((sum.mg(), sum.eg()), (2 * a - 5 - b, 2 * b + 9 - a));
            }
        }
    }
}
