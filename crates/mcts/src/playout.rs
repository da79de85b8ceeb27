//! One thread's part: playouts, from the root to a new position and back.

use std::sync::atomic::Ordering::Relaxed;

use chess::Board;
use eval::Evaluator;
use search::Probe;

use crate::expand::{DEPTH, Look};
use crate::job::Job;
use crate::points;
use crate::proof;
use crate::select::select;
use crate::tree::{Edge, Known, Node, Tree};

/// The longest path of a playout. Mates are counted from each node, so they fit the scale of
/// scores whatever the path.
const LONGEST: usize = 200;

/// A node is searched a half-move deeper each time its visits, with what searches count as, have grown by
/// this factor: they and the searches keep a balance.
const DEEPER: f32 = 2.5;

/// Deeper than this nothing is searched on behalf of one node.
const DEEPEST: i32 = 60;

/// Why a playout, or a part of it, did not come to its end.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Stop {
    /// The search was told to end.
    Over,
    /// The tree is full.
    Full,
    /// Other threads are at work everywhere it could go, or everything is decided.
    Nowhere,
}

/// What a playout comes back with.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Return {
    /// For the side to move at the end of its path.
    pub(crate) value: f32,
    /// As how many visits it counts.
    pub(crate) weight: u32,
}

impl From<f32> for Return {
    fn from(value: f32) -> Self {
        Self { value, weight: 1 }
    }
}

