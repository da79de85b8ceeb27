//! One search, as all its threads see it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use chess::Move;
use eval::Tablebase;
use search::{Control, Errand, Limits, Position, Settings, Stoppable};

use crate::tree::Tree;

/// Everything that is fixed while a search runs, the tree, and what stops it.
pub(crate) struct Job {
    /// Position, limits, clock and counters, which the short searches share.
    pub(crate) errand: Errand,
    /// The moves of the root that are searched; never empty while a search runs.
    pub(crate) root_moves: Vec<Move>,
    /// What a policy thinks of them, as shares that add up to 1; empty without an opinion.
    pub(crate) policy: Vec<f32>,
    pub(crate) tablebase: Option<Arc<dyn Tablebase>>,
    /// Threads are in the tree with a shared lock for one playout at a time, so that it can be
    /// thinned between two of them.
    pub(crate) tree: Arc<RwLock<Tree>>,
    pub(crate) playouts: AtomicU64,
    /// The longest line looked at.
    pub(crate) seldepth: AtomicU32,
}

impl Stoppable for Job {
    fn control(&self) -> &Control {
        self.errand.control()
    }
}

impl Job {
    pub(crate) fn position(&self) -> &Position {
        self.errand.position()
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.errand.limits()
    }

    pub(crate) fn settings(&self) -> &Settings {
        self.errand.settings()
    }

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

    /// How many playouts have come back.
    pub(crate) fn count(&self) -> u64 {
        self.playouts.load(Relaxed)
    }
}
