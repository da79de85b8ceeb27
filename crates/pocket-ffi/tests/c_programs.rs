//! Compiles C programs against `engine.h` and the static library and runs them.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The newest static library that cargo built beside this test.
fn static_library() -> PathBuf {
    let deps = env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let mut found: Vec<_> = fs::read_dir(&deps)
        .unwrap()
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("libpocket_ffi") && name.ends_with(".a")
        })
        .collect();
    found.sort_by_key(|path| fs::metadata(path).and_then(|m| m.modified()).unwrap());
    found.pop().unwrap_or_else(|| panic!("no libpocket_ffi*.a in {}", deps.display()))
}

/// Compiles a C file, strictly; none if there is no C compiler here.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn compile(source: &str, name: &str) -> Option<PathBuf> {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-I"])
        .arg(crate_dir.join("include"))
        .arg(crate_dir.join(source))
        .arg(static_library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output();
    match output {
        Err(error) => {
            eprintln!("skipped: expected the C compiler 'cc' on PATH, got {error}");
            None
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{source} does not compile:\n{said}");
            Some(program)
        }
    }
}

/// Runs a program with some input and returns what it printed.
fn run(program: &Path, input: &str) -> (i32, String) {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_header_and_the_library_agree() {
    let Some(program) = compile("tests/c/layout_test.c", "layout_test") else { return };
    let (code, said) = run(&program, "");
    assert_eq!(code, 0, "{said}");
    assert!(said.ends_with("0 failures\n"), "{said}");
}

#[test]
fn the_example_plays_a_whole_game() {
    let Some(program) = compile("examples/host.c", "host") else { return };
    let (code, said) = run(&program, "level 2\ne2\ne2e5\ne2e4\nauto\ne2e4\nquit\n");
    assert_eq!(code, 0, "{said}");
    // The selected pawn's destinations are marked, the illegal move is refused.
    assert!(said.contains("*. . . ."), "{said}");
    assert!(said.contains("got 'e2e5'"), "{said}");
    let ends = ["Checkmate.", "Stalemate.", "Draw: "];
    assert!(ends.iter().any(|end| said.contains(end)), "the game did not end:\n{said}");
    assert!(said.contains("The game is over"), "{said}");
}
