//! The pocket engine on small processors: `arm` runs it on an emulated Cortex-M, `c` translates it
//! to C and runs that on the desktop and on an emulated eZ80.
//!
//! Here is what both share: the targets, the toolchain's linker, and the text that every run
//! must print.

pub(crate) mod arm;
pub(crate) mod c;

use std::path::PathBuf;
use std::process::Command;

use crate::{need, shell};

/// The targets of the static library; rustup has a built `core` for each.
pub(crate) const TARGETS: [&str; 3] =
    ["thumbv6m-none-eabi", "thumbv7em-none-eabi", "riscv32imac-unknown-none-elf"];

/// The linker that comes with a Rust toolchain.
fn linker() -> Result<PathBuf, String> {
    let host = shell::output_of(&mut shell::program("rustc", &["--print", "host-tuple"]))?;
    let sysroot = need::sysroot().ok_or("expected rustc on the path, found none")?;
    let lld = sysroot.join("lib/rustlib").join(host.trim()).join("bin/rust-lld");
    match lld.is_file() {
        true => Ok(lld),
        false => Err(format!("expected the toolchain's linker at {}", lld.display())),
    }
}

/// A program of this workspace, to be run in the tests' profile.
fn tool(package: &str) -> Command {
    shell::cargo(&["run", "--quiet", "--package", package, "--"])
}

/// Builds the C library for this machine with some features; the path of the archive.
fn library(features: &str) -> Result<PathBuf, String> {
    let folder = shell::target().join("pocket-c-library");
    let mut cargo = shell::cargo(&["build", "--quiet", "--package", "brier-pocket-ffi", "--lib"]);
    cargo.args(["--features", features, "--target-dir"]).arg(&folder);
    shell::run(&mut cargo)?;
    Ok(folder.join("debug/libpocket_ffi.a"))
}

/// What a run of `pocket::proof` must print, by the desktop's engine: `full` or `small`.
fn expected(run: &str) -> Result<String, String> {
    let mut example = shell::cargo(&["run", "--quiet", "--package", "brier-pocket"]);
    shell::output_of(example.args(["--example", "proof", "--", run]))
}

/// The number that a line `# name number` of a run tells.
fn measured(said: &str, name: &str) -> Result<u64, String> {
    let line = said.lines().find_map(|l| l.strip_prefix(&format!("# {name} ")));
    let number = line.and_then(|text| text.trim().parse().ok());
    number.ok_or_else(|| format!("expected a line '# {name} <number>', got\n{said}"))
}

/// A run's lines without those that begin with `#`.
fn without_measures(said: &str) -> String {
    said.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect()
}

/// Prints parts with their limits; fails at the first that is above its own.
fn check_limits(rows: &[(&str, u64, u64)]) -> Result<(), String> {
    println!("{:<40} {:>9} {:>9}", "part", "used", "limit");
    for (name, used, limit) in rows {
        println!("{name:<40} {used:>9} {limit:>9}");
    }
    match rows.iter().find(|(_, used, limit)| used > limit) {
        None => Ok(()),
        Some((name, used, limit)) => Err(format!("expected {name} at most {limit}, got {used}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_above_its_limit_fails() {
        assert!(check_limits(&[("a", 5, 5)]).is_ok());
        let error = check_limits(&[("a", 5, 5), ("b", 7, 6)]).unwrap_err();
        assert_eq!(error, "expected b at most 6, got 7");
    }

    #[test]
    fn measures_are_told_from_results() {
        let said = "perft 1\n# stack 12\nthink 2\n";
        assert_eq!(without_measures(said), "perft 1\nthink 2\n");
        assert_eq!(measured(said, "stack"), Ok(12));
        assert!(measured(said, "cycles").is_err());
    }
}
