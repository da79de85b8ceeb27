//! Files that are not what they should be: inputs as outputs, pipes, devices, links, full disks.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::driver::Engine;

const GAMES: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n";

/// The winner's three moves.
const BOOK_BYTES: u64 = 3 * 16;

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("brier-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn pipe(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn brier() -> Command {
    Command::new(env!("CARGO_BIN_EXE_brier"))
}

fn build(output: &Path, games: &Path) -> Output {
    let mut command = brier();
    command.args(["book", "build", "--min-games", "1", "-o"]).arg(output).arg(games);
    command.output().expect("the binary runs")
}

fn refusal(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_book_never_takes_the_place_of_its_games() {
    let folder = Folder::new("own-input");
    let games = folder.file("x.pgn", GAMES);
    let link = folder.0.join("link.bin");
    symlink(&games, &link).unwrap();
    for output in [&games, &link] {
        let text = refusal(&build(output, &games));
        assert!(text.contains("expected a book of its own to write"), "{text}");
        assert_eq!(fs::read_to_string(&games).unwrap(), GAMES);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_anything_is_read() {
    let folder = Folder::new("no-output");
    let games = folder.file("x.pgn", GAMES);
    let text = refusal(&build(&folder.0.join("no/such.bin"), &games));
    assert!(text.contains("cannot write") && text.contains("no/such.bin"), "{text}");
    let text = refusal(&build(&folder.0, &games));
    assert!(text.contains("got a folder"), "{text}");
}

#[test]
fn a_book_is_replaced_through_a_link_and_keeps_its_mode() {
    let folder = Folder::new("link");
    let games = folder.file("x.pgn", GAMES);
    let (book, link) = (folder.file("book.bin", "old"), folder.0.join("link.bin"));
    fs::set_permissions(&book, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("book.bin", &link).unwrap();
    assert!(build(&link, &games).status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&book).unwrap().len(), BOOK_BYTES);
    assert_eq!(fs::metadata(&book).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_device_is_written_into_and_a_long_name_is_no_fault() {
    let folder = Folder::new("device");
    let games = folder.file("x.pgn", GAMES);
    assert!(build(Path::new("/dev/null"), &games).status.success());
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let long = folder.0.join("b".repeat(255));
    assert!(build(&long, &games).status.success());
    assert_eq!(fs::metadata(&long).unwrap().len(), BOOK_BYTES);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2);
}

#[test]
fn pipes_and_endless_devices_are_no_networks_books_or_policies() {
    let folder = Folder::new("pipe");
    let pipe = folder.pipe("pipe");
    let mut engine = Engine::start();
    for file in [pipe.to_str().unwrap(), "/dev/zero"] {
        for option in ["EvalFile", "BookFile", "PolicyFile"] {
            engine.send(&format!("setoption name {option} value {file}"));
            let said = engine.sync().join("\n");
            assert!(said.contains(&format!("setoption ignored: {option}")), "{said}");
            assert!(said.contains("expected a regular file"), "{said}");
        }
        let output = brier().args(["policy", "info", file]).output().unwrap();
        assert!(refusal(&output).contains("expected a regular file"));
    }
    for games in [["analyze", "/dev/zero"].as_slice(), &["analyze", "--fens", "/dev/zero"]] {
        let output = brier().args(games).output().unwrap();
        assert!(refusal(&output).contains("expected a file or a pipe, got a device"));
    }
    folder.pipe("KQvK.rtbw");
    let output = brier().args(["tb", "info", "--path"]).arg(&folder.0).output().unwrap();
    assert!(output.stdout.starts_with(b"0 files"), "{output:?}");
}

#[test]
fn a_book_that_is_cut_while_it_is_in_use_does_no_harm() {
    let folder = Folder::new("cut");
    let games = folder.file("x.pgn", GAMES);
    let book = folder.0.join("book.bin");
    assert!(build(&book, &games).status.success());
    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    engine.send(&format!("setoption name BookFile value {}", book.display()));
    engine.sync();
    File::create(&book).unwrap();
    let answer = engine.search("position startpos", "go depth 2");
    assert!(answer.messages().any(|text| text == "the move is from a book"));
}

#[test]
fn a_reader_that_went_away_and_a_full_standard_error_are_met_quietly() {
    let child = brier().args(["perft", "4"]).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the binary runs");
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    if Path::new("/dev/full").exists() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let status = brier().args(["bench", "deep"]).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(1));
    }
}

/// One byte in Latin-1 is a letter of a name, and no reason to refuse a file of positions.
#[test]
fn positions_may_be_in_any_encoding() {
    let folder = Folder::new("encodings");
    let epd = folder.0.join("latin1.epd");
    let line = b"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm h3; id \"M\xfcller\";\r\n";
    fs::write(&epd, line).unwrap();
    let output = brier().arg("suite").arg(&epd).args(["--depth", "2"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("not solved: Müller") && text.ends_with("solved 0 of 1\n"), "{text}");
    let request = format!("genfens 1 seed 7 book {}", epd.display());
    assert!(brier().arg(request).output().unwrap().status.success());
}
