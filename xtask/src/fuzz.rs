//! `cargo xtask fuzz [seconds] [target …]`: every parser under libFuzzer, one after the other.
//!
//! The targets are those of `crates/fuzz-targets`, a program each. They are built once, with the address
//! sanitizer and with the marks by which libFuzzer sees which code an input reaches; that needs a
//! nightly compiler, and nothing else (`cargo fuzz` would do the same). What is learnt stays in
//! `fuzz/corpus`, an input that breaks a promise in `fuzz/artifacts`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::need::Need;
use crate::{nightly, shell};

/// What it cannot run without.
pub(crate) const NEEDS: &[Need] = &[nightly::WITH_SOURCE];

const SECONDS: u64 = 60;
/// Seconds for each target in a run of all tests.
const SHORT: u64 = 10;
/// What `cargo fuzz` gives to the compiler.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares \
                     -Zsanitizer=address -Ctarget-cpu=x86-64-v3 --cfg fuzzing";

/// Where a longer input reaches nothing new and only takes longer: most bytes of one.
const LENGTHS: &[(&str, u32)] = &[
    ("fen", 90),
    ("genfens", 60),
    ("option", 60),
    ("record", 32),
    ("san", 100),
    ("table_name", 10),
    ("uci_command", 120),
    ("uci_move", 90),
    ("uci_reply", 120),
    ("viri", 80),
];
/// Several times the runs: new code counts, but not how often it is reached.
const FAST: &[&str] = &["-entropic=0", "-use_counters=0", "-reload=0"];

/// A short run of every target.
pub(crate) fn short() -> Result<(), String> {
    run(&[SHORT.to_string()])
}

/// Runs the targets that are named, or all, for as many seconds each.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let (seconds, names) = match arguments.split_first() {
        Some((first, rest)) if first.parse::<u64>().is_ok() => (first.parse(), rest),
        _ => (Ok(SECONDS), arguments),
    };
    let seconds = seconds.map_err(|error| format!("expected seconds: {error}"))?;
    let all = targets(&shell::root().join("fuzz").join("seeds"))?;
    if let Some(name) = names.iter().find(|name| !all.contains(name)) {
        return Err(format!("expected {}, got `{name}`", all.join(", ")));
    }
    let folder = build()?;
    let (mut runs, mut faults) = (0, Vec::new());
    for name in if names.is_empty() { &all } else { names } {
        match fuzz(&folder, name, seconds) {
            Ok(count) => {
                println!("{name:<14} {count:>12} runs");
                runs += count;
            }
            Err(reason) => faults.push(format!("{name}: {reason}")),
        }
    }
    println!("{:<14} {runs:>12} runs", "all");
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Every target has a folder of examples.
fn targets(seeds: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(seeds).map_err(|error| format!("{}: {error}", seeds.display()))?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// Builds the programs; the folder that they are in.
fn build() -> Result<PathBuf, String> {
    let arguments = ["build", "--release", "--locked", "--target", nightly::SYSTEM];
    let mut command = nightly::cargo(&arguments, "fuzz");
    command.args(["--manifest-path", "fuzz/Cargo.toml"]).env("RUSTFLAGS", FLAGS);
    shell::run(&mut command)?;
    Ok(shell::target().join("fuzz").join(nightly::SYSTEM).join("release"))
}

/// Runs one target and says how many inputs it had.
fn fuzz(folder: &Path, name: &str, seconds: u64) -> Result<u64, String> {
    let root = shell::root().join("fuzz");
    let (corpus, artifacts) = (root.join("corpus").join(name), root.join("artifacts").join(name));
    for folder in [&corpus, &artifacts] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut command =
        shell::program(folder.join(name), &["-print_final_stats=1", "-rss_limit_mb=4096"]);
    command
        .args(FAST)
        .args(LENGTHS.iter().filter(|row| row.0 == name).map(|row| format!("-max_len={}", row.1)))
        .env("ASAN_OPTIONS", "detect_stack_use_after_return=0:malloc_context_size=2")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args([corpus, root.join("seeds").join(name)]);
    let text = shell::output_of_both(&mut command).map_err(|reason| last_lines(&reason, 40))?;
    runs(&text)
        .ok_or_else(|| format!("expected the number of runs, got:\n{}", last_lines(&text, 9)))
}

/// The number of runs that libFuzzer reports at its end.
fn runs(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    line?.trim().parse().ok()
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_targets() {
        let all = targets(&shell::root().join("fuzz").join("seeds")).unwrap();
        assert!(LENGTHS.iter().all(|(name, _)| all.iter().any(|target| target == name)));
    }

    #[test]
    fn the_number_of_runs_is_read_from_the_report() {
        let report = "#8 DONE\nstat::number_of_executed_units: 123456\nstat::peak_rss_mb: 50\n";
        assert_eq!(runs(report), Some(123_456));
        assert_eq!(runs("nothing"), None);
        assert_eq!(last_lines("a\nb\nc", 2), "b\nc");
    }
}
