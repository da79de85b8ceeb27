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
