//! The tree: nodes and the moves that lead from them, in memory that never grows.
//!
//! A node is a position that was visited; an edge is a move from it, with what a look at the
//! position behind it said. Everything is atomic, so that threads grow the tree together. Of the
//! memory only one half is in use: when it is full, or when the game has gone on, the part worth
//! keeping is copied to the other one, while no thread is in the tree.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

use chess::Move;
use eval::score::{DRAW, Score};

use crate::points;

/// No child yet.
const NONE: u32 = u32::MAX;
/// A thread is making the child.
const BUSY: u32 = u32::MAX - 1;
/// More nodes than this cannot have numbered edges.
const MOST_NODES: usize = 1 << 27;
/// No proof.
const OPEN: Score = Score::MIN;
/// No proof, but the side to move has a draw.
const HAS_DRAW: Score = Score::MIN + 1;
/// How many edges there is room for, for each node.
const EDGES_PER_NODE: usize = 24;
/// What a node takes with the edges that there is room for.
const NODE_BYTES: usize =
    size_of::<Words>() + EDGES_PER_NODE * (size_of::<u64>() + size_of::<u32>());
/// Points are summed up in units of this.
const UNIT: f32 = (1 << 30) as f32;

/// There is no such tree.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum TreeError {
    /// No memory.
    Memory {
        /// What was asked for.
        megabytes: usize,
    },
    /// More than can be numbered.
    Size {
        /// What was asked for.
        megabytes: usize,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { megabytes } => {
                write!(f, "expected {megabytes} MB of free memory for the tree, got less")
            }
            Self::Size { megabytes } => {
                write!(f, "expected at most {} MB for the tree, got {megabytes}", most_megabytes())
            }
        }
    }
}

impl std::error::Error for TreeError {}

/// The most memory whose nodes and edges have numbers.
const fn most_megabytes() -> usize {
    4 * MOST_NODES / (1 << 20) * NODE_BYTES
}

/// Half of the memory, in bytes.
pub(crate) fn bytes(megabytes: usize) -> usize {
    megabytes.max(1) << 19
}

/// A node's memory: visits and pending playouts; the sum of values; edges (first, depth, count); best value and
/// proof.
type Words = [AtomicU64; 4];

/// A position. Values are for its side to move.
#[derive(Copy, Clone)]
pub(crate) struct Node<'a>(&'a Words);

impl<'a> Node<'a> {
    fn begin(self, proof: Option<Score>) {
        let Self([counts, sum, edges, known]) = self;
        counts.store(0, Relaxed);
        sum.store(0, Relaxed);
        edges.store(0, Relaxed);
        known.store(pack_known(0.5, proof.map_or(Known::Nothing, Known::Proved)), Relaxed);
    }

    pub(crate) fn visits(self) -> u32 {
        self.visits_and_pending().0
    }

    /// Visits, and playouts below it that have not come back yet.
    pub(crate) fn visits_and_pending(self) -> (u32, u32) {
        let counts = self.0[0].load(Relaxed);
        ((counts >> 32) as u32, counts as u32)
    }

    /// A playout goes below.
    pub(crate) fn enter(self) {
        self.0[0].fetch_add(1, Relaxed);
    }

    /// A playout that went below comes back without a result.
    pub(crate) fn leave(self) {
        self.0[0].fetch_sub(1, Relaxed);
    }

    /// A playout that went below comes back with a value that counts as much as this many visits.
    pub(crate) fn add(self, value: f32, weight: u32) {
        self.credit(value, weight);
        self.leave();
    }

    /// Adds a value that counts as much as this many visits, although no playout went below.
    pub(crate) fn credit(self, value: f32, weight: u32) {
        self.0[1].fetch_add((value * UNIT) as u64 * u64::from(weight), Relaxed);
        self.0[0].fetch_add(u64::from(weight) << 32, Relaxed);
    }

    /// The sum of all values.
    pub(crate) fn sum(self) -> f32 {
        self.0[1].load(Relaxed) as f32 / UNIT
    }

    /// The value with the best play that the tree knows.
    pub(crate) fn best(self) -> f32 {
        f32::from_bits((self.0[3].load(Relaxed) >> 32) as u32)
    }

