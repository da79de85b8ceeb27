//! What the search reports to a forecaster, and when it needs none.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use classical::Classical;
use eval::forecast::FACTOR;
use eval::{Facts, Forecast, Forecaster, Quantiles};
use search::{Engine, Event, Info, Limits, Position, Settings};

/// Remembers the facts it gets, and forecasts the same for all.
#[derive(Default)]
struct Fixed(Mutex<Vec<Facts>>);

const BAND: Quantiles = Quantiles { q10: -50, q25: -10, q50: 3, q75: 20, q90: 70 };

impl Forecaster for Fixed {
    fn forecast(&self, facts: &Facts) -> Forecast {
        self.0.lock().unwrap().push(*facts);
        Forecast { quantiles: BAND, confidence: 700 }
    }
}

fn search(fen: &str, limits: Limits, multi_pv: usize) -> (Vec<Info>, Vec<Facts>) {
    let mut engine = Engine::new(Classical::default, 1, 1).unwrap();
    let forecaster = Arc::new(Fixed::default());
    engine.set_forecaster(Some(Arc::clone(&forecaster) as Arc<dyn Forecaster>));
    let (sender, events) = channel();
    let settings = Settings { multi_pv, ..Settings::default() };
    let position = Position::new(fen.parse().unwrap());
    engine.go(&position, limits, settings, move |event| sender.send(event).unwrap());
    engine.wait();
    let infos = events.into_iter().filter_map(|event| match event {
        Event::Info(info) => Some(info),
        _ => None,
    });
    let infos = infos.collect();
    let facts = forecaster.0.lock().unwrap().clone();
    (infos, facts)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn facts_agree_with_the_lines() {
    let (infos, facts) = search(KIWIPETE, depth(8), 1);
    assert_eq!((infos.len(), facts.len()), (8, 8));
    for (number, (info, facts)) in infos.iter().zip(&facts).enumerate() {
        assert_eq!((info.quantiles, info.confidence), (BAND, Some(700)));
        assert_eq!((facts.depth as u32, facts.seldepth as u32), (info.depth, info.seldepth));
        assert_eq!((facts.score, facts.nodes), (info.score, info.nodes));
        assert_eq!(facts.length as usize, info.pv.len());
        assert_eq!((facts.men, facts.moves, facts.fifty, facts.check), (32, 48, 0, false));
        assert!(facts.share + facts.rival_share <= 1000);
        assert_eq!((facts.sunk, facts.risen, facts.behind), (0, 0, 0));
        // The past, newest first.
        for (ago, &score) in facts.scores.iter().enumerate().take(number + 1) {
            assert_eq!(score, infos[number - ago].score);
        }
        let same = infos[..=number].iter().rev().take_while(|old| old.pv[0] == info.pv[0]).count();
        assert_eq!(facts.stood as usize, same);
    }
}

#[test]
fn other_lines_are_behind_the_best() {
    let (infos, facts) = search(KIWIPETE, depth(4), 3);
    assert_eq!(facts.len(), infos.len());
    for (infos, facts) in infos.chunks(3).zip(facts.chunks(3)) {
        for (info, facts) in infos.iter().zip(facts) {
            assert_eq!(facts.behind, infos[0].score - info.score);
        }
    }
}

/// An unfinished iteration leaves traces in the facts, though not in the line.
#[test]
fn an_unfinished_iteration_is_news() {
    let (mut unfinished, mut news) = (0, 0);
    for fen in include_str!("../../../testdata/positions/hundred.fen").lines() {
        let (_, facts) = search(fen, Limits { nodes: Some(3000), ..Limits::default() }, 1);
        if let Some(last) = facts.last() {
            unfinished += i32::from(last.unfinished > 0);
            news += i32::from(last.sunk > 0 || last.risen > 0);
            assert!(last.sunk == 0 || last.risen == 0 || last.sunk < 3000);
        }
    }
    assert!(unfinished > 60 && news > 20, "{unfinished} unfinished, {news} with news");
}

#[test]
fn what_is_proved_is_not_foreseen() {
    let (infos, facts) = search("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", depth(5), 1);
    let last = infos.last().unwrap();
    assert_eq!((last.quantiles, last.confidence), (Quantiles::certain(last.score), Some(1000)));
    assert!(facts.len() < infos.len());
}

#[test]
fn a_single_move_is_certain_but_not_its_score() {
    // Black can only take the rook.
    let (infos, _) = search("7k/6R1/8/8/8/8/8/K7 b - - 0 1", depth(3), 1);
    let last = infos.last().unwrap();
    assert_eq!(last.confidence, Some(1000));
    let (infos, facts) = search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", depth(3), 1);
    assert!(infos.is_empty() && facts.is_empty(), "no move, nothing to foresee");
}

#[test]
fn a_search_ends_when_it_is_sure_enough() {
    let limits = |sure| Limits { sure: Some(sure), ..depth(9) };
    // The forecaster is always 70 % sure.
    let (infos, _) = search(KIWIPETE, limits(700), 1);
    let last = infos.last().unwrap();
    assert!(last.nodes >= 1000 && last.depth < 9, "{last:?}");
    assert!(infos[..infos.len() - 1].iter().all(|info| info.nodes < 1000));
    assert_eq!(search(KIWIPETE, limits(701), 1).0.last().unwrap().depth, 9);
}

/// Who waits for a confidence that does not grow any more need not wait for ever.
#[test]
fn a_search_that_gets_no_surer_ends() {
    let limits = Limits { sure: Some(990), ..Limits::default() };
    // The forecaster is always 70 % sure.
    let (infos, _) = search(KIWIPETE, limits, 1);
    let nodes = infos.last().unwrap().nodes;
    assert!(nodes >= 64_000, "{nodes}");
}

/// The forecast speaks of a search [`FACTOR`] times as long. With one thread the short search is
/// the beginning of the long one, so that one long search can stand for many short ones.
#[test]
fn a_limit_only_cuts_a_search_short() {
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let (short, _) = search(KIWIPETE, nodes(300), 1);
    let (long, _) = search(KIWIPETE, nodes(300 * FACTOR), 1);
    let complete = short.len() - 1;
    for (short, long) in short[..complete].iter().zip(&long) {
        assert_eq!((short.nodes, short.score, &short.pv), (long.nodes, long.score, &long.pv));
    }
}
