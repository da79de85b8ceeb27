//! Short mates are found, and shown with their distance.

use uci::ScoreText;

use crate::driver::Engine;

const MATES: &str = include_str!("../../../../testdata/suites/mates.epd");

#[test]
fn short_mates_are_found_in_time() {
    let mut engine = Engine::start();
    for line in MATES.lines() {
        let (fen, distance) = line.split_once(" bm #").expect("a position with a mate");
        let distance: i32 = distance.trim_end_matches(';').parse().expect("a distance");
        engine.send("ucinewgame");
        let go = format!("go mate {} nodes 3000000", distance.abs());
        let answer = engine.search(&format!("position fen {fen}"), &go);
        let Some(ScoreText::Mate(found)) = answer.last().score else {
            panic!("{line}: no mate but {:?}", answer.last())
        };
        assert_eq!(found.signum(), distance.signum(), "{line}");
        if distance > 0 {
            assert!(found <= distance, "{line}: mate {found}");
            let plies = answer.last().pv.len();
            assert!(plies <= 2 * found as usize - 1, "{line}: {plies} plies for mate {found}");
        }
    }
}
