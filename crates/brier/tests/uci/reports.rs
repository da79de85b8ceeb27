//! `brier analyze` with many games: inputs, folders, journals and data for programs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use super::clients::python_with;

/// A folder of its own for each test, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("reports-{name}"));
        // What an earlier run that failed has left.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path that is text").to_owned()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn brier(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brier"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    brier(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Some short games that differ.
fn games(count: usize) -> String {
    let first = ["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "Nc3"];
    let reply = ["e5", "d5", "Nf6", "c5", "g6", "e6", "f5"];
    let game = |index: usize| {
        let (white, black) = (index % 8, index / 8 % 7);
        format!(
            "[White \"Player {}\"]\n[Black \"Me\"]\n[WhiteElo \"2000\"]\n[BlackElo \"1900\"]\n[Result \"1-0\"]\n\
             [TimeControl \"60\"]\n\n1. {} {{[%clk 0:00:59]}} {} {{[%clk 0:00:05]}} 2. a3 h5 {{[%clk 0:00:04]}} 1-0\n\n",
            index % 3,
            first[white],
            reply[black]
        )
    };
    (0..count).map(game).collect()
}

/// All files of a folder with their bytes.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else if path.file_name().is_some_and(|name| name != "journal.jsonl") {
            // The journal is in the order in which games were done.
            found.push((path.clone(), fs::read(&path).expect("a file")));
        }
    }
    found.sort();
    found
}

#[test]
fn games_come_from_files_folders_and_standard_input() {
    let folder = Folder::new("inputs");
    let one = folder.write("one.pgn", b"[White \"First\"]\n\n1. e4 *\n");
    folder.write("many/b.PGN", b"[White \"Third\"]\n\n1. c4 *\n");
    folder.write("many/a.pgn", b"[White \"Second\"]\n\n1. d4 *\n");
    folder.write("many/deep/c.pgn", b"[White \"Fourth\"]\n\n1. f4 *\n");
    folder.write("many/notes.txt", b"1. e4 *");
    let many = folder.path("many");
    let mut child = brier(&["analyze", &one, &many, "-", "--nodes", "50", "--threads", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"[White \"Fifth\"]\n\n1. b4 *\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let report = text(&output.stdout);
    let mut places = Vec::new();
    for (number, name) in ["First", "Second", "Third", "Fourth", "Fifth"].iter().enumerate() {
        let heading = format!("Game {}: {name} - Black", number + 1);
        places.push(report.find(&heading).unwrap_or_else(|| panic!("{heading}: {report}")));
    }
    assert!(places.is_sorted() && report.contains("a.pgn\nGame 2"), "{report}");
    assert!(report.contains("\n5 games; "), "{report}");
}

/// A report does not depend on the number of threads, nor on how often it was killed.
#[test]
fn a_report_that_was_killed_becomes_the_same_report() {
    let folder = Folder::new("killed");
    let games = folder.write("games.pgn", games(40).as_bytes());
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let arguments = |out: &str, threads: &str| {
        let words = [
            "analyze",
            &games,
            "--nodes",
            "3000",
            "--me",
            "me",
            "--threads",
            threads,
            "--out",
            out,
        ];
        words.map(str::to_owned)
    };
    let of = |out: &str, threads: &str| {
        let words = arguments(out, threads);
        brier(&words.each_ref().map(String::as_str))
    };
    let output = of(&whole, "1").output().expect("the binary runs");
    assert!(output.status.success(), "{output:?}");
    let said = text(&output.stdout);
    assert!(said.contains("40 games of me") && said.contains("index.html"), "{said}");

    let journal = Path::new(&cut).join("journal.jsonl");
    let lines =
        || fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|&&b| b == b'\n').count());
    for _ in 0..3 {
        let mut child = of(&cut, "2").stdout(Stdio::null()).spawn().expect("the binary runs");
        let before = lines();
        // As soon as it has done something, it dies.
        while lines() < before + 4 && child.try_wait().expect("a child").is_none() {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        child.wait().expect("a child");
    }
    let done = lines();
    assert!((4..41).contains(&done), "{done}");
    assert!(of(&cut, "2").status().expect("the binary runs").success());
    let (whole, cut) = (contents(Path::new(&whole)), contents(Path::new(&cut)));
    assert_eq!(whole.len(), 44, "pages, index, games, script and style");
    for ((path, one), (_, other)) in whole.iter().zip(&cut) {
        assert!(one == other, "{} differs", path.display());
    }
    assert_eq!(cut.len(), 44);
    for (path, bytes) in &whole {
        assert!(bytes.len() < 300_000, "{}: {}", path.display(), bytes.len());
    }
}

#[test]
fn a_folder_with_other_things_or_other_settings_is_left_alone() {
    let folder = Folder::new("foreign");
    let games = folder.write("games.pgn", games(2).as_bytes());
    folder.write("home/letter.txt", b"dear");
    let said = run(&["analyze", &games, "--nodes", "50", "--out", &folder.path("home")]);
    assert!(text(&said.stderr).contains("expected a new folder, or one with a report"), "{said:?}");
    let out = folder.path("out");
    assert!(run(&["analyze", &games, "--nodes", "50", "--out", &out]).status.success());
    let said = run(&["analyze", &games, "--nodes", "60", "--out", &out]);
    assert!(text(&said.stderr).contains("expected a report with the settings"), "{said:?}");
    // The folder holds what is asked for next time, too.
    let again = run(&["analyze", &games, "--nodes", "50", "--out", &out, "--format", "jsonl"]);
    assert!(again.status.success() && text(&again.stdout).lines().count() == 3, "{again:?}");
}

/// Python reads every format, and finds the same numbers in them.
#[test]
fn programs_read_every_format() {
    let python = python_with("json").expect("python3 has json");
    let folder = Folder::new("formats");
    let games = folder.write("games.pgn", (games(3) + "[FEN \"x\"]\n\n1. e4 *\n").as_bytes());
    for format in ["json", "jsonl", "csv", "pgn", "html", "text"] {
        let output = run(&["analyze", &games, "--nodes", "500", "--format", format]);
        assert!(!output.status.success(), "one game cannot be read");
        folder.write(&format!("out.{format}"), &output.stdout);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uci/formats.py");
    let output =
        Command::new(python).args([script, &folder.path("out")]).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&fs::read(folder.path("out.html")).unwrap()).ends_with("</html>\n"));
}

