//! `cargo xtask speed`: perft against Debian's Stockfish, in turns, on one thread.
//!
//! Shared machines are noisy, so the two take turns, processor time is measured instead of
//! time on the wall, and the least of several rounds counts. What each program needs only to
//! start and stop is measured too and taken off: Stockfish loads its network first.

use crate::shell::{self, find, program};
use std::path::Path;

struct Contest {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    leaves: u64,
}

const CONTESTS: [Contest; 2] = [
    Contest {
        name: "start, depth 6",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        leaves: 119_060_324,
    },
    Contest {
        name: "Kiwipete, depth 5",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        leaves: 193_690_690,
    },
];

const DEFAULT_ROUNDS: u32 = 5;

/// Runs the contests; the arguments may hold the number of rounds.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let rounds = match arguments {
        [] => DEFAULT_ROUNDS,
        [count] => count
            .parse()
            .ok()
            .filter(|&count| count > 0)
            .ok_or_else(|| format!("expected a number of rounds from 1, got `{count}`"))?,
        other => return Err(format!("expected one number at most, got `{}`", other.join(" "))),
    };
    let stockfish =
        find("stockfish").ok_or("stockfish is not installed; `cargo xtask setup` may")?;
    shell::run(&mut shell::cargo(&["build", "--release", "--package", "brier"]))?;
    let brier = shell::target().join("release").join("brier");

    println!("\nleast processor time of {rounds} rounds, start of the program taken off");
    println!("{:<18} {:>10} {:>10} {:>8}", "", "stockfish", "brier", "ratio");
    for contest in CONTESTS {
        let mut best = [f64::INFINITY; 4];
        for _ in 0..rounds {
            for (least, time) in best.iter_mut().zip(one_round(&contest, &stockfish, &brier)?) {
                *least = least.min(time);
            }
        }
        let [stockfish_idle, stockfish_full, brier_idle, brier_full] = best;
        let (theirs, ours) = (stockfish_full - stockfish_idle, brier_full - brier_idle);
        println!("{:<18} {theirs:>8.3} s {ours:>8.3} s {:>8.2}", contest.name, theirs / ours);
    }
    Ok(())
}

/// Seconds for: Stockfish only started, Stockfish counting, Brier only started, Brier counting.
fn one_round(contest: &Contest, stockfish: &Path, brier: &Path) -> Result<[f64; 4], String> {
    let Contest { fen, depth, leaves, .. } = contest;
    let count = format!("position fen {fen}\ngo perft {depth}\nquit");
    let depth = depth.to_string();
    let (stockfish_idle, _) = timed(stockfish, &[], "quit")?;
    let (stockfish_full, theirs) = timed(stockfish, &[], &count)?;
    let (brier_idle, _) = timed(brier, &["perft", "0"], "")?;
    let (brier_full, ours) = timed(brier, &["perft", &depth, "--fen", fen], "")?;
    for (name, output) in [("stockfish", theirs), ("brier", ours)] {
        if !output.split_whitespace().any(|word| word == leaves.to_string()) {
            return Err(format!("expected {leaves} leaves from {name}, got `{}`", output.trim()));
        }
    }
    Ok([stockfish_idle, stockfish_full, brier_idle, brier_full])
}

/// Runs a program under bash's `time` and returns processor seconds and output.
fn timed(path: &Path, arguments: &[&str], input: &str) -> Result<(f64, String), String> {
    const SCRIPT: &str = r#"TIMEFORMAT='%U %S'; time "$@" <<< "$INPUT""#;
    let path = path.to_string_lossy();
    let mut command = program("bash", &["-c", SCRIPT, "bash", &path]);
    command.args(arguments).env("INPUT", input).env("LC_ALL", "C");
    let output = command.output().map_err(|error| format!("cannot start bash: {error}"))?;
    let times = String::from_utf8_lossy(&output.stderr);
    let seconds = times
        .lines()
        .last()
        .and_then(|line| line.split(' ').map(str::parse::<f64>).sum::<Result<f64, _>>().ok());
    match seconds {
        Some(seconds) if output.status.success() => {
            Ok((seconds, String::from_utf8_lossy(&output.stdout).into_owned()))
        }
        _ => Err(format!("`{path}` ended with {}: {}", output.status, times.trim())),
    }
}