    /// The result, if it is proved.
    pub(crate) fn proof(self) -> Option<Score> {
        Some(self.0[3].load(Relaxed) as u32 as Score).filter(|&proof| proof > HAS_DRAW)
    }

    /// Is it not proved, but the side to move has a draw?
    pub(crate) fn has_draw(self) -> bool {
        self.0[3].load(Relaxed) as u32 as Score == HAS_DRAW
    }

    /// Notes what the tree knows now. What is proved stays so, unless a quicker way is found.
    pub(crate) fn set_known(self, best: f32, known: Known) {
        let update = |word: u64| {
            let open = word as u32 as Score <= HAS_DRAW;
            let proves = matches!(known, Known::Proved(_));
            (open || proves).then(|| pack_known(best, known))
        };
        // An error means that it is proved already.
        let _ = self.0[3].fetch_update(Relaxed, Relaxed, update);
    }

    /// Its edges; none before it is expanded.
    pub(crate) fn edges(self) -> Range<u32> {
        let packed = self.0[2].load(Acquire);
        let first = (packed >> 32) as u32;
        first..first + (packed & 0xff) as u32
    }

    /// Shows everybody its edges, which are complete, by a search of this depth.
    pub(crate) fn set_edges(self, edges: Range<u32>, depth: i32) {
        let packed =
            u64::from(edges.start) << 32 | (depth as u64 & 0xff) << 16 | edges.len() as u64;
        self.0[2].store(packed, Release);
    }

    /// How deep it was searched by alpha-beta.
    pub(crate) fn depth(self) -> i32 {
        (self.0[2].load(Relaxed) >> 16 & 0xff) as i32
    }

    /// Asks to search it deeper; false if somebody else has done it or does it.
    pub(crate) fn claim_depth(self, depth: i32) -> bool {
        let deeper = |packed: u64| {
            let shallow = ((packed >> 16 & 0xff) as i32) < depth;
            shallow.then_some(packed & !(0xff << 16) | (depth as u64 & 0xff) << 16)
        };
        self.0[2].fetch_update(Relaxed, Relaxed, deeper).is_ok()
    }

    /// Gives the claim on a node without edges back.
    pub(crate) fn unclaim_depth(self) {
        self.0[2].store(0, Relaxed);
    }
}

/// What follows from the rules about a node.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Known {
    Nothing,
    /// The side to move has a draw, perhaps more.
    HasDraw,
    /// The result, for the side to move.
    Proved(Score),
}

fn pack_known(best: f32, known: Known) -> u64 {
    let (best, proof) = match known {
        Known::Nothing => (best, OPEN),
        Known::HasDraw => (best, HAS_DRAW),
        Known::Proved(proof) => (points::proved(proof), proof),
    };
    u64::from(best.to_bits()) << 32 | u64::from(proof as u32)
}

/// A move from a node, with what a look behind it said. Values are for the side that makes it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) mv: Move,
    /// How likely it is the best; all of a node add up to about 1.
    pub(crate) prior: f32,
    /// Expected points.
    pub(crate) value: f32,
}

/// Parts are kept in 24 bits.
const PART: f32 = (1 << 24) as f32 - 1.0;

impl Edge {
    fn pack(&self) -> u64 {
        let part = |value: f32| (value.clamp(0.0, 1.0) * PART) as u64;
        part(self.prior) << 40 | u64::from(self.mv.bits()) << 24 | part(self.value)
    }

    /// None from memory that never held an edge.
    fn unpack(word: u64) -> Option<Self> {
        let part = |bits: u64| (bits & 0xff_ffff) as f32 / PART;
        let mv = Move::from_bits((word >> 24) as u16)?;
        Some(Self { mv, prior: part(word >> 40), value: part(word) })
    }
}

/// One half of the memory. Pages that were never used cost nothing.
struct Space {
    nodes: Box<[Words]>,
    edges: Box<[AtomicU64]>,
    /// The nodes that the edges lead to.
    children: Box<[AtomicU32]>,
    used_nodes: AtomicU32,
    used_edges: AtomicU32,
}

impl Space {
    fn new(nodes: usize) -> Result<Self, ()> {
        fn zeroed<T: Zeroable>(count: usize) -> Result<Box<[T]>, ()> {
            try_zeroed_slice_box(count)
        }
        let edges = nodes * EDGES_PER_NODE;
        Ok(Self {
            nodes: zeroed(nodes)?,
            edges: zeroed(edges)?,
            children: zeroed(edges)?,
            used_nodes: AtomicU32::new(0),
            used_edges: AtomicU32::new(0),
        })
    }

