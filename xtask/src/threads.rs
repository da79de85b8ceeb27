//! `cargo xtask check-threads`: what runs at the same time, tried in ways that tests do not.
//!
//! `models/control` runs the state that stops a search under loom, in every order of events. The
//! search's own tests run under the thread sanitizer, which sees two threads that touch the same
//! memory without an order between them; that needs a nightly compiler and the source of the
//! standard library, which is built with it.

use crate::fuzz::SYSTEM;
use crate::shell;

/// The tests that search with several threads, or stop a search from another one.
const TESTS: [&str; 5] = ["several_threads", "all_kinds_of_positions", "stop", "ponder", "mate"];

/// Runs both.
pub(crate) fn check() -> Result<(), String> {
    model()?;
    sanitizer()
}

fn model() -> Result<(), String> {
    let mut command = shell::cargo(&["run", "--release", "--locked", "--manifest-path"]);
    command.arg("models/control/Cargo.toml").arg("--target-dir");
    command.arg(shell::target().join("models"));
    shell::run(&mut command)
}

fn sanitizer() -> Result<(), String> {
    let mut command = shell::program("rustup", &["run", "nightly", "cargo", "test"]);
    command
        .args(["-Zbuild-std", "--target", SYSTEM, "--package", "brier-search", "--test", "engine"])
        .arg("--target-dir")
        .arg(shell::target().join("thread-sanitizer"))
        .arg("--")
        .args(TESTS)
        .env("RUSTFLAGS", "-Zsanitizer=thread -Ctarget-cpu=x86-64-v3")
        .env("TSAN_OPTIONS", "halt_on_error=1")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    shell::run(&mut command).map_err(|reason| {
        format!("{reason}; it needs a nightly compiler with its component rust-src")
    })
}
