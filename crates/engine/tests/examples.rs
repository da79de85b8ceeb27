//! The examples do what their first lines say.
//!
//! `cargo test` builds examples beside the tests, so they are run from there.

use std::path::PathBuf;
use std::process::{Command, Output};

fn start(example: &str, arguments: &[&str]) -> Output {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("tests lie in deps").join("examples");
    let path = folder.join(example).with_extension(std::env::consts::EXE_EXTENSION);
    Command::new(&path).args(arguments).output().unwrap_or_else(|error| {
        panic!("cannot run {} ({error}); `cargo build --examples` makes it", path.display())
    })
}

/// What an example says, which must end well.
fn run(example: &str, arguments: &[&str]) -> String {
    let output = start(example, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example} ended with {}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("the examples write UTF-8")
}

/// A game with one blunder: the queen is given for a pawn.
fn blunder() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("blunder.pgn");
    let game = "[White \"Careless\"]\n[Black \"Careful\"]\n\n\
                1. e4 e5 2. Qh5 Nc6 3. Qxe5+ Nxe5 *\n";
    std::fs::write(&path, game).expect("the build folder can be written");
    path
}

#[test]
fn best_move_finds_the_mate() {
    let said = run("best_move", &["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "5000"]);
    assert!(said.starts_with("Ra8# after "), "{said}");
}

#[test]
fn best_move_says_what_is_wrong_with_a_position() {
    let output = start("best_move", &["nonsense"]);
    assert!(!output.status.success() && output.stdout.is_empty(), "nonsense was accepted");
}

#[test]
fn several_lines_come_with_bands_around_their_scores() {
    let said = run("several_lines", &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    for line in lines {
        let numbers: Vec<f64> = line
            .split([' ', '(', ')'])
            .filter_map(|word| word.starts_with(['+', '-']).then(|| word.parse().ok())?)
            .collect();
        let [score, low, high] = numbers[..] else { panic!("expected three numbers in {line}") };
        assert!(low <= score && score <= high, "{line}");
    }
}

#[test]
fn self_play_ends_with_a_board() {
    let said = run("self_play", &["50"]);
    assert!(said.matches(' ').count() > 20 && said.contains('K'), "{said}");
}

#[test]
fn review_game_names_the_blunder() {
    let path = blunder();
    let said = run("review_game", &[path.to_str().expect("the path is UTF-8")]);
    assert!(said.contains("Careless against Careful") && said.contains("3.Qxe5+ loses"), "{said}");
}

#[test]
fn custom_evaluator_searches_to_its_depth() {
    let said = run("custom_evaluator", &[]);
    assert!(said.contains("depth 8 score") && said.contains("plays "), "{said}");
}