#[test]
fn positions_stream_and_bad_lines_are_named() {
    let folder = Folder::new("fens");
    let lines = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\n# a remark\n\
                 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"M\u{fc}ller\";\nnonsense\n\
                 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n";
    let file = folder.write("positions.txt", lines.as_bytes());
    let arguments = ["analyze", "--fens", &file, "--nodes", "500", "--lines", "2", "--format"];
    let of = |format: &str, more: &[&str]| run(&[&arguments[..], &[format], more].concat());
    let output = of("jsonl", &["--threads", "2"]);
    assert!(text(&output.stderr).contains("1 of 4 lines are no positions"), "{output:?}");
    let found = text(&output.stdout);
    let records: Vec<&str> = found.lines().collect();
    assert_eq!(records.len(), 4, "{found}");
    for (record, words) in records.iter().zip([
        "\"kind\":\"position\",\"line\":1,",
        "\"line\":4,\"fen\":\"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\",\"over\":null,\"lines\":[{\"uci\":[\"d1d8\"],\"san\":[\"Rd8#\"],\"cp\":null,\"mate\":1,",
        "\"kind\":\"error\",\"line\":5,\"text\":\"nonsense\"",
        "\"over\":\"checkmate\",\"lines\":[]",
    ]) {
        assert!(record.contains(words), "{words}: {record}");
    }
    assert_eq!(of("jsonl", &["--threads", "1"]).stdout, output.stdout, "threads change nothing");
    let rows = of("csv", &[]);
    assert!(text(&rows.stdout).starts_with("line,fen,rank,uci,"));
    let reason = "the first is line 5: FEN, board: expected";
    assert!(text(&rows.stderr).contains(reason), "rows have no place for it: {rows:?}");
    assert!(text(&of("json", &[]).stdout).starts_with("{\"version\":1,\"positions\":[\n{"));
    assert!(text(&of("text", &[]).stdout).contains("line 5: "));
}

/// The nodes of every position's first line, added up.
fn nodes(output: &Output) -> u64 {
    assert!(output.status.success(), "{output:?}");
    let counts = text(&output.stdout);
    let counts = counts.split("\"nodes\":").skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).expect("an end");
        rest[..end].parse::<u64>().expect("a number")
    });
    counts.sum()
}

#[test]
fn a_search_ends_when_it_is_sure() {
    let folder = Folder::new("sure");
    // A recapture, and the first move of a game.
    let positions = folder.write(
        "positions.txt",
        b"rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3\n\
          rnbqkb1r/ppp1pppp/5n2/3P4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 1 3\n",
    );
    let search = |more: &[&str]| {
        let always = [
            "analyze",
            "--fens",
            &positions,
            "--nodes",
            "100000",
            "--format",
            "jsonl",
            "--threads",
            "1",
        ];
        run(&[&always[..], more].concat())
    };
    let (all, sure) = (nodes(&search(&[])), nodes(&search(&["--until-sure", "60"])));
    assert!(sure > 0 && sure < all / 2, "{sure} of {all}");
    let refused = search(&["--until-sure", "101"]);
    assert!(!refused.status.success() && text(&refused.stderr).contains("101"), "{refused:?}");
}

#[test]
fn endgame_tables_and_books_are_asked() {
    let folder = Folder::new("tables");
    // Bishop and knight win against the bare king: known with the tables, and only likely without.
    let won = folder.write("won.txt", b"8/8/8/3k4/8/8/8/2BNK3 w - - 0 1\n");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    let is_proved = |more: &[&str]| {
        let always = ["analyze", "--fens", &won, "--nodes", "30", "--format", "jsonl"];
        let record = text(&run(&[&always[..], more].concat()).stdout);
        assert!(record.contains("\"cp\":"), "{record}");
        record.contains("\"quantiles\":null")
    };
    assert!(is_proved(&["--syzygy", tables]) && !is_proved(&[]));

    // Nobody calls 1. a4 h5 2. a5 theory but this book.
    let game = folder.write("game.pgn", b"[Result \"1/2-1/2\"]\n\n1. a4 h5 2. a5 h4 1/2-1/2\n");
    let book = folder.path("book.bin");
    let built = run(&["book", "build", "--min-games", "1", "--output", &book, &game]);
    assert!(built.status.success(), "{built:?}");
    let books = |more: &[&str]| {
        let output =
            run(&[&["analyze", &game, "--nodes", "50", "--format", "jsonl"], more].concat());
        text(&output.stdout).matches("\"book\":true").count()
    };
    assert_eq!((books(&["--book", &book]), books(&[]) < 4), (4, true));
}
