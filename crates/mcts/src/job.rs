//! One search, as all its threads see it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use chess::Move;
use eval::{Score, Tablebase};
use search::{Control, Limits, Position, Settings, Stoppable, Timer};

use crate::tree::Tree;

/// A node limit below this is kept exactly, above it within a few dozen nodes for each thread.
const EXACT_NODES: u64 = 20_000;

/// Everything that is fixed while a search runs, the tree, and what stops it.
pub(crate) struct Job {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    pub(crate) settings: Settings,
    pub(crate) timer: Timer,
    pub(crate) control: Control,
    /// The moves of the root that are searched; never empty while a search runs.
    pub(crate) root_moves: Vec<Move>,
    /// What a policy thinks of them, as shares that add up to 1; empty without an opinion.
    pub(crate) policy: Vec<f32>,
    pub(crate) tablebase: Option<Arc<dyn Tablebase>>,
    /// Most men of a position that is looked up in the tree.
    pub(crate) tb_men: usize,
    /// The root's result by the tablebase.
    pub(crate) tb_root: Option<Score>,
    /// Threads are in the tree with a shared lock for one playout at a time, so that it can be
    /// thinned between two of them.
    pub(crate) tree: Arc<RwLock<Tree>>,
    pub(crate) playouts: AtomicU64,
    /// The longest line looked at.
    pub(crate) seldepth: AtomicU32,
}

impl Stoppable for Job {
    fn control(&self) -> &Control {
        &self.control
    }
}

impl Job {
    pub(crate) fn tree(&self) -> RwLockReadGuard<'_, Tree> {
        self.tree.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room in the tree, unless somebody else just has.
    pub(crate) fn make_room(&self) {
        let mut tree = self.tree.write().unwrap_or_else(PoisonError::into_inner);
        // A little less than full, because no thread had room for all it wanted.
        if tree.fill() > 800 {
            tree.thin();
        }
    }

    pub(crate) fn counts_every_node(&self) -> bool {
        self.limits.nodes.is_some_and(|nodes| nodes < EXACT_NODES)
    }

    /// Stops the search if its time or its nodes are spent.
    pub(crate) fn check_limits(&self) {
        let Some(origin) = self.control.origin() else { return };
        let nodes = self.control.nodes();
        let spent = nodes.saturating_sub(origin.nodes);
        let too_many = self.limits.nodes.is_some_and(|limit| spent >= limit);
        if too_many || self.timer.is_timed() && self.timer.is_over(nodes, origin) {
            self.control.stop();
        }
    }

    /// How many playouts have come back.
    pub(crate) fn count(&self) -> u64 {
        self.playouts.load(Relaxed)
    }
}
