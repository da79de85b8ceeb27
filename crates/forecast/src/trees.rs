//! Sums of small decision trees over integers.

use crate::features::COUNT;

/// Questions from root to leaf.
pub const DEPTH: usize = 3;
/// Questions of a tree.
pub const SPLITS: usize = (1 << DEPTH) - 1;
/// Its leaves.
pub const LEAVES: usize = 1 << DEPTH;

/// A question: is the feature above the threshold?
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Split {
    /// Which feature; below [`COUNT`].
    pub feature: u8,
    /// Above it one goes to the right.
    pub threshold: i32,
}

/// A complete tree: the children of question `i` are `2i + 1` and `2i + 2`, leaves come last.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Tree {
    /// The questions.
    pub splits: [Split; SPLITS],
    /// What to add.
    pub leaves: [i32; LEAVES],
}

impl Tree {
    /// What these features add. Every number that a question can name has a place among them, so
    /// that no index need be checked.
    #[inline]
    fn value(&self, features: &[i32; 256]) -> i32 {
        let right = |at: usize| {
            let Split { feature, threshold } = self.splits[at];
            usize::from(features[usize::from(feature)] > threshold)
        };
        let first = right(0);
        let second = right(1 + first);
        let third = right(3 + 2 * first + second);
        self.leaves[4 * first + 2 * second + third]
    }
}

/// A number and the trees that move it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Ensemble {
    /// Where the sum begins.
    pub base: i32,
    /// What is added.
    pub trees: Vec<Tree>,
}

impl Ensemble {
    /// The sum for these features; it stops at the ends of the scale rather than wrap around.
    pub fn value(&self, features: &[i32; COUNT]) -> i32 {
        let mut places = [0; 256];
        places[..COUNT].copy_from_slice(features);
        let leaves = self.trees.iter().map(|tree| i64::from(tree.value(&places)));
        let sum = leaves.sum::<i64>() + i64::from(self.base);
        sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}