    /// Takes the next `count` of a pool of `all`; none if there are not as many left.
    fn take(used: &AtomicU32, count: usize, all: usize) -> Option<u32> {
        let next = |used: u32| Some(used + count as u32).filter(|&next| next as usize <= all);
        used.fetch_update(Relaxed, Relaxed, next).ok()
    }

    fn add_node(&self, proof: Option<Score>) -> Option<u32> {
        let index = Self::take(&self.used_nodes, 1, self.nodes.len())?;
        self.node(index).begin(proof);
        Some(index)
    }

    fn take_edges(&self, count: usize) -> Option<Range<u32>> {
        let first = Self::take(&self.used_edges, count, self.edges.len())?;
        Some(first..first + count as u32)
    }

    fn clear(&self) {
        self.used_nodes.store(0, Relaxed);
        self.used_edges.store(0, Relaxed);
    }

    fn node(&self, index: u32) -> Node<'_> {
        Node(&self.nodes[index as usize])
    }

    /// Where an edge leads to, if there is a node.
    fn child(&self, edge: u32) -> Option<u32> {
        Some(self.children[edge as usize].load(Acquire)).filter(|&child| child < BUSY)
    }
}

/// The tree of a search. The root is always there, but may have no edges yet.
pub(crate) struct Tree {
    live: Space,
    spare: Space,
}

impl Tree {
    /// A tree for half of this memory: the table of the short searches has the other.
    pub(crate) fn new(megabytes: usize) -> Result<Self, TreeError> {
        if megabytes > most_megabytes() {
            return Err(TreeError::Size { megabytes });
        }
        let nodes = bytes(megabytes) / 2 / NODE_BYTES;
        let space = || Space::new(nodes).map_err(|()| TreeError::Memory { megabytes });
        let mut tree = Self { live: space()?, spare: space()? };
        tree.clear();
        Ok(tree)
    }

    /// Forgets everything but the root, and that it was ever visited.
    pub(crate) fn clear(&mut self) {
        self.live.clear();
        self.live.add_node(None);
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.node(0)
    }

    /// A new node; none if the tree is full.
    pub(crate) fn add_node(&self, proof: Option<Score>) -> Option<u32> {
        self.live.add_node(proof)
    }

