//! What is proved: mates, stalemates, draws by rule, results of tablebases, and what follows.
//!
//! A proof is a score for the side to move of its own node, mates counted from there. Draws by
//! repetition hold for the one path that leads to a node, and each node of a tree has only one.

use eval::score::{self, DRAW, Score};

use crate::tree::{Known, Node, Tree};

/// A child's proof as its parent sees it, one half-move further away.
pub(crate) fn seen_by_parent(proof: Score) -> Score {
    match -proof {
        seen if score::is_win(seen) => seen - 1,
        seen if score::is_loss(seen) => seen + 1,
        seen => seen,
    }
}

/// What follows for a node from its children: the value with best play, and a proof if one of them
/// is lost for the other side, or all of them are decided.
pub(crate) fn update(tree: &Tree, node: Node<'_>) {
    let mut value = 0.0_f32;
    let mut best = None;
    let mut all = true;
    for index in node.edges() {
        let child = tree.child(index).filter(|child| child.visits() > 0 || child.proof().is_some());
        value = value.max(match child {
            Some(child) => 1.0 - child.best(),
            None => tree.edge(index).map_or(0.0, |edge| edge.value),
        });
        match child.and_then(Node::proof).map(seen_by_parent) {
            Some(seen) => best = best.max(Some(seen)),
            None => all = false,
        }
    }
    let known = match best {
        Some(best) if all || score::is_win(best) => Known::Proved(best),
        Some(DRAW) => Known::HasDraw,
        _ => Known::Nothing,
    };
    node.set_known(value, known);
}

/// Is every move of a node decided?
pub(crate) fn is_exhausted(tree: &Tree, node: Node<'_>) -> bool {
    node.edges().all(|edge| tree.child(edge).and_then(Node::proof).is_some())
}

#[cfg(test)]
mod tests {
    use eval::score::{mate_in, mated_in};

    use super::{DRAW, seen_by_parent};

    #[test]
    fn every_half_move_makes_a_mate_longer() {
        assert_eq!(seen_by_parent(mated_in(0)), mate_in(1));
        assert_eq!(seen_by_parent(mate_in(1)), mated_in(2));
        assert_eq!(seen_by_parent(DRAW), DRAW);
    }
}
