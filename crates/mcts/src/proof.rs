//! What is proved: mates, stalemates, draws by rule, results of tablebases, and what follows.
//!
//! A proof is a score for the side to move of its own node, mates counted from there. Draws by
//! repetition hold for the one path that leads to a node, and each node of a tree has only one.

use chess::Move;
use eval::score::{self, DRAW, Score};

use crate::points;
use crate::tree::{Edge, Known, Node, Tree};

/// A child's proof as its parent sees it, one half-move further away.
pub(crate) fn seen_by_parent(proof: Score) -> Score {
    match -proof {
        seen if score::is_win(seen) => seen - 1,
        seen if score::is_loss(seen) => seen + 1,
        seen => seen,
    }
}

/// A parent's proof as the child that it rests on sees it.
fn seen_by_child(proof: Score) -> Score {
    match proof {
        _ if score::is_win(proof) => -(proof + 1),
        _ if score::is_loss(proof) => -(proof - 1),
        _ => -proof,
    }
}

/// Hangs a mate, found by a search, to a node: its line becomes a part of the tree, so that it can be
/// shown. None if the tree is full.
pub(crate) fn hang<'t>(
    tree: &'t Tree,
    mut node: Node<'t>,
    mut proof: Score,
    line: &[Move],
) -> Option<()> {
    for &mv in line {
        node.set_known(0.0, Known::Proved(proof));
        if node.edges().is_empty() {
            let edges = tree.add_edges(1)?;
            tree.write(edges.start, &Edge { mv, prior: 1.0, value: points::proved(proof) });
            node.set_edges(edges, 0);
        }
        let mut edges = node.edges();
        let edge = edges.find(|&edge| tree.edge(edge).is_some_and(|edge| edge.mv == mv));
        // Another thread may be at work there; then the line ends here.
        let Some(child) = edge.and_then(|edge| tree.child_or_new(edge)) else { return Some(()) };
        proof = seen_by_child(proof);
        node = child;
    }
    node.set_known(0.0, Known::Proved(proof));
    Some(())
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

    use super::{DRAW, seen_by_child, seen_by_parent};

    #[test]
    fn every_half_move_makes_a_mate_longer() {
        assert_eq!(seen_by_parent(mated_in(0)), mate_in(1));
        assert_eq!(seen_by_parent(mate_in(1)), mated_in(2));
        assert_eq!(seen_by_parent(DRAW), DRAW);
        for proof in [mate_in(3), mated_in(4), DRAW] {
            assert_eq!(seen_by_parent(seen_by_child(proof)), proof);
        }
    }
}