    pub(crate) fn node(&self, index: u32) -> Node<'_> {
        self.live.node(index)
    }

    /// Room for the edges of a node, to be written before anybody sees them; none if the tree is
    /// full.
    pub(crate) fn add_edges(&self, count: usize) -> Option<Range<u32>> {
        let edges = self.live.take_edges(count)?;
        for edge in edges.clone() {
            self.live.children[edge as usize].store(NONE, Relaxed);
        }
        Some(edges)
    }

    pub(crate) fn write(&self, index: u32, edge: &Edge) {
        self.live.edges[index as usize].store(edge.pack(), Relaxed);
    }

    /// An edge of a node.
    pub(crate) fn edge(&self, index: u32) -> Option<Edge> {
        Edge::unpack(self.live.edges[index as usize].load(Relaxed))
    }

    /// Where an edge leads to; none if nobody has been there.
    pub(crate) fn child(&self, edge: u32) -> Option<Node<'_>> {
        self.live.child(edge).map(|index| self.node(index))
    }

    /// The number of that node.
    pub(crate) fn child_index(&self, edge: u32) -> Option<u32> {
        self.live.child(edge)
    }

    /// Is another thread making the child of this edge?
    pub(crate) fn is_busy(&self, edge: u32) -> bool {
        self.live.children[edge as usize].load(Relaxed) == BUSY
    }

    /// Asks to make the child of an edge; false if somebody else has it or does it.
    pub(crate) fn claim(&self, edge: u32) -> bool {
        let child = &self.live.children[edge as usize];
        child.compare_exchange(NONE, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Hangs a node, which is complete, to an edge.
    pub(crate) fn set_child(&self, edge: u32, node: u32) {
        self.live.children[edge as usize].store(node, Release);
    }

    /// Where an edge leads to, made if nobody has been there; none if there is no room, or another thread
    /// makes it.
    pub(crate) fn child_or_new(&self, edge: u32) -> Option<Node<'_>> {
        if self.child(edge).is_none() && self.claim(edge) {
            match self.add_node(None) {
                Some(node) => self.set_child(edge, node),
                None => self.unclaim(edge),
            }
        }
        self.child(edge)
    }

    /// Gives a claim back.
    pub(crate) fn unclaim(&self, edge: u32) {
        self.live.children[edge as usize].store(NONE, Relaxed);
    }

    /// How full the tree is, in thousandths.
    pub(crate) fn fill(&self) -> u32 {
        let part = |used: &AtomicU32, all: usize| {
            (u64::from(used.load(Relaxed)) * 1000 / all.max(1) as u64) as u32
        };
        let nodes = part(&self.live.used_nodes, self.live.nodes.len());
        nodes.max(part(&self.live.used_edges, self.live.edges.len()))
    }

    /// Makes room: positions with the fewest visits forget what is behind them, until at most half
    /// of the tree is left.
    pub(crate) fn thin(&mut self) {
        let mut least = 2;
        while !self.fits(least) {
            least += least / 2;
        }
        self.copy(0, least, false);
    }

    /// Makes the node behind some moves the root; nothing is left if there is none.
    pub(crate) fn advance(&mut self, moves: &[Move]) {
        let mut at = 0;
        for &mv in moves {
            let mut edges = self.node(at).edges();
            let edge = edges.find(|&edge| self.edge(edge).is_some_and(|edge| edge.mv == mv));
            let Some(child) = edge.and_then(|edge| self.live.child(edge)) else {
                return self.clear();
            };
            at = child;
        }
        self.copy(at, 0, true);
    }

    /// Would at most half of the memory be needed if only nodes visited at least `least` times kept edges?
    fn fits(&self, least: u32) -> bool {
        let (mut nodes, mut edges) = (1, 0);
        for index in 0..self.live.used_nodes.load(Relaxed) {
            let node = self.node(index);
            if index == 0 || node.visits() >= least {
                edges += node.edges().len();
                nodes += node.edges().filter(|&edge| self.child(edge).is_some()).count();
            }
        }
        nodes <= self.live.nodes.len() / 2 && edges <= self.live.edges.len() / 2
    }

    /// Copies what is below a node, which becomes the root. Nodes with fewer visits than `least`
    /// lose their edges. When the game has gone on, draws may be none any more: positions of the
    /// game count as repeated only when they were there twice.
    fn copy(&mut self, root: u32, least: u32, game_went_on: bool) {
        let (from, to) = (&self.live, &self.spare);
        to.clear();
        // A copied node waits for its edges; until then it has the number of its original there.
        let copy_node = |original: u32| {
            let Node([counts, sum, _, known]) = from.node(original);
            let index = to.add_node(None)?;
            let Node([new_counts, new_sum, new_edges, new_known]) = to.node(index);
            new_counts.store(counts.load(Relaxed), Relaxed);
            new_sum.store(sum.load(Relaxed), Relaxed);
            new_edges.store(original.into(), Relaxed);
            let draw = from.node(original).proof() == Some(DRAW) || from.node(original).has_draw();
            match draw && game_went_on {
                true => to.node(index).set_known(from.node(original).best(), Known::Nothing),
                false => new_known.store(known.load(Relaxed), Relaxed),
            }
            Some(index)
        };
        copy_node(root);
        let mut next = 0;
        while next < to.used_nodes.load(Relaxed) {
            let node = to.node(next);
            let original = from.node(node.0[2].swap(0, Relaxed) as u32);
            let keeps = next == 0 || original.visits() >= least;
            let old_edges = original.edges();
            if keeps && let Some(new_edges) = to.take_edges(old_edges.len()) {
                for (old, new) in old_edges.zip(new_edges.clone()) {
                    let edge = from.edges[old as usize].load(Relaxed);
                    to.edges[new as usize].store(edge, Relaxed);
                    let child = from.child(old).and_then(copy_node);
                    to.children[new as usize].store(child.unwrap_or(NONE), Relaxed);
                }
                node.set_edges(new_edges, original.depth());
            }
            next += 1;
        }
        std::mem::swap(&mut self.live, &mut self.spare);
    }
}

#[cfg(test)]
mod tests;
