//! What this search says that the other cannot, and what it keeps silent about.

use crate::driver::Engine;

#[test]
fn visits_are_shown_and_bands_are_not() {
    let mut engine = Engine::start();
    let answer = engine.search("position startpos", "go nodes 5000");
    let last = answer.texts.last().expect("how the visits divide");
    let words: Vec<_> = last.split_whitespace().collect();
    assert_eq!(words[0], "visits");
    let shares: Vec<f64> = words[2..].iter().step_by(2).map(|part| part.parse().unwrap()).collect();
    assert!(shares.len() > 2 && shares.is_sorted_by(|a, b| a >= b), "{last}");
    assert!(shares.iter().sum::<f64>() < 100.5);
    assert!(answer.texts.iter().all(|text| text.starts_with("visits")), "{:?}", answer.texts);
}

#[test]
fn limited_strength_is_left_to_the_other_search() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_LimitStrength value true");
    let answer = engine.search("position startpos", "go nodes 2000");
    assert!(answer.texts.iter().all(|text| !text.starts_with("visits")), "{:?}", answer.texts);
}

#[test]
fn both_searches_can_be_had_in_turn() {
    let mut engine = Engine::start();
    for on in [false, true, false, true] {
        engine.send(&format!("setoption name MCTS value {on}"));
        engine.send("setoption name Hash value 2");
        let answer = engine.search("position startpos", "go nodes 3000");
        let visits = answer.texts.iter().any(|text| text.starts_with("visits"));
        assert_eq!(visits, on);
    }
}
