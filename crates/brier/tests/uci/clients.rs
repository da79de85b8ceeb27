//! Other people's programs drive the engine: what they make of it is the test.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program on the search path.
fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A Python that can import this module.
pub(crate) fn python_with(module: &str) -> Option<PathBuf> {
    let python = find("python3")?;
    let import = format!("import {module}");
    let status = Command::new(&python).args(["-c", &import]).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success()).then_some(python)
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that is left out is named")]
fn python_chess_plays_and_analyses() {
    let Some(python) = python_with("chess.engine") else {
        return println!("skipped: no python3 with the package `chess`");
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uci/client.py");
    let output = Command::new(python)
        .args([script, env!("CARGO_BIN_EXE_brier")])
        .output()
        .expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that is left out is named")]
fn fastchess_finds_it_compliant() {
    let Some(fastchess) = find("fastchess") else { return println!("skipped: no fastchess") };
    let output = Command::new(fastchess)
        .args(["--compliance", env!("CARGO_BIN_EXE_brier")])
        .output()
        .expect("fastchess runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Engine passed all compliance checks."), "{text}");
}
