//! The pages for users: every command in them is run, as a shell would run it, in a folder with small files
//! of the names that they use. Only how long they search, and where they look for tables, is changed.

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::serve::Server;

/// What is shown on a page.
#[derive(Debug, PartialEq)]
enum Shown {
    /// A line of a block: to be typed as it stands.
    Line(String),
    /// A command inside of a sentence.
    Inline(String),
}

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const GAME: &str = "[White \"Paul Morphy\"]\n[Black \"NAME\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2500\"]\n\
                    [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";

/// The commands of a page in their order: indented blocks and spans of code. Other blocks show output.
fn commands(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let (mut is_fenced, mut goes_on) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced {
            assert!(!line.starts_with("brier "), "a command in a block of output: {line}");
        } else if let Some(code) = line.strip_prefix("    ") {
            match found.last_mut() {
                Some(Shown::Line(begun)) if goes_on => {
                    begun.pop();
                    begun.push_str(code.trim());
                }
                _ => found.push(Shown::Line(code.trim().to_owned())),
            }
            goes_on = code.ends_with('\\');
        } else {
            let spans = line.split('`').skip(1).step_by(2);
            let spans = spans.filter(|span| *span == "brier" || span.starts_with("brier "));
            found.extend(spans.map(|span| Shown::Inline(span.to_owned())));
        }
    }
    found
}

/// The small files that the pages speak of.
fn furnish(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    for name in ["game.pgn", "games.pgn", "more.pgn", "games/one.pgn", "testdata/games/opera.pgn"] {
        write(name, GAME);
    }
    write("games/many.pgn", &GAME.repeat(20));
    write("Twic/twic210.pgn", &GAME.repeat(20));
    write("positions.txt", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    write("docs/analyze-example.svg", "old");
    fs::create_dir_all(folder.join("crates/book/data")).expect("a folder");
    // The beginning of a packed file is enough for who only copies it.
    fs::create_dir_all(folder.join("brier-chess/js")).expect("a folder");
    for name in ["brier.wasm.packed", "default.nnue.packed"] {
        fs::write(folder.join("brier-chess/js").join(name), [0x1f, 0x8b]).expect("a file");
    }
    for name in ["mine.bin", "theirs.bin"] {
        let built = shell(folder, &format!("brier book build --output {name} games/many.pgn"));
        assert!(built.status.success(), "{built:?}");
    }
}

/// Runs a line in the folder, with our program as `brier`.
fn shell(folder: &Path, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_brier"));
    let own = program.parent().expect("a folder").to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&others)));
    Command::new("sh")
        .args(["-c", line])
        .env("PATH", path.expect("folders"))
        .env("SYZYGY_PATH", format!("{REPOSITORY}/testdata/syzygy"))
        .current_dir(folder)
        .output()
        .expect("a shell")
}

/// The same command with a search of fifty nodes, and with the tables of the repository.
fn quick(command: &str) -> String {
    let tables = format!("{REPOSITORY}/testdata/syzygy");
    let command = command
        .replace("/more/tables", &tables)
        .replace(" /tables", &format!(" {tables}"))
        .replace("\"FEN\"", "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"");
    if !command.starts_with("brier analyze ") {
        return command;
    }
    match command.split_once("--nodes ") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
            format!("{before}--nodes 50{rest}")
        }
        None => format!("{command} --nodes 50"),
    }
}

/// Asks a server what a line with `curl` asks for: the text after `-d`, at the path of the address.
fn ask(server: &Server, line: &str) {
    let body = line.split('\'').find(|part| part.starts_with('{')).expect("a question");
    let path = line.split("8127").nth(1).expect("an address with the usual port");
    assert!(line.contains("'Content-Type: application/json'"), "{line}");
    let (head, mut answer) = server.post(path, body);
    let mut first = String::new();
    while first.trim().is_empty() {
        assert!(answer.read_line(&mut first).expect("a line") > 0, "{line}: {head}");
    }
    assert!(head.contains(" 200 ") && first.contains("\"lines\":[{"), "{line}: {head}{first}");
}

/// A command of the repository's own: cargo knows the alias, and `xtask` the word.
fn is_chore(line: &str) -> bool {
    let read = |name: &str| fs::read_to_string(Path::new(REPOSITORY).join(name)).expect("a file");
    match line.split('#').next().map(str::trim) {
        Some("cargo run --release") => {
            read("Cargo.toml").contains("default-members = [\"crates/brier\"]")
        }
        Some(chore) if chore.starts_with("cargo xtask ") => {
            let word = chore.split(' ').nth(2).expect("a word");
            read(".cargo/config.toml").contains("xtask = ")
                && read("xtask/src/main.rs").contains(&format!("name: \"{word}\""))
        }
        _ => false,
    }
}

/// Runs everything that a page shows, in order; returns how many commands these were.
fn follow(page: &str, folder: &Path) -> usize {
    let text = fs::read_to_string(Path::new(REPOSITORY).join(page)).expect("a page");
    let shown = commands(&text);
    let mut server = None;
    for command in &shown {
        let line = match command {
            // A name alone means the command, whatever its arguments.
            Shown::Inline(name) if name.split(' ').count() <= 2 => {
                name.replacen("brier", "brier help", 1)
            }
            Shown::Inline(line) | Shown::Line(line) => line.clone(),
        };
        match line.split(' ').next() {
            Some("brier") if line.starts_with("brier serve") => {
                let arguments: Vec<&str> = line.split(' ').skip(2).collect();
                let started = Server::start(&arguments);
                assert!(started.get("/").1.contains("id=\"board\""), "{line}");
                server = Some(started);
            }
            Some("brier") => {
                let output = shell(folder, &quick(&line));
                assert!(output.status.success(), "{page}: {line}: {output:?}");
                assert!(!output.stdout.is_empty() || line.contains(" --out "), "{page}: {line}");
            }
            Some("curl") => ask(server.as_ref().expect("`brier serve` comes first"), &line),
            _ => assert!(is_chore(&line), "{page}: no known command: {line}"),
        }
    }
    shown.len()
}

#[test]
fn every_command_of_the_pages_for_users_runs() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("documentation");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    furnish(&folder);
    for (page, least) in [
        ("docs/analyze.md", 10),
        ("docs/serve.md", 3),
        ("docs/books.md", 6),
        ("docs/tablebases.md", 2),
        ("README.md", 8),
    ] {
        let count = follow(page, &folder);
        assert!(count >= least, "{page}: {count} commands");
        // The next page may write a report of the same name with other settings.
        let _ = fs::remove_dir_all(folder.join("report"));
    }
    for written in
        ["chart.svg", "page.html", "annotated.pgn", "book.bin", "all.bin", "folder/index.html"]
    {
        assert!(folder.join(written).exists(), "{written}");
    }
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn commands_are_found_wherever_they_stand() {
    let page = "Text `brier tb` and `--path`\n\n    brier a \\\n        b\n    cargo run\n\n```text\n    brier x\n```\n";
    let line = |text: &str| Shown::Line(text.to_owned());
    let name = Shown::Inline("brier tb".to_owned());
    assert_eq!(commands(page), [name, line("brier a b"), line("cargo run")]);
}
