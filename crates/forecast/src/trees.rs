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
    /// The leaf, from the left, of these features.
    pub fn leaf(&self, features: &[i32; COUNT]) -> usize {
        let mut at = 0;
        while at < SPLITS {
            let Split { feature, threshold } = self.splits[at];
            at = 2 * at + 1 + usize::from(features[usize::from(feature)] > threshold);
        }
        at - SPLITS
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
        self.trees
            .iter()
            .fold(self.base, |sum, tree| sum.saturating_add(tree.leaves[tree.leaf(features)]))
    }
}
