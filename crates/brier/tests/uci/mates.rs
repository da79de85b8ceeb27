//! Short mates are found, and shown with their distance.

use uci::ScoreText;

use crate::driver::Engine;

const MATES: &str = include_str!("../../../../testdata/suites/mates.epd");

#[test]
fn short_mates_are_found_in_time() {
    let mut engine = Engine::start();
    let mut faults = Vec::new();
    for line in MATES.lines() {
        let (fen, distance) = line.split_once(" bm #").expect("a position with a mate");
        let distance: i32 = distance.trim_end_matches(';').parse().expect("a distance");
        engine.send("ucinewgame");
        let go = format!("go mate {} nodes 3000000", distance.abs());
        let answer = engine.search(&format!("position fen {fen}"), &go);
        let last = answer.last();
        let right = match last.score {
            // The line to the mate is shown whole, and it is a mate.
            Some(ScoreText::Mate(found)) if distance > 0 => {
                (1..=distance).contains(&found) && last.pv.len() == 2 * found as usize - 1
            }
            Some(ScoreText::Mate(found)) => found < 0,
            _ => false,
        };
        if !right {
            faults.push(format!("{line}: {last}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
