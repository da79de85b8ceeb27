//! `brier analyze`: what it prints, what it writes, and what it says when something is wrong.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use super::clients::python_with;

/// Three games: a short mate with a name that needs escaping, one with an illegal move, and a
/// Chess960 game in which a king castles.
const GAMES: &str = r#"[Event "Test"]
[White "<Fool> & \"Co\""]
[Black "O'Mate"]
[Result "0-1"]

1. f3 {[%clk 0:00:10]} e5 2. g4 Qh4# 0-1

[Event "Broken"]
[Result "*"]

1. e4 e5 2. Qh6 Nc6 *

[Event "Random"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. O-O O-O 3. c4 c5 1/2-1/2
"#;

/// A folder of its own for each test, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("analyze-{name}"));
        std::fs::create_dir_all(&path).expect("a folder");
        let folder = Self(path);
        folder.write("games.pgn", GAMES);
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path that is text").to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left lies in the build folder and harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brier")).args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The one line on standard error of a run that must fail.
fn fault(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    text(&output.stderr)
}

#[test]
fn games_are_reported_and_written() {
    let folder = Folder::new("all");
    let (games, page, pgn) =
        (folder.path("games.pgn"), folder.path("page.html"), folder.path("out.pgn"));
    let output = run(&["analyze", &games, "--nodes", "2000", "--html", &page, "--pgn", &pgn]);
    // One game is broken: the others are there all the same, and the status tells.
    assert!(!output.status.success());
    let first = "games.pgn, line 11: move 2. Qh6: expected a legal move";
    let errors = text(&output.stderr);
    assert!(errors.contains("1 of 3 games could not be read to the end; the first: "), "{errors}");
    assert!(errors.contains(first), "{errors}");
    let report = text(&output.stdout);
    assert!(report.contains("Game 1: <Fool> & \"Co\" - O'Mate (Test, 0-1)"), "{report}");
    let cut = "not read to its end: line 11: move 2. Qh6: expected a legal move";
    assert!(report.contains(&format!("(Broken, unfinished)\n{cut}")), "{report}");
    assert!(report.contains("Game 3: White - Black (Random, 1/2-1/2)"), "{report}");
    assert!(report.contains("    2. g4??"), "{report}");
    assert!(report.contains("  2... O-O"), "{report}");
    assert_eq!(report.matches(" as the engine").count(), 6, "{report}");

    let page = folder.read("page.html");
    assert!(page.contains("&lt;Fool&gt; &amp; &quot;Co&quot;") && !page.contains("<Fool>"));
    assert_eq!(page.matches("<svg class=\"chart\"").count(), 3);
    assert!(page.contains("Not read: line 11: move 2. Qh6"), "{page}");
    assert!(page.contains("class=\"board\"") && page.ends_with("</html>\n"));

    let pgn = folder.read("out.pgn");
    // Lines of text end anywhere.
    let pgn = pgn.replace('\n', " ");
    assert!(pgn.contains("2. g4 $4 { [%eval #-1]") && pgn.contains("[%clk 0:00:10]"), "{pgn}");
    assert_eq!(pgn.matches("[Event ").count(), 3);
    assert!(pgn.contains("unread: Qh6 Nc6"), "{pgn}");
    let again = run(&["analyse", &folder.path("out.pgn"), "--nodes", "100"]);
    assert!(again.status.success(), "{again:?}");
}

#[test]
fn one_thread_says_the_same_twice() {
    let folder = Folder::new("same");
    let (games, svg) = (folder.path("games.pgn"), folder.path("chart.svg"));
    let arguments = ["analyze", &games, "--game", "3", "--nodes", "2000", "--svg", &svg];
    let (first, chart) = (run(&arguments), folder.read("chart.svg"));
    assert!(first.status.success(), "{first:?}");
    assert!(chart.contains("class=\"median\"") && chart.contains("<title>2... O-O"), "{chart}");
    assert_eq!(run(&arguments).stdout, first.stdout);
    assert_eq!(folder.read("chart.svg"), chart);
    assert_eq!(std::fs::read_dir(&folder.0).expect("a folder").count(), 2, "nothing unfinished");
}

