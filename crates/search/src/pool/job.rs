//! One search, as all its threads see it.

use std::sync::Arc;

use eval::Tablebase;
use eval::{Forecaster, Score};

use super::control::Control;
use super::stopper::Stoppable;
use crate::position::Position;
use crate::root::{Limits, RootMoves, Settings, Timer};
use crate::strength::Likely;
use crate::table::Table;

/// Everything that is fixed while a search runs, and what stops it.
pub(crate) struct Job {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    pub(crate) settings: Settings,
    pub(crate) timer: Timer,
    pub(crate) table: Arc<Table>,
    pub(crate) control: Control,
    pub(crate) root_moves: RootMoves,
    /// What people of the limited rating may play; empty without a limit.
    pub(crate) likely: Likely,
    pub(crate) tablebase: Option<Arc<dyn Tablebase>>,
    pub(crate) forecaster: Option<Arc<dyn Forecaster>>,
    /// Most men of a position that is looked up in the tree.
    pub(crate) tb_men: usize,
    /// The root's result by the tablebase.
    pub(crate) tb_root: Option<Score>,
    /// Lookups for it that succeeded.
    pub(crate) tb_root_hits: u64,
    /// A small node limit is kept to the node.
    pub(crate) counts_every_node: bool,
}

impl Stoppable for Job {
    fn control(&self) -> &Control {
        &self.control
    }
}

impl Job {
    /// Stands in for a search while there is none.
    pub(crate) fn idle() -> Self {
        let (limits, settings) = (Limits::default(), Settings::default());
        Self {
            timer: Timer::new(&limits, &settings, 0),
            position: Position::default(),
            limits,
            settings,
            table: Arc::new(Table::empty()),
            control: Control::new(0, None),
            root_moves: RootMoves::default(),
            likely: Likely::default(),
            tablebase: None,
            forecaster: None,
            tb_men: 0,
            tb_root: None,
            tb_root_hits: 0,
            counts_every_node: false,
        }
    }
}
