//! Selection: which move of a node the next playout follows.
//!
//! The rule is PUCT: a move's points so far, and a bonus that is large for moves that deserve it
//! by their look and shrinks with every visit.

use crate::points;
use crate::proof::seen_by_parent;
use crate::tree::{Edge, Node, Tree};

/// The size of the bonus.
const EXPLORE: f32 = 1.0;

/// How much of a move's worth is the value with best play; the rest is the mean of all playouts.
const MINIMAX: f32 = 0.5;

/// What a move is worth to the side that makes it, by what is known now. A playout that has not
/// come back counts as a loss, so that threads do not all go the same way.
pub(crate) fn worth(tree: &Tree, index: u32, edge: &Edge) -> f32 {
    let Some(child) = tree.child(index) else { return edge.value };
    if let Some(proof) = child.proof() {
        return points::proved(seen_by_parent(proof));
    }
    let (visits, pending) = child.visits_and_pending();
    if visits + pending == 0 {
        return edge.value;
    }
    let mean = 1.0 - (child.sum() + pending as f32) / (visits + pending) as f32;
    (1.0 - MINIMAX) * mean + MINIMAX * (1.0 - child.best())
}

/// The edge to follow; none if all are decided or taken.
pub(crate) fn select(tree: &Tree, node: Node<'_>) -> Option<u32> {
    let (visits, pending) = node.visits_and_pending();
    let explore = EXPLORE * ((visits + pending + 1) as f32).sqrt();
    let mut best: Option<(f32, u32)> = None;
    for index in node.edges() {
        let child = tree.child(index);
        if child.is_none() && tree.is_busy(index) || child.and_then(Node::proof).is_some() {
            continue;
        }
        let Some(edge) = tree.edge(index) else { continue };
        let tried = child.map_or(0, |child| {
            let (visits, pending) = child.visits_and_pending();
            visits + pending
        });
        let bonus = explore * edge.prior / (1 + tried) as f32;
        let urge = worth(tree, index, &edge) + bonus;
        if best.is_none_or(|(most, _)| urge > most) {
            best = Some((urge, index));
        }
    }
    best.map(|(_, index)| index)
}
