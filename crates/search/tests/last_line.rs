//! The last line of a search is the one everybody keeps: it must be what a complete iteration
//! found, or a move that was proved better since, however the search was ended.
//!
//! The oracle is the engine itself with `depth` as its limit: one thread and an empty table make
//! the same tree, so a search that is cut short has seen a part of what the deeper one sees.

use std::sync::mpsc::channel;
use std::time::Duration;

use chess::{Board, Move};
use classical::Classical;
use search::{Bound, Engine, Event, Info, Limits, Position, Settings};

fn positions() -> Vec<Position> {
    let text = include_str!("../../../testdata/positions/hundred.fen");
    let positions: Vec<_> =
        text.lines().map(|fen| Position::new(fen.parse::<Board>().unwrap())).collect();
    assert_eq!(positions.len(), 100);
    positions
}

struct Tester {
    engine: Engine<Classical>,
    /// Lines that came from an unfinished iteration.
    proved: usize,
}

impl Tester {
    fn new() -> Self {
        Self { engine: Engine::new(Classical::default, 1, 1).unwrap(), proved: 0 }
    }

    /// All lines of a search from an empty table, and its answer. It is stopped from outside
    /// after `stop` lines, if that is given.
    fn run(
        &mut self,
        position: &Position,
        limits: Limits,
        multi_pv: usize,
        stop: Option<usize>,
    ) -> (Vec<Info>, Move) {
        self.engine.new_game();
        let (sender, events) = channel();
        let settings = Settings { multi_pv, ..Settings::default() };
        self.engine.go(position, limits, settings, move |event| sender.send(event).unwrap());
        let mut infos = Vec::new();
        loop {
            match events.recv().unwrap() {
                Event::Info(info) => {
                    infos.push(info);
                    if stop.is_some_and(|after| infos.len() >= after) {
                        self.engine.stop();
                    }
                }
                Event::BestMove { best, .. } => return (infos, best.unwrap()),
                Event::CurrentMove { .. } | Event::Settled(_) | Event::Shares(_) => {}
            }
        }
    }

    /// What a complete iteration of this depth says of the best line.
    fn complete(&mut self, position: &Position, depth: u32, multi_pv: usize) -> Info {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let (infos, _) = self.run(position, limits, multi_pv, None);
        infos.into_iter().rfind(|info| info.multi_pv == 1).unwrap()
    }

    fn check(&mut self, limits: &Limits, multi_pv: usize, stop: Option<usize>) {
        for position in positions() {
            let (infos, best) = self.run(&position, limits.clone(), multi_pv, stop);
            let Some(last) = infos.iter().rfind(|info| info.multi_pv == 1) else { continue };
            let at = position.board().to_string();
            assert_eq!(last.pv[0], best, "{at}");
            let complete = self.complete(&position, last.depth, multi_pv);
            let same = |a: &Info, b: &Info| {
                (a.score, a.bound, a.seldepth, &a.pv, a.quantiles)
                    == (b.score, b.bound, b.seldepth, &b.pv, b.quantiles)
            };
            if same(last, &complete) {
                continue;
            }
            assert_ne!(last.bound, Bound::Upper, "{at}");
            if last.depth == 1 {
                assert_eq!(infos.len(), multi_pv, "{at}: not even one complete iteration");
                continue;
            }
            // Nothing but a new best move of an iteration that was not finished.
            self.proved += 1;
            let before = self.complete(&position, last.depth - 1, multi_pv);
            assert_ne!(last.pv[0], before.pv[0], "{at}: {last:?} after {before:?}");
        }
    }
}

#[test]
fn of_a_search_that_ends_by_nodes() {
    let mut tester = Tester::new();
    for nodes in [300, 700, 1500, 3000, 6000] {
        tester.check(&Limits { nodes: Some(nodes), ..Limits::default() }, 1, None);
    }
    assert!((1..75).contains(&tester.proved), "{} of 500 are new moves", tester.proved);
}

#[test]
fn of_a_search_that_ends_by_time() {
    let limits = Limits { move_time: Some(Duration::from_millis(4)), ..Limits::default() };
    Tester::new().check(&limits, 1, None);
}

#[test]
fn of_a_search_that_ends_by_depth() {
    let mut tester = Tester::new();
    tester.check(&Limits { depth: Some(5), ..Limits::default() }, 1, None);
    tester.check(&Limits { depth: Some(4), ..Limits::default() }, 4, None);
    assert_eq!(tester.proved, 0, "nothing is unfinished");
}

#[test]
fn of_a_search_with_several_lines() {
    Tester::new().check(&Limits { nodes: Some(3000), ..Limits::default() }, 4, None);
}

#[test]
fn of_a_search_that_is_stopped() {
    let limits = Limits { infinite: true, ..Limits::default() };
    Tester::new().check(&limits, 1, Some(6));
    Tester::new().check(&limits, 3, Some(12));
}

/// Every line of every search: bounds come only from within an iteration, which these searches
/// are too short to show, or are proofs that a move is better.
#[test]
fn no_line_claims_too_much() {
    let mut tester = Tester::new();
    for position in positions() {
        let limits = Limits { nodes: Some(2000), ..Limits::default() };
        let (infos, _) = tester.run(&position, limits, 3, None);
        for info in &infos {
            let [q10, .., q90] = info.quantiles.to_array();
            assert!(q10 <= info.score && info.score <= q90);
            assert_ne!(info.bound, Bound::Upper);
        }
        let count = position.board().legal_moves().len().min(3);
        let last: Vec<_> = infos[infos.len() - count..].iter().collect();
        let firsts: std::collections::HashSet<_> = last.iter().map(|i| i.pv[0].bits()).collect();
        assert_eq!(firsts.len(), count, "{}", position.board());
    }
}
