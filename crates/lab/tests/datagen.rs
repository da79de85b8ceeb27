//! `brier-lab datagen` and its neighbours as a user starts them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use data::viri::Reader;
use data::{Game, RecordReader};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brier-lab")).args(arguments).output().unwrap()
}

fn lab_ok(arguments: &[&str]) -> String {
    let output = lab(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A folder of its own for each test, empty.
fn fresh_folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn read_games(path: &Path) -> Vec<Game> {
    let games: Vec<Game> = Reader::open(path).unwrap().map(Result::unwrap).collect();
    assert!(games.iter().all(|game| game.replay().all(|position| position.is_ok())));
    games
}

fn datagen(path: &Path, more: &[&str]) -> Output {
    let quick = ["datagen", "-o", text(path), "--nodes", "50-150", "--eval-file", "<classical>"];
    lab(&[&quick[..], &["--hash", "1", "--win-score", "600"], more].concat())
}

#[test]
fn a_killed_run_goes_on_to_the_same_games() {
    let folder = fresh_folder("datagen");
    let (whole, broken) = (folder.join("whole.vf"), folder.join("broken.vf"));
    assert!(datagen(&whole, &["--games", "5", "--threads", "1"]).status.success());
    let bytes = fs::read(&whole).unwrap();
    assert_eq!(read_games(&whole).len(), 5);
    // What a kill leaves: some games and a piece of the next.
    fs::write(&broken, &bytes[..bytes.len() * 2 / 3]).unwrap();
    assert!(datagen(&broken, &["--games", "5", "--threads", "1"]).status.success());
    assert_eq!(fs::read(&broken).unwrap(), bytes);
    // A run that has nothing to do changes nothing.
    assert!(datagen(&broken, &["--games", "3"]).status.success());
    assert_eq!(fs::read(&broken).unwrap(), bytes);
}

#[test]
fn several_threads_play_the_same_set_of_games() {
    let folder = fresh_folder("datagen-threads");
    let games = |name: &str, threads: &str| {
        let path = folder.join(name);
        assert!(datagen(&path, &["--games", "6", "--threads", threads]).status.success());
        let mut games: Vec<_> = read_games(&path).iter().map(|game| format!("{game:?}")).collect();
        games.sort();
        games
    };
    assert_eq!(games("one.vf", "1"), games("three.vf", "3"));
}

/// On the path, or where Debian keeps its games.
fn find_stockfish() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&path).collect();
    folders.push(Path::new("/usr").join("games"));
    folders.into_iter().map(|folder| folder.join("stockfish")).find(|program| program.is_file())
}

#[test]
#[expect(clippy::print_stderr, reason = "says why it is skipped")]
fn any_uci_engine_can_play() {
    let Some(engine) = find_stockfish() else {
        eprintln!("skipped: needs the program stockfish, which is not on this machine");
        return;
    };
    let engine = text(&engine);
    let path = fresh_folder("datagen-uci").join("games.vf");
    let arguments = ["datagen", "-o", text(&path), "--engine", engine, "--nodes", "60"];
    lab_ok(&[&arguments[..], &["--games", "4", "--threads", "1", "--chess960", "0.5"]].concat());
    assert_eq!(read_games(&path).len(), 4);
    let output = lab(&[&arguments[..], &["--games", "9", "--option", "Nonsense=1"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("Nonsense"), "{errors}");
}

#[test]
fn tuning_by_games_says_what_it_needs() {
    let folder = fresh_folder("spsa-bad");
    let values = folder.join("values.txt");
    let refuse = |engine: &str, more: &[&str], expected: &str| {
        let start = ["spsa", "--engine", engine, "-o", text(&values)];
        let output = lab(&[&start[..], more].concat());
        assert!(!output.status.success(), "{more:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(expected), "{more:?}: {errors}");
    };
    let bad = |more: &[&str], expected: &str| refuse("no-such-engine", more, expected);
    bad(&[], "no-such-engine");
    bad(&["--tune", "rfp_margin,beauty"], "beauty");
    bad(&["--pairs", "0"], "at least one pair");
    bad(&["--pull", "2"], "--pull");
    if let Some(engine) = find_stockfish() {
        refuse(text(&engine), &[], "`--features tune`");
    }
    assert!(!values.exists(), "nothing was found, so nothing is written");
    fs::write(&values, "pairs 3 decided 1\nlmp_base 3\n").unwrap();
    bad(&["--tune", "rfp_margin"], "values.txt");
}

#[test]
fn bad_options_are_explained() {
    let folder = fresh_folder("datagen-bad");
    let path = folder.join("games.vf");
    let bad = |more: &[&str], expected: &str| {
        let output = datagen(&path, more);
        assert!(!output.status.success(), "{more:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(expected), "{more:?}: {errors}");
    };
    bad(&["--threads", "0"], "expected at least one thread");
    bad(&["--chess960", "1.5"], "from 0 to 1, got 1.5");
    bad(&["--minutes=-1"], "minutes");
    bad(&["--book", "/no/such/book"], "/no/such/book");
    let book = folder.join("book.epd");
    fs::write(&book, "this is no position\n").unwrap();
    bad(&["--book", text(&book)], "line 1");
}

#[test]
fn openings_are_printed_for_openbench() {
    let fens = lab_ok(&["genfens", "20", "--seed", "5"]);
    assert_eq!(fens, lab_ok(&["genfens", "20", "--seed", "5"]));
    assert_ne!(fens, lab_ok(&["genfens", "20", "--seed", "6"]));
    let boards: Vec<_> =
        fens.lines().map(|line| line.strip_prefix("info string genfens ").unwrap()).collect();
    assert_eq!(boards.len(), 20);
    assert!(boards.iter().all(|fen| fen.parse::<chess::Board>().unwrap().has_legal_move()));
}

#[test]
fn games_become_records() {
    let folder = fresh_folder("shuffle");
    let games = folder.join("games.vf");
    assert!(datagen(&games, &["--games", "8"]).status.success());
    let (train, held) = (folder.join("train.pos"), folder.join("held.pos"));
    let arguments = ["shuffle", text(&games), "-o", text(&train), "--held-out", text(&held)];
    let said = lab_ok(&[&arguments[..], &["--held-out-share", "0.4"]].concat());
    let count = |path: &Path| RecordReader::open(path).unwrap().len();
    assert!(count(&train) > 0, "{said}");
    let all = folder.join("all.pos");
    lab_ok(&["shuffle", text(&games), "-o", text(&all), "--held-out-share", "0"]);
    // A position in both parts is one position in all of them.
    assert!(count(&all) <= count(&train) + count(&held));
    assert!(count(&all) >= count(&train).max(count(&held)));
    let said = lab_ok(&["inspect", text(&games)]);
    assert!(said.contains("games      8 "), "{said}");
}
