//! `cargo xtask deny`: what is known of the packages that others wrote, by
//! [cargo-deny](https://embarkstudios.github.io/cargo-deny/) and the rules in `deny.toml`.
//!
//! Licences, sources and packages in several versions are in the lock files; known vulnerabilities come
//! from RustSec's database, which needs a network. The program is built from crates.io into the build
//! folder, without optimisation, which takes minutes as it is. [`crate::licences`] asks some of the same
//! in every test, with nothing but Cargo.

use std::path::PathBuf;
use std::process::Command;

use crate::need::Need;
use crate::shell;
use crate::steps::Outcome;

/// What it cannot run without.
pub(crate) const NEEDS: &[Need] = &[Need::CargoDeny];

/// The version that `deny.toml` is written for.
pub(crate) const VERSION: &str = "0.20.2";

const DATABASE: &str = "https://github.com/rustsec/advisory-db";

/// One for each lock file.
const MANIFESTS: [&str; 7] = [
    "Cargo.toml",
    "bindings/python/Cargo.toml",
    "bindings/wasm/Cargo.toml",
    "embedded/ez80/Cargo.toml",
    "embedded/firmware/Cargo.toml",
    "fuzz/Cargo.toml",
    "models/control/Cargo.toml",
];

/// Where the program is.
pub(crate) fn program() -> PathBuf {
    folder().join("bin").join("cargo-deny")
}

fn folder() -> PathBuf {
    shell::target().join("cargo-deny").join(VERSION)
}

/// Builds the program.
pub(crate) fn install() -> Result<(), String> {
    let mut command = shell::cargo(&["install", "--locked", "--debug", "--version", VERSION]);
    command.arg("--root").arg(folder()).arg("cargo-deny");
    // Lines of code in its own panics are worth no gigabyte.
    shell::run(command.env("CARGO_PROFILE_DEV_DEBUG", "0"))
}

/// All checks; without the database that is an error.
pub(crate) fn run() -> Result<(), String> {
    match step() {
        Outcome::Passed => Ok(()),
        Outcome::Failed(reason) => Err(reason),
        Outcome::NotRun(reason) => Err(format!("not run: {reason}")),
    }
}

/// All checks; without the database those that need none.
pub(crate) fn step() -> Outcome {
    let rules = check(&["bans", "licenses", "sources"]);
    if rules.is_err() {
        return rules.into();
    }
    // Asked through git, as cargo-deny does: a setting of git's may name a copy (`insteadOf`).
    let mut git = shell::program("git", &["ls-remote", DATABASE, "HEAD"]);
    match shell::output_of(git.env("GIT_TERMINAL_PROMPT", "0")) {
        Ok(_) => check(&["advisories"]).into(),
        Err(reason) => {
            Outcome::NotRun(format!("in part: known vulnerabilities, without {DATABASE}: {reason}"))
        }
    }
}

/// Some checks of all lock files; the error names those that failed.
fn check(checks: &[&str]) -> Result<(), String> {
    let check = |manifest| shell::run(command(manifest).arg("check").args(checks));
    let failed: Vec<String> = MANIFESTS.iter().filter_map(|path| check(path).err()).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn command(manifest: &str) -> Command {
    let mut command = shell::program(program(), &["--locked", "--all-features", "--manifest-path"]);
    // Its rules are found in a folder above each.
    command.arg(manifest);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lock_file_is_checked() {
        let files = shell::output_of(&mut shell::program("git", &["ls-files", "*Cargo.lock"]));
        let manifests: Vec<String> =
            files.unwrap().lines().map(|file| file.replace(".lock", ".toml")).collect();
        assert_eq!(manifests, MANIFESTS);
    }
}
