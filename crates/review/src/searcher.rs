//! The engine, asked about positions of one game after the other.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use chess::{Board, Color, Move};
use engine::{Answer, Engine, Limits, OptionError, Position, Quantiles, Settled, Share};
use eval::score::{self, MATE, Score};

use crate::verdict::Verdict;

/// A line of play and what it is worth, for White.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// None if the game is over.
    pub moves: Vec<Move>,
    /// What it is worth.
    pub verdict: Verdict,
    /// How deep the search went.
    pub depth: u32,
    /// Nodes of the search.
    pub nodes: u64,
    /// How likely a longer search finds the first move the best or nearly so, 0 to 1, where it
    /// can be said.
    pub confidence: Option<f64>,
    /// How the visits divide among the moves of the position, most visited first: with the best
    /// line of a search with the engine's option `MCTS` only.
    pub shares: Vec<Share>,
}

/// A search that is still going on.
pub struct Snapshot {
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// Nodes so far.
    pub nodes: u64,
    /// Since it began.
    pub time: Duration,
}

/// How many times as long a thorough search is.
pub const THOROUGH: u32 = 4;

/// How long a listener waits at most, and is left alone at least.
const PAUSE: Duration = Duration::from_millis(100);

/// An engine with limits.
pub struct Searcher {
    engine: Engine,
    limits: Limits,
    /// Options that have been set since the beginning.
    configured: BTreeMap<&'static str, String>,
}

impl Searcher {
    /// Searches with this engine, each position so long.
    pub fn new(engine: Engine, limits: Limits) -> Self {
        Self { engine, limits, configured: BTreeMap::new() }
    }

