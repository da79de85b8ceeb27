//! One thread's part: playouts, from the root to a new position and back.

use std::sync::atomic::Ordering::Relaxed;

use chess::{Board, Move};
use eval::Evaluator;

use crate::expand::Look;
use crate::job::Job;
use crate::points;
use crate::proof;
use crate::select::select;
use crate::tree::{Edge, Known, Node, Tree};

/// The longest path of a playout. Mates are counted from each node, so they fit the scale of
/// scores whatever the path.
const LONGEST: usize = 200;

/// How often a thread looks whether the search must end.
const POLL_MASK: u64 = 63;

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

/// What a thread owns.
pub(crate) struct Worker<'a, E> {
    pub(crate) id: usize,
    pub(crate) job: &'a Job,
    pub(crate) evaluator: E,
    /// Keys of the game and of the current path.
    pub(crate) keys: Vec<u64>,
    /// Where in `keys` the root is.
    pub(crate) root_key: usize,
    pub(crate) nodes: u64,
    pub(crate) tb_hits: u64,
    /// The search was told to end.
    pub(crate) aborted: bool,
    /// Buffers of the expansion.
    pub(crate) looks: Vec<Look>,
    pub(crate) moves: Vec<Move>,
    /// A stack of moves for the captures.
    pub(crate) tactics: Vec<Move>,
    /// The nodes of the current path, the root first.
    path: Vec<u32>,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(id: usize, job: &'a Job, mut evaluator: E, tb_hits: u64) -> Self {
        evaluator.reset(job.position.board());
        let keys = job.position.keys().to_vec();
        Self {
            id,
            job,
            evaluator,
            root_key: keys.len(),
            keys,
            nodes: 0,
            tb_hits,
            aborted: false,
            looks: Vec::new(),
            moves: Vec::new(),
            tactics: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Gives the root its edges, which a search needs before anything can stop it.
    pub(crate) fn expand_root(&mut self) {
        let job = self.job;
        let tree = job.tree();
        let root = tree.root();
        if root.edges().is_empty() {
            root.enter();
            // An empty tree of the least size has room for the moves of any position.
            match self.expand(&tree, root, job.position.board(), true) {
                Ok(value) => root.add(value),
                Err(_) => root.leave(),
            }
        }
        self.heed_policy(&tree, root);
        self.publish();
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
        let result = self.descend(&tree);
        for _ in 0..self.keys.len() - self.root_key {
            self.unmake();
        }
        match result {
            Ok(value) => {
                self.carry_back(&tree, value);
                job.seldepth.fetch_max(self.path.len() as u32, Relaxed);
                job.playouts.fetch_add(1, Relaxed);
            }
            Err(_) => self.path.iter().for_each(|&node| tree.node(node).leave()),
        }
        self.publish();
        result.map(|_| ())
    }

    /// Walks to a new position and returns its value, for its side to move.
    fn descend(&mut self, tree: &Tree) -> Result<f32, Stop> {
        let mut board = self.job.position.board().clone();
        let mut at = 0;
        loop {
            let node = tree.node(at);
            if at != 0 {
                if let Some(proof) = node.proof() {
                    return Ok(points::proved(proof));
                }
                if node.edges().is_empty() {
                    return self.revisit(tree, node, &board);
                }
            }
            let Some(edge) = select(tree, node) else {
                // Threads that proved its last moves at the same time may not have seen it.
                proof::update(tree, node);
                return node.proof().filter(|_| at != 0).map(points::proved).ok_or(Stop::Nowhere);
            };
            let Some(mv) = tree.edge(edge).map(|edge| edge.mv) else { return Err(Stop::Nowhere) };
            if self.path.len() > LONGEST {
                return Ok(node.best());
            }
            board = self.make(&board, mv);
            if self.aborted {
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
                            return Ok(value);
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

    /// Makes a node for the position at hand.
    fn grow(&mut self, tree: &Tree, board: &Board) -> Result<(u32, f32), Stop> {
        let index = tree.add_node(None).ok_or(Stop::Full)?;
        let node = tree.node(index);
        let value = self.expand(tree, node, board, false)?;
        node.enter();
        Ok((index, value))
    }

    /// Gives edges to a node that has lost them, or has lost its proof because the game went on.
    fn revisit(&mut self, tree: &Tree, node: Node<'_>, board: &Board) -> Result<f32, Stop> {
        if let Some(known) = self.known(board) {
            node.set_known(0.5, Known::Proved(known));
            return Ok(node.best());
        }
        self.expand(tree, node, board, false)
    }

    /// Adds a value to all nodes of the path, and brings up to date what the tree knows of best
    /// play and of proofs.
    fn carry_back(&mut self, tree: &Tree, mut value: f32) {
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
            node.add(value);
            value = 1.0 - value;
        }
    }

    /// Makes a move on a copy of the board and lets everybody follow.
    pub(crate) fn make(&mut self, board: &Board, mv: Move) -> Board {
        self.keys.push(board.key());
        self.evaluator.push();
        let mut next = board.clone();
        next.make_move(mv, &mut self.evaluator);
        self.count_node();
        next
    }

    /// One more position was looked at; now and then, whether the search must end.
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes & POLL_MASK == 0 || self.job.counts_every_node() {
            self.poll();
        }
    }

    /// Takes the last move back.
    pub(crate) fn unmake(&mut self) {
        self.keys.pop();
        self.evaluator.pop();
    }

    fn poll(&mut self) {
        self.publish();
        self.job.check_limits();
        self.aborted = self.job.control.stopped();
    }

    /// Tells the others what was done.
    pub(crate) fn publish(&self) {
        self.job.control.publish(self.id, self.nodes, self.tb_hits);
    }
}
