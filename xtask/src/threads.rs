//! `cargo xtask check-threads`: what runs at the same time, tried in ways that tests do not.
//!
//! `models/control` runs the state that stops a search under loom, in every order of events. The
//! search's own tests run under the thread sanitizer, which sees two threads that touch the same
//! memory without an order between them; the standard library is built with it.

use crate::need::Need;
use crate::{nightly, shell};

/// What it cannot run without.
pub(crate) const NEEDS: &[Need] = &[nightly::WITH_SOURCE];

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
    let arguments = ["test", "-Zbuild-std", "--target", nightly::SYSTEM, "--package"];
    let mut command = nightly::cargo(&arguments, "thread-sanitizer");
    command
        .args(["brier-search", "--test", "engine", "--"])
        .args(TESTS)
        .env("RUSTFLAGS", "-Zsanitizer=thread -Ctarget-cpu=x86-64-v3")
        .env("TSAN_OPTIONS", "halt_on_error=1");
    shell::run(&mut command)
}
