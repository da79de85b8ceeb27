//! What the memory of the tree keeps, and what it forgets.

use chess::Board;

use super::*;

/// A node with all moves of the first position, each visited this often.
fn grow(tree: &Tree, node: Node<'_>, visits: impl Fn(usize) -> usize) {
    let moves = Board::default().legal_moves();
    let edges = tree.add_edges(moves.len()).unwrap();
    for (index, (edge, mv)) in edges.clone().zip(&moves).enumerate() {
        tree.write(edge, &Edge { mv, prior: 0.05, value: 0.5 });
        if visits(index) > 0 {
            let child = tree.add_node(None).unwrap();
            for _ in 0..visits(index) {
                tree.node(child).enter();
                tree.node(child).add(0.25, 1);
            }
            tree.set_child(edge, child);
        }
    }
    node.set_edges(edges, 3);
}

#[test]
fn an_edge_survives_its_packing() {
    let mv = Board::default().legal_moves()[7];
    let edge = Edge { mv, prior: 0.3, value: 0.999_99 };
    let read = Edge::unpack(edge.pack()).unwrap();
    assert_eq!(read.mv, mv);
    assert!((read.prior - 0.3).abs() < 1e-4 && (read.value - edge.value).abs() < 1e-6);
}

#[test]
fn a_proof_is_not_lost_to_a_guess() {
    let tree = Tree::new(1).unwrap();
    let root = tree.root();
    root.set_known(0.7, Known::Nothing);
    assert!(root.best() == 0.7 && root.proof().is_none());
    root.set_known(0.6, Known::HasDraw);
    assert!(root.best() == 0.6 && root.proof().is_none() && root.has_draw());
    root.set_known(0.1, Known::Proved(DRAW));
    root.set_known(0.9, Known::Nothing);
    assert!(root.best() == 0.5 && root.proof() == Some(DRAW));
}

#[test]
fn a_full_tree_keeps_what_was_visited_most() {
    let mut tree = Tree::new(1).unwrap();
    grow(&tree, tree.root(), |index| index + 1);
    let first = tree.root().edges().start;
    // The last move's position gets edges of its own until there is no more room.
    for edge in tree.root().edges() {
        grow(&tree, tree.child(edge).unwrap(), |_| 1);
    }
    while tree.add_edges(20).is_some() {}
    assert!(tree.fill() > 990);
    tree.thin();
    assert!(tree.fill() < 510, "{}", tree.fill());
    let root = tree.root();
    assert_eq!(root.edges().len(), 20);
    let visits: Vec<_> = root.edges().map(|edge| tree.child(edge).unwrap().visits()).collect();
    assert_eq!(visits, (1..=20).collect::<Vec<_>>());
    let last = tree.child(root.edges().end - 1).unwrap();
    assert!(last.edges().len() == 20 && first == 0);
}

#[test]
fn the_game_goes_on_and_draws_are_forgotten() {
    let mut tree = Tree::new(1).unwrap();
    grow(&tree, tree.root(), |_| 2);
    let edge = tree.root().edges().start;
    let (mv, child) = (tree.edge(edge).unwrap().mv, tree.child(edge).unwrap());
    grow(&tree, child, |_| 3);
    tree.child(child.edges().start).unwrap().set_known(0.5, Known::Proved(DRAW));
    tree.advance(&[mv]);
    let root = tree.root();
    assert!(root.visits() == 2 && root.edges().len() == 20);
    assert_eq!(tree.child(root.edges().start).unwrap().proof(), None);
    let unseen = tree.edge(tree.child(root.edges().start).map_or(0, |_| 0)).unwrap().mv;
    tree.advance(&[unseen, unseen]);
    assert!(tree.root().visits() == 0 && tree.root().edges().is_empty());
}

#[test]
fn a_tree_beyond_all_numbers_is_refused() {
    let error = Tree::new(1 << 25).err().unwrap();
    assert!(matches!(error, TreeError::Size { .. }), "{error}");
}
