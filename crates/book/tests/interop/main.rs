//! Books cross program boundaries: python-chess reads ours, we read Polyglot's own.
//!
//! Both sides start from the same games, random ones with every kind of move, and have to agree
//! move for move and weight for weight. Without the other program a test says so and passes.
#![expect(clippy::print_stdout, reason = "a test that skips tells why")]

mod random_games;

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use book::build::{BuildOptions, Builder};
use book::{Book, Entry};

const MAX_PLY: u32 = 60;

/// A folder that vanishes with this value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("brier-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind in the temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program from PATH or from the folder where Debian keeps games.
fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let games = Path::new("/usr").join("games");
    env::split_paths(&path).chain([games]).map(|folder| folder.join(program)).find(|p| p.is_file())
}

fn build(pgn: &str, output: &Path, memory: usize) -> Book {
    let options = BuildOptions { max_ply: MAX_PLY, min_games: 1, memory, ..Default::default() };
    let mut builder = Builder::new(output, options);
    builder.add_pgn(pgn.as_bytes()).expect("the games are in memory");
    let summary = builder.finish().expect("the temporary folder is writable");
    assert_eq!((summary.games, summary.broken), (random_games::COUNT, 0));
    Book::open(output).expect("just written")
}

fn entries(book: &Book) -> BTreeSet<(u64, u16, u16)> {
    let played = book.iter().filter(|entry| entry.weight > 0);
    played.map(|Entry { key, mv, weight, .. }| (key, mv, weight)).collect()
}

#[test]
fn python_chess_reads_our_book() {
    let Some(python) = find("python3") else { return println!("skipped: no python3") };
    let importable = Command::new(&python).args(["-c", "import chess.polyglot"]).status();
    if !importable.is_ok_and(|status| status.success()) {
        return println!("skipped: python3 has no package `chess`");
    }
    let scratch = Scratch::new("python-book");
    let pgn = random_games::pgn(1);
    std::fs::write(scratch.file("games.pgn"), &pgn).expect("writable");
    let ours = build(&pgn, &scratch.file("ours.bin"), 256);
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop/compare_book.py"))
        .args([scratch.file("games.pgn"), scratch.file("ours.bin")])
        .arg(MAX_PLY.to_string())
        .output()
        .expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.trim(), format!("{} entries agree", ours.len()));
}

#[test]
fn we_read_polyglots_book() {
    let Some(polyglot) = find("polyglot") else { return println!("skipped: no polyglot") };
    let scratch = Scratch::new("polyglot-book");
    let pgn = random_games::pgn(2);
    std::fs::write(scratch.file("games.pgn"), &pgn).expect("writable");
    let output = Command::new(polyglot)
        .current_dir(&scratch.0)
        .args(["make-book", "-pgn", "games.pgn", "-bin", "theirs.bin", "-min-game", "1"])
        .args(["-max-ply", &MAX_PLY.to_string()])
        .output()
        .expect("polyglot runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let theirs = Book::open(&scratch.file("theirs.bin")).expect("polyglot wrote it");
    let ours = build(&pgn, &scratch.file("ours.bin"), 256);
    assert!(theirs.len() > 1_000, "{} entries", theirs.len());
    assert_eq!(entries(&theirs), entries(&ours));
    // Not only the bytes: every position of the games finds the moves again.
    for board in random_games::positions(2, MAX_PLY) {
        assert_eq!(theirs.moves(&board), ours.moves(&board), "{board}");
    }
}

#[test]
fn a_book_does_not_depend_on_memory() {
    let scratch = Scratch::new("memory-book");
    let pgn = random_games::pgn(3);
    let roomy = build(&pgn, &scratch.file("roomy.bin"), 256);
    // No megabyte at all: every game becomes a run of its own.
    let tight = build(&pgn, &scratch.file("tight.bin"), 0);
    assert!(roomy.iter().eq(tight.iter()));
    let left_behind = std::fs::read_dir(&scratch.0).expect("it exists").count();
    assert_eq!(left_behind, 2, "temporary files are gone");
}
