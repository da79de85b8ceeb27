//! The binary with arguments: `bench`, `completions`, and faults.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brier")).args(arguments).output().expect("the binary runs")
}

fn bench_nodes(arguments: &[&str]) -> u64 {
    let output = run(arguments);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let last: Vec<_> = text.lines().last().expect("a line").split_whitespace().collect();
    let [nodes, "nodes", nps, "nps"] = last[..] else { panic!("{last:?}") };
    assert!(nps.parse::<u64>().is_ok(), "{nps}");
    nodes.parse().expect("a number of nodes")
}

#[test]
fn bench_counts_the_same_nodes_on_every_run() {
    let nodes = bench_nodes(&["bench", "4"]);
    assert!(nodes > 50);
    assert_eq!(bench_nodes(&["bench", "4"]), nodes);
    assert_eq!(bench_nodes(&["bench", "4", "1", "16"]), nodes);
    assert!(bench_nodes(&["bench", "5"]) > nodes);
}

#[test]
fn there_are_completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success(), "{shell}");
        let script = String::from_utf8(output.stdout).expect("text");
        assert!(script.contains("completions") && script.contains("bench"), "{shell}");
    }
}

#[test]
fn faults_say_what_was_expected() {
    for arguments in [&["bench", "deep"][..], &["bench", "0"], &["bench", "1", "2", "3", "4"]] {
        let output = run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.contains("expected") && text.lines().count() == 1, "{text}");
    }
}

/// A person at a terminal sees what to try, and may speak UCI all the same; a GUI sees only UCI.
/// `script`, which is part of every Linux, gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_greeted() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let program = env!("CARGO_BIN_EXE_brier");
    let mut child = Command::new("script")
        .args(["-qec", program, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"isready\nquit\n").expect("the session reads");
    let said = String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text");
    for words in ["serve --open", "analyze games.pgn", "a chess GUI", "readyok"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// In whatever little memory: it answers, or it says that it cannot and ends with a failure.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_cannot_start_says_so_and_fails() {
    let mut refused = 0;
    for megabytes in (20..120).step_by(4) {
        let run_in = |megabytes: u32, command: &str| {
            let script = format!("ulimit -v {}; {command}", megabytes * 1024);
            let program = env!("CARGO_BIN_EXE_brier");
            Command::new("bash").args(["-c", &script, program]).output().expect("bash runs")
        };
        // Where the program itself or the system's libraries do not fit, or nothing is left for the
        // standard library to begin with, nothing of ours runs.
        if !run_in(megabytes - 2, "LD_TRACE_LOADED_OBJECTS=1 \"$0\"").status.success() {
            continue;
        }
        let output = run_in(megabytes, "echo go depth 1 | \"$0\"");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match text.contains("cannot start") {
            true => {
                refused += 1;
                assert_eq!(output.status.code(), Some(1), "{megabytes} MB: {output:?}");
                assert!(text.contains("expected"), "{text}");
            }
            false => {
                assert!(text.contains("bestmove"), "{megabytes} MB: {output:?}");
                assert!(output.status.success(), "{megabytes} MB: {output:?}");
            }
        }
    }
    assert!(refused > 0, "too much memory for this test");
}

#[test]
fn names_in_files_cannot_command_the_terminal() {
    let path = std::env::temp_dir().join(format!("brier-escapes-{}.epd", std::process::id()));
    let run = |line: &str| {
        std::fs::write(&path, line).expect("a file can be written");
        let path = path.to_string_lossy();
        let output = run(&["suite", &path, "--nodes", "1", "--hash", "1"]);
        [output.stdout, output.stderr].concat()
    };
    let id = run("6k1/8/8/8/8/8/8/3R2K1 w - - bm #1; id \"\u{1b}[2Jname\u{7}\";\n");
    let fault = run("6k1/8/8/8/8/8/8/3R2K1 w - - bm #\u{1b}[2J;\n");
    let table = run("FEN,\u{1b}[2J\n");
    for text in [&id, &fault, &table] {
        assert!(!text.iter().any(|&byte| byte.is_ascii_control() && byte != b'\n'), "{text:?}");
    }
    let id = String::from_utf8(id).expect("text");
    assert!(id.contains("\u{fffd}[2Jname\u{fffd}"), "{id}");
    std::fs::remove_file(&path).expect("it was written above");
}