    /// From now on, each position so long.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets options of the engine for all searches from now on; those that are so already cost
    /// nothing. What cannot be had is not changed.
    pub fn configure<const N: usize>(
        &mut self,
        options: [(&'static str, String); N],
    ) -> Result<(), OptionError> {
        for (name, value) in options {
            if self.configured.get(name) != Some(&value) {
                self.engine.set(name, Some(&value))?;
                self.configured.insert(name, value);
            }
        }
        Ok(())
    }

    /// Forgets the last game. Within a game, what one search learns helps the next.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// The best line; where the game is over, or was ended as a draw, what the rules say.
    pub fn best(&mut self, position: &Position, is_last: bool) -> Line {
        match settled(position, is_last) {
            Some(score) => Line {
                moves: Vec::new(),
                verdict: Verdict::certain(score),
                depth: 0,
                nodes: 0,
                confidence: None,
                shares: Vec::new(),
            },
            None => self.lines(position, 1).swap_remove(0),
        }
    }

    /// The best line by a search from an empty table, about four times as long as others.
    pub(crate) fn thorough(&mut self, position: &Position) -> Line {
        let Limits { nodes, move_time, depth, .. } = self.limits;
        let longer = Limits {
            nodes: nodes.map(thorough_nodes),
            move_time: move_time.map(|time| time.saturating_mul(THOROUGH)),
            // About as much.
            depth: depth.map(|depth| depth.saturating_add(2)),
            ..self.limits.clone()
        };
        let usual = std::mem::replace(&mut self.limits, longer);
        self.new_game();
        let line = self.best(position, false);
        self.limits = usual;
        line
    }

    /// The best lines of a position that has legal moves; at least one.
    pub fn lines(&mut self, position: &Position, count: usize) -> Vec<Line> {
        self.prepare(count, false);
        let answer = self.engine.ask(position, &self.limits);
        let board = position.board();
        if answer.lines.is_empty() {
            // So little time that not even one depth was finished.
            let moves = answer.best.into_iter().collect();
            let band = self.engine.evaluate(board);
            return vec![line(board, moves, band.q50, band, 0)];
        }
        lines_of(board, &answer)
    }

    /// Searches a position that has legal moves as for analysis, up to `longest`, as long as
    /// `listener` wants to go on. It is called a few times a second, with what is new, if anything.
    /// Returns why the search ended before, if it was to be no longer than it takes to be sure.
    pub fn watch(
        &mut self,
        position: &Position,
        count: usize,
        longest: Duration,
        mut listener: impl FnMut(Option<Snapshot>) -> ControlFlow<()>,
    ) -> Option<Settled> {
        self.prepare(count, true);
        let limits = Limits { move_time: Some(longest), ..Limits::default() };
        let board = position.board();
        let answer = self.engine.watch(position, &limits, PAUSE, |news| {
            listener(news.map(|answer| Snapshot::new(board, answer)))
        });
        answer.settled
    }

    /// The same where there is one thread only: the search cannot be ended by the listener, which is called
    /// in the middle of it.
    pub fn report(
        &mut self,
        position: &Position,
        count: usize,
        longest: Duration,
        mut listener: impl FnMut(Snapshot) + Send + 'static,
    ) -> Option<Settled> {
        self.prepare(count, true);
        let limits = Limits { move_time: Some(longest), ..Limits::default() };
        let board = position.board().clone();
        let mut called: Option<Instant> = None;
        let (sender, settled) = mpsc::channel();
        self.engine.go_reporting(position, limits, move |answer, is_last| {
            if is_last || called.is_none_or(|at| at.elapsed() >= PAUSE) {
                called = Some(Instant::now());
                listener(Snapshot::new(&board, answer));
            }
            if is_last {
                // The receiver outlives the search.
                let _ = sender.send(answer.settled);
            }
        });
        self.engine.wait();
        settled.try_recv().ok().flatten()
    }

    /// Sets the number of lines, and whether the search hunts for mates beside them.
    fn prepare(&mut self, lines: usize, analysis: bool) {
        self.engine.set_lines(lines);
        self.engine.set_analysis(analysis);
    }
}

/// Four times as many nodes, to the nearest power of two: reviews with about the same limit then
/// judge faults by the same searches, and their marks agree.
fn thorough_nodes(nodes: u64) -> u64 {
    // The largest power of two that a search can count.
    const MOST: u64 = 1 << 62;
    let wanted = nodes.saturating_mul(THOROUGH.into()).min(MOST);
    let above = wanted.next_power_of_two();
    let is_nearer_below = u128::from(above).pow(2) > 2 * u128::from(wanted).pow(2);
    if is_nearer_below { above / 2 } else { above }
}

impl Snapshot {
    fn new(board: &Board, answer: &Answer) -> Self {
        Self { lines: lines_of(board, answer), nodes: answer.nodes, time: answer.time }
    }
}

fn lines_of(board: &Board, answer: &Answer) -> Vec<Line> {
    let mut lines: Vec<Line> = answer
        .lines
        .iter()
        .map(|info| Line {
            nodes: answer.nodes,
            confidence: info.confidence.map(|thousandths| f64::from(thousandths) / 1000.0),
            ..line(board, info.pv.clone(), info.score, info.quantiles, info.depth)
        })
        .collect();
    if let Some(best) = lines.first_mut() {
        best.shares.clone_from(&answer.shares);
    }
    lines
}

/// A line whose score and band are those of the board's side to move.
fn line(board: &Board, moves: Vec<Move>, score: Score, band: Quantiles, depth: u32) -> Line {
    let verdict = Verdict::new(score, band);
    Line {
        verdict: verdict.seen_by(board.side_to_move()),
        moves,
        depth,
        nodes: 0,
        confidence: None,
        shares: Vec::new(),
    }
}

/// The result for White if the rules have ended the game here. A draw that has to be claimed
/// counts only at the end of a game: elsewhere nobody claimed it.
fn settled(position: &Position, is_last: bool) -> Option<Score> {
    let outcome = position.board().outcome(position.keys())?;
    match outcome.winner() {
        Some(Color::White) => Some(MATE),
        Some(Color::Black) => Some(-MATE),
        None => (is_last || !outcome.needs_claim()).then_some(score::DRAW),
    }
}

#[cfg(test)]
impl Searcher {
    /// This many nodes for each position.
    pub(crate) fn test(nodes: u64) -> Self {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Self::new(Engine::builder().hash_mb(1).build().unwrap(), limits)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn searcher() -> Searcher {
        Searcher::test(500)
    }

    #[test]
    fn verdicts_are_for_white() {
        let mut searcher = searcher();
        for (fen, white_wins) in
            [("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", true), ("qq2k3/8/8/8/8/8/8/4K3 b - - 0 1", false)]
        {
            let line = searcher.best(&Position::new(fen.parse().unwrap()), false);
            assert_eq!(line.verdict.score > 0, white_wins, "{fen}");
        }
    }

    #[test]
    fn lines_differ_and_have_bands() {
        let lines = searcher().lines(&Position::default(), 3);
        assert_eq!(lines.len(), 3);
        let first: HashSet<_> = lines.iter().map(|line| line.moves[0].bits()).collect();
        assert_eq!(first.len(), 3);
        assert!(lines[1].verdict.score >= lines[2].verdict.score);
        let band = lines[2].verdict.band;
        assert!(band.q10 < band.q90);
    }

    #[test]
    fn who_watches_is_shown_more_until_enough_is_seen() {
        let mut searcher = searcher();
        let mut seen = Vec::new();
        let hour = Duration::from_secs(3600);
        searcher.watch(&Position::default(), 2, hour, |news| {
            seen.extend(news);
            if seen.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((seen.len(), seen[1].lines.len()), (2, 2));
        assert!(seen[1].nodes >= seen[0].nodes && seen[1].time < hour);

        let mut asked = 0;
        searcher.watch(&Position::default(), 1, Duration::from_millis(20), |_| {
            asked += 1;
            ControlFlow::Continue(())
        });
        assert!(asked > 0, "it ends by itself");
    }

    #[test]
    fn limits_that_differ_little_share_their_thorough_searches() {
        assert_eq!(thorough_nodes(4000), thorough_nodes(4400));
        assert_eq!(thorough_nodes(100_000), 1 << 19);
        assert_eq!(thorough_nodes(90_000), 1 << 18);
        for nodes in [1, 5, 77, 4000, 1 << 40, 1 << 61, u64::MAX] {
            let (thorough, wanted) = (thorough_nodes(nodes) as f64, 4.0 * nodes as f64);
            assert!(thorough <= 1.42 * wanted, "{nodes}");
            assert!(thorough >= wanted / 1.42 || thorough == 2f64.powi(62), "{nodes}");
        }
    }

    #[test]
    fn no_nodes_at_all_still_give_a_line() {
        for nodes in [0, 1] {
            let mut searcher = Searcher::test(nodes);
            assert!(!searcher.lines(&Position::default(), 2).is_empty());
        }
    }

    #[test]
    fn the_rules_end_games() {
        let at = |fen: &str| Position::new(fen.parse().unwrap());
        assert_eq!(settled(&at("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), false), Some(MATE));
        assert_eq!(settled(&at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), false), Some(0));
        assert_eq!(settled(&at("7k/8/6K1/8/8/8/8/8 b - - 0 1"), false), Some(0));
        let late = at("7k/5R2/6K1/8/8/8/8/8 b - - 100 90");
        assert_eq!((settled(&late, false), settled(&late, true)), (None, Some(0)));
        let mut again = Position::default();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            again.play(again.board().parse_uci(text).unwrap());
        }
        assert_eq!((settled(&again, false), settled(&again, true)), (None, Some(0)));
    }
}
