//! Compares the bench signature with the one the history promises.
//!
//! `brier bench` searches fixed positions to a fixed depth; its last line reads
//! `N nodes M nps`. Every commit that changes what the search does ends with `Bench: N`,
//! so the newest such line must name the number that the code in hand gives.

use crate::shell;
use crate::steps::Outcome;

/// The build whose bench is run. The number is the same in both, or something is wrong.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    /// With overflow checks and debug assertions.
    Dev,
    /// As users get it.
    Release,
}

/// The chore `check-bench`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let build = match arguments {
        [] => Build::Dev,
        [flag] if flag == "--release" => Build::Release,
        other => return Err(format!("expected nothing or --release, got `{}`", other.join(" "))),
    };
    match check(build) {
        Outcome::Passed => Ok(()),
        Outcome::NotRun(reason) | Outcome::Failed(reason) => Err(reason),
    }
}

/// The comparison; it cannot be made without a history that carries a bench line.
pub(crate) fn check(build: Build) -> Outcome {
    let history = match shell::output_of(&mut shell::program("git", &["log", "--format=%B"])) {
        Ok(history) => history,
        Err(reason) => return Outcome::NotRun(format!("no history here ({reason})")),
    };
    match promised(&history) {
        Some(promised) => measure(build).and_then(|nodes| compare(promised, nodes)).into(),
        None => Outcome::NotRun("no commit carries a `Bench:` line".to_owned()),
    }
}

fn measure(build: Build) -> Result<u64, String> {
    let arguments: &[&str] = match build {
        Build::Dev => &["run", "--package", "brier", "--", "bench"],
        Build::Release => &["run", "--release", "--package", "brier", "--", "bench"],
    };
    let output = shell::output_of(&mut shell::cargo(arguments))?;
    println!("{}", output.lines().last().unwrap_or_default());
    nodes(&output)
}

/// The number that the history promises.
pub(crate) fn promised_here() -> Result<u64, String> {
    let history = shell::output_of(&mut shell::program("git", &["log", "--format=%B"]))?;
    promised(&history).ok_or_else(|| "expected a commit with a `Bench:` line, got none".to_owned())
}

/// The number of nodes in the last line of what `brier bench` printed.
pub(crate) fn nodes(output: &str) -> Result<u64, String> {
    let last = output.lines().last().unwrap_or_default();
    nodes_in(last).ok_or_else(|| {
        format!("expected `N nodes M nps` as the last line of `brier bench`, got `{last}`")
    })
}

fn compare(promised: u64, nodes: u64) -> Result<(), String> {
    match nodes == promised {
        true => Ok(()),
        false => Err(format!("the history says Bench: {promised}, `brier bench` says {nodes}")),
    }
}

/// The number in the newest `Bench: N` line; the newest commit comes first.
fn promised(history: &str) -> Option<u64> {
    history.lines().find_map(|line| line.strip_prefix("Bench: ")?.trim().parse().ok())
}

fn nodes_in(line: &str) -> Option<u64> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [nodes, "nodes", _, "nps"] => nodes.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_bench_line_counts() {
        let history = "Fix a typo\n\nAdd a term\n\nBench: 300\n\nAdd search\n\nBench: 200\n";
        assert_eq!(promised(history), Some(300));
        assert_eq!(promised("Say Bench: in the text\n"), None);
    }

    #[test]
    fn the_last_line_has_one_form() {
        assert_eq!(nodes_in("4097 nodes 1000000 nps"), Some(4097));
        assert_eq!(nodes_in("nodes 4097 nps 1000000"), None);
    }

    #[test]
    fn another_number_is_an_error() {
        assert!(compare(1, 1).is_ok());
        assert!(compare(1, 2).is_err());
    }
}