/// What a thread owns.
pub(crate) struct Worker<'a, E> {
    pub(crate) job: &'a Job,
    /// Makes the moves and the short searches, and counts.
    pub(crate) probe: Probe<E>,
    /// A buffer of the expansion.
    pub(crate) looks: Vec<Look>,
    is_first: bool,
    /// The nodes of the current path, the root first.
    path: Vec<u32>,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    /// The thread with this number.
    pub(crate) fn new(id: usize, job: &'a Job, mut probe: Probe<E>) -> Self {
        probe.begin(&job.errand, id);
        Self { job, probe, looks: Vec::new(), is_first: id == 0, path: Vec::new() }
    }

    /// Gives the root its edges, which a search needs before anything can stop it.
    pub(crate) fn expand_root(&mut self) {
        let job = self.job;
        let tree = job.tree();
        let root = tree.root();
        if root.edges().is_empty() {
            root.enter();
            // An empty tree of the least size has room for the moves of any position.
            match self.expand(&tree, root, job.position().board(), true, DEPTH) {
                Ok(value) => root.add(value, 1),
                Err(_) => root.leave(),
            }
        }
        self.probe.assume_result();
        self.heed_policy(&tree, root);
        self.probe.publish();
    }

    /// Lets the policy, if it has an opinion, decide half of what the root's moves deserve.
    fn heed_policy(&self, tree: &Tree, root: Node<'_>) {
        let edges = || root.edges().filter_map(|index| Some((index, tree.edge(index)?)));
        let all: f32 = edges().map(|(_, edge)| edge.prior).sum();
        for (index, edge) in edges() {
            let mut opinions = self.job.root_moves.iter().zip(&self.job.policy);
            if let Some((_, share)) = opinions.find(|(mv, _)| **mv == edge.mv) {
                tree.write(index, &Edge { prior: (edge.prior + share * all) / 2.0, ..edge });
            }
        }
    }

    /// Makes one playout.
    pub(crate) fn playout(&mut self) -> Result<(), Stop> {
        let job = self.job;
        let tree = job.tree();
        self.path.clear();
        self.path.push(0);
        tree.root().enter();
        let mut made = 0;
        let result = self.descend(&tree, &mut made);
        (0..made).for_each(|_| self.probe.unmake());
        match result {
            Ok(Return { value, weight }) => {
                self.carry_back(&tree, value, weight);
                job.seldepth.fetch_max(self.path.len() as u32, Relaxed);
                job.playouts.fetch_add(1, Relaxed);
            }
            Err(_) => self.path.iter().for_each(|&node| tree.node(node).leave()),
        }
        self.probe.publish();
        result.map(|_| ())
    }

    /// Walks to a new position, or to one that is due to be searched deeper, and returns its value, for its
    /// side to move. Counts the moves that it makes.
    fn descend(&mut self, tree: &Tree, made: &mut usize) -> Result<Return, Stop> {
        let mut board = self.job.position().board().clone();
        let mut at = 0;
        loop {
            let node = tree.node(at);
            if at != 0 {
                if let Some(proof) = node.proof() {
                    return Ok(points::proved(proof).into());
                }
                if node.edges().is_empty() {
                    return self.revisit(tree, node, &board).map(Return::from);
                }
            }
            if let Some(depth) = self.due_depth(node, at == 0)
                && node.claim_depth(depth)
            {
                return self.deepen(tree, node, &board, at == 0, depth);
            }
            let Some(edge) = select(tree, node) else {
                // Threads that proved its last moves at the same time may not have seen it.
                proof::update(tree, node);
                let proof = node.proof().filter(|_| at != 0).ok_or(Stop::Nowhere)?;
                return Ok(points::proved(proof).into());
            };
            let Some(mv) = tree.edge(edge).map(|edge| edge.mv) else { return Err(Stop::Nowhere) };
            if self.path.len() > LONGEST {
                return Ok(node.best().into());
            }
            board = self.probe.make(&board, mv);
            *made += 1;
            self.probe.count_node();
            if self.probe.aborted() {
                return Err(Stop::Over);
            }
            let child = tree.child_index(edge);
            match child {
                Some(child) => {
                    tree.node(child).enter();
                    self.path.push(child);
                    at = child;
                }
                None if tree.claim(edge) => {
                    let grown = self.grow(tree, &board);
                    match grown {
                        Ok((child, value)) => {
                            tree.set_child(edge, child);
                            self.path.push(child);
                            return Ok(value.into());
                        }
                        Err(stop) => {
                            tree.unclaim(edge);
                            return Err(stop);
                        }
                    }
                }
                None => return Err(Stop::Nowhere),
            }
        }
    }

    /// How deep a node should be searched now, if not as deep as it was.
    fn due_depth(&self, node: Node<'_>, is_root: bool) -> Option<i32> {
        // The root's moves are ordered by the first thread's searches.
        if is_root && !self.is_first {
            return None;
        }
        let deeper = node.depth() + 1;
        let earned = node.visits() as f32 >= DEEPER.powi(deeper - DEPTH);
        (earned && deeper <= DEEPEST).then_some(deeper)
    }

    /// Makes a node for the position at hand. It gets edges when it is visited again: most are not.
    fn grow(&mut self, tree: &Tree, board: &Board) -> Result<(u32, f32), Stop> {
        let index = tree.add_node(None).ok_or(Stop::Full)?;
        let node = tree.node(index);
        let value = self.judge_new(tree, node, board)?;
        node.enter();
        Ok((index, value))
    }

    /// Gives edges to a node that never had them, has lost them, or has lost its proof because the game went
    /// on.
    fn revisit(&mut self, tree: &Tree, node: Node<'_>, board: &Board) -> Result<f32, Stop> {
        if let Some(known) = self.known(board) {
            node.set_known(0.5, Known::Proved(known));
            return Ok(node.best());
        }
        let depth = DEPTH + 1;
        // Another thread may be at it.
        if !node.claim_depth(depth) {
            return Err(Stop::Nowhere);
        }
        let result = self.expand(tree, node, board, false, depth);
        if result.is_err() {
            node.unclaim_depth();
        }
        result
    }

    /// Adds a value to all nodes of the path, and brings up to date what the tree knows of best
    /// play and of proofs.
    fn carry_back(&mut self, tree: &Tree, mut value: f32, weight: u32) {
        let mut changed = true;
        for (distance, &index) in self.path.iter().rev().enumerate() {
            let node = tree.node(index);
            if distance > 0 && changed {
                let before = (node.best(), node.proof());
                proof::update(tree, node);
                changed = before != (node.best(), node.proof());
            }
            // Whoever has a draw need not go where it is worse.
            if node.has_draw() {
                value = value.max(0.5);
            }
            node.add(value, weight);
            value = 1.0 - value;
        }
    }
}
