//! `brier-lab import` as a user starts it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use data::viri::Reader;
use data::{Game, Outcome};

const GAMES: &str = r#"
[Event "plain"]
[Result "1-0"]

{WhiteEngineOptions: Threads=104; Hash=65536;}
1. e4 {book, mb=+0,} e5 {d=1, wv=0.00, pv=e5,}
2. Nf3 {d=30, sd=40, pv=Nf3 Nc6 Bb5 a6, wv=0.31, R50=50,} Nc6 {d=31, pv=b8c6 f1b5 a7a6 e1g1, wv=0.28,}
3. Bb5 a6 {d=32, pv=Nf6 O-O, wv=0.20,}
4. Ba4 {d=30, pv=Ba4 Nf6 nonsense O-O, wv=M5,} 1-0

[Event "chess960, Black first"]
[FEN "5k1r/8/8/8/8/8/8/5K1R b Kk - 0 1"]
[Result "0-1"]

1... Ke7 {+0.50/20 1.0s} 2. O-O {-0.40/21 1.0s} Ke6 {+0.45/20 1.0s} 0-1

[Event "no scores"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[Event "unfinished"]
[Result "*"]

1. d4 {d=30, wv=0.1,} *

[Event "illegal"]
[Result "1-0"]

1. d5 {d=30, wv=0.1,} 1-0

[Event "bad start"]
[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]
[Result "1-0"]

1. d5 {d=30, wv=0.1,} 1-0
"#;

fn fresh_folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Imports and returns success, what was said, and the games.
fn import(folder: &Path, more: &[&str]) -> (bool, String, Vec<Game>) {
    let output = folder.join("games.vf");
    let run = Command::new(env!("CARGO_BIN_EXE_brier-lab"))
        .arg("import")
        .arg(folder)
        .arg("-o")
        .arg(&output)
        .args(more)
        .output()
        .unwrap();
    let said = [run.stdout, run.stderr].concat();
    let games = match Reader::open(&output) {
        Ok(reader) => reader.map(Result::unwrap).collect(),
        Err(_) => Vec::new(),
    };
    (run.status.success(), String::from_utf8(said).unwrap(), games)
}

/// A game as "first side to move, moves with scores".
fn show(game: &Game) -> String {
    let moves = game.replay().map(|position| {
        let position = position.unwrap();
        format!(" {}:{}", position.board.san(position.mv), position.score)
    });
    format!("{}{}", game.start.side_to_move().letter(), moves.collect::<String>())
}

#[test]
fn games_and_variations_are_imported() {
    let folder = fresh_folder("import");
    fs::write(folder.join("some.pgn"), GAMES).unwrap();
    let (ok, said, games) = import(&folder, &[]);
    assert!(ok, "{said}");
    let shown: Vec<_> = games.iter().map(show).collect();
    assert_eq!(
        shown,
        [
            // From the first scored move; a move without a score begins a new piece.
            "w Nf3:31 Nc6:28",
            "b a6:20 Ba4:29990",
            // Variations start after the move, bear its score, and end at what cannot be read.
            "b Nc6:31 Bb5:31 a6:31",
            "w Bb5:28 a6:28 O-O:28",
            "b Nf6:29990",
            // The mover's score becomes White's.
            "b Ke7:-50 O-O:-40 Ke6:-45",
        ]
    );
    assert_eq!(games[0].outcome, Outcome::WhiteWins);
    assert_eq!(games[5].outcome, Outcome::BlackWins);
    assert!(games[..5].iter().all(|game| game.group() == games[0].group()));
    for reason in ["result", "comments with scores", "legal moves", "king"] {
        assert!(said.contains(reason), "{reason}: {said}");
    }

    let (ok, said, _) = import(&folder, &[]);
    assert!(!ok && said.contains("does not exist yet"), "{said}");
}

#[test]
fn variations_can_be_left_out_and_scores_be_white_s() {
    let folder = fresh_folder("import-options");
    fs::write(folder.join("some.pgn"), GAMES).unwrap();
    let (ok, said, games) = import(&folder, &["--pv-plies", "0", "--score-side", "white"]);
    assert!(ok, "{said}");
    let shown: Vec<_> = games.iter().map(show).collect();
    assert_eq!(shown, ["w Nf3:31 Nc6:28", "b a6:20 Ba4:29990", "b Ke7:50 O-O:-40 Ke6:45"]);
}

#[test]
fn damaged_files_do_no_harm() {
    let folder = fresh_folder("import-damaged");
    let bytes = GAMES.as_bytes();
    for length in (0..bytes.len()).step_by(50) {
        let _ = fs::remove_file(folder.join("games.vf"));
        let mut damaged = bytes[..length].to_vec();
        damaged.extend([0xFF, b'{', 0, b'(']);
        fs::write(folder.join("some.pgn"), damaged).unwrap();
        let (ok, said, _) = import(&folder, &[]);
        assert!(ok || said.contains("cannot import"), "{length}: {said}");
    }
}
