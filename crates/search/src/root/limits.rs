//! How long to think, and with which settings.

use std::time::{Duration, Instant};

use chess::Move;

/// The clock of the side to move.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Clock {
    /// Time left; zero if the flag is about to fall.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. All that are set hold; with none set it runs until it is stopped.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Stop after an iteration once this many nodes are spent: for data generation.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Stop after an iteration once the forecast is this sure of the move, in thousandths, or
    /// when more thought makes it no surer; not before 1000 nodes, the shortest searches that
    /// forecasts are judged on.
    pub sure: Option<u16>,
    /// This long, the overhead included.
    pub move_time: Option<Duration>,
    /// Play by the clock.
    pub clock: Option<Clock>,
    /// Since when the time runs, if not from the start of the search on.
    pub start: Option<Instant>,
    /// Do not answer before `stop`, even when there is nothing left to search.
    pub infinite: bool,
    /// Think on the opponent's time: like `infinite` until `ponder_hit`. Nodes and `move_time` count
    /// from then on; for the clock the time before it counts as thought.
    pub ponder: bool,
    /// Only these root moves; all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Does a search with these limits end by itself, once it does not ponder? A mate does not
    /// count as a limit, for there may be none to be found.
    ///
    /// ```
    /// use search::Limits;
    ///
    /// let depth = Limits { depth: Some(8), ..Limits::default() };
    /// assert!(depth.ends_by_itself());
    /// assert!(!Limits { infinite: true, ..depth }.ends_by_itself());
    /// assert!(!Limits::default().ends_by_itself());
    /// ```
    pub fn ends_by_itself(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.move_time.is_some()
            || self.clock.is_some();
        limited && !self.infinite
    }
}

/// What a user can set about the search; a search takes them as they are when it starts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Settings {
    /// How many best lines to find.
    pub multi_pv: usize,
    /// Time lost between engine and clock, for each move.
    pub move_overhead: Duration,
    /// Play weaker, at about this rating.
    pub elo: Option<u32>,
    /// Which of the moves that are good enough for a rating is chosen: another game, another number.
    pub seed: u64,
    /// Nodes that count as a millisecond, so that timed play becomes repeatable; 0 is real time.
    pub nodes_per_ms: u64,
    /// Tablebases are not asked below this remaining depth (with as many men as they have).
    pub tb_probe_depth: i32,
    /// Most men to ask the tablebases about.
    pub tb_probe_limit: usize,
    /// Count wins that the fifty-move rule spoils as draws.
    pub tb_fifty_move_rule: bool,
    /// Let the width of the evaluation set the margins.
    pub use_width: bool,
    /// -100 prefers safe moves, 100 complications, 0 plays for strength.
    pub risk: i32,
    /// Look harder for attacks on kings than is good in a game.
    pub analysis: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            elo: None,
            seed: 0,
            nodes_per_ms: 0,
            tb_probe_depth: 1,
            tb_probe_limit: 7,
            tb_fifty_move_rule: true,
            use_width: true,
            risk: 0,
            analysis: false,
        }
    }
}