/// One bad game, whatever is wrong with it, does not touch its neighbours; and what people wrote
/// into their games is still there afterwards.
#[test]
fn bad_games_spoil_nothing_and_nothing_is_lost() {
    let folder = Folder::new("tolerant");
    let huge = "x".repeat(1 << 20);
    let games = format!(
        "[Event \"Open\"]\n\n1. e4 {{never closed e5 2. d4 *\n\n[Event \"{huge}\"]\n\n1. d4 *\n\n\
         [Event \"German\"]\n[White \"\u{1b}[31mred\"]\n\n1. e4 e5 2. Sf3 Sc6 *\n\n\
         [Event \"Wrong start\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 {{kept}} *\n\n\
         [Event \"Notes\"]\n\n1. e4! {{mine}} (1. d4 {{or this}} d5) e5 2. ♘f3 g8f6 *\n"
    );
    folder.write("games.pgn", &games);
    let (games, page, pgn) =
        (folder.path("games.pgn"), folder.path("page.html"), folder.path("out.pgn"));
    let output = run(&["analyze", &games, "--nodes", "200", "--html", &page, "--pgn", &pgn]);
    let report = text(&output.stdout);
    assert!(text(&output.stderr).contains("2 of 5 games could not be read to the end"), "{report}");
    for words in [
        "not read to its end: line 3: expected \"}\" at the end of a comment",
        "not all was read: line 5: expected at most 4096 bytes",
        "2... Nc6",
        "Game 4: White - Black\nnot read to its end: line 14: FEN",
        "2... Nf6",
    ] {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert!(!report.contains('\u{1b}'), "a name commands no terminal");
    assert!(folder.read("page.html").contains("Not read: line 14: FEN"));
    let pgn = folder.read("out.pgn");
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["1. e4 $1 {", "mine", "( 1. d4 { or this } 1... d5 )", "unread: 1. e4 (kept)"] {
        assert!(pgn.contains(words), "{words}: {pgn}");
    }
    assert_eq!(pgn.matches("[Event ").count(), 5);
}

/// Memory is linear in a game's length, and there is an end to what is read.
#[test]
fn a_game_of_many_plies_is_cut_with_a_reason() {
    let folder = Folder::new("long");
    folder.write("games.pgn", &format!("{} *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(2_000)));
    let output = run(&["analyze", &folder.path("games.pgn"), "--nodes", "1", "--hash", "1"]);
    assert!(text(&output.stdout).contains("expected at most 6000 half-moves in a game, got more"));
    assert!(text(&output.stdout).contains("White: 3000 moves, "));
}

/// The game that the documentation shows.
#[test]
fn a_whole_game_ends_as_it_did() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/games/opera.pgn");
    let output = run(&["analyze", game, "--nodes", "2000"]);
    let report = text(&output.stdout);
    let table = report.split("\nWhite: ").next().expect("a table");
    let moves = table.lines().filter(|line| line.contains(". ") || line.contains("... "));
    assert_eq!(moves.count(), 33, "{report}");
    assert!(report.contains("\nC41 Philidor Defense"), "{report}");
    assert!(report.contains("What decided the game:"), "{report}");
    assert!(report.contains("   17. Rd8#         mate                      1.00\n"), "{report}");
    assert!(report.contains("\nWhite: 17 moves, ") && report.contains("\nBlack: 16 moves, "));
}

#[test]
fn a_position_shows_its_lines() {
    let output = run(&["analyze", "--fen", "startpos", "--nodes", "2000", "--lines", "2"]);
    let report = text(&output.stdout);
    assert!(output.status.success() && report.contains("\n 2. ") && !report.contains("\n 3. "));
    let mate = ["analyze", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--depth", "4"];
    assert!(text(&run(&mate).stdout).contains("#1  1.00 points  1. Ra8#"));
}

#[test]
fn faults_say_what_was_expected_and_leave_files_alone() {
    let folder = Folder::new("faults");
    let games = folder.path("games.pgn");
    folder.write("empty.pgn", "");
    folder.write("broken.pgn", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n");
    folder.write("old.svg", "old");
    let (empty, broken, old) =
        (folder.path("empty.pgn"), folder.path("broken.pgn"), folder.path("old.svg"));
    let missing = folder.path("no/such.pgn");
    for (arguments, words) in [
        (&["analyze", &missing][..], "no/such.pgn"),
        (&["analyze", &empty], "expected games in PGN, found none"),
        (&["analyze", &games, "--game", "7"], "expected --game from 1 to 3"),
        (&["analyze", &games, "--svg", &old], "expected --game N with --svg"),
        (&["analyze", &games, "--me", "Nobody", "--nodes", "10"], "expected games of Nobody"),
        (&["analyze", &games, "--me", " ,", "--nodes", "10"], "expected a name"),
        (&["analyze", &games, "--book", &games], "games.pgn"),
        (&["analyze", &games, "--out", &old], "old.svg"),
        (&["analyze", "--fens", &missing], "no/such.pgn"),
        (&["analyze", "--fens", &games, "--format", "pgn"], "positions are no games"),
        (&["analyze", &games, "--pgn", &games], "expected another file"),
        (&["analyze", &games, "--html", &missing], "no/such.pgn"),
        (&["analyze", &broken, "--nodes", "10", "--svg", &old], "expected a game"),
        (&["analyze", &games, "--eval-file", &old], "expected"),
        (&["analyze", "--fen", "8/8/8 w - -"], "expected 8 ranks, got 3"),
        (&["analyze", "--fen", "startpos", "--svg", &old], "cannot be used with"),
        (&["analyze"], "FILE"),
    ] {
        let said = fault(arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    assert_eq!(
        (folder.read("old.svg").as_str(), folder.read("games.pgn").as_str()),
        ("old", GAMES)
    );
}

/// python-chess reads the written games: scores, marks, variations, and no errors.
#[test]
#[expect(clippy::print_stdout, reason = "a test that is left out is named")]
fn python_chess_reads_the_annotated_games() {
    let Some(python) = python_with("chess.pgn") else {
        return println!("skipped: no python3 with the package `chess`");
    };
    let folder = Folder::new("python");
    let (games, pgn) = (folder.path("games.pgn"), folder.path("out.pgn"));
    run(&["analyze", &games, "--nodes", "2000", "--pgn", &pgn]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uci/annotated.py");
    let output =
        Command::new(python).args([script, &pgn]).stdin(Stdio::null()).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
}
