//! `brier-lab zero`: generations follow each other, and a run goes on where it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// So small that nothing is learnt: one batch from a dozen games.
const SMALL: &str =
    "--games 12 --nodes 30 --positions 16384 --pairs 1 --match-nodes 30 --threads 1";

fn zero(folder: &Path, generations: usize) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_brier-lab"))
        .args(["zero", "--out", &folder.to_string_lossy(), "--generations"])
        .arg(generations.to_string())
        .args(SMALL.split(' '))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn generations_follow_each_other_and_a_run_goes_on() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("zero");
    let _ = fs::remove_dir_all(&folder);
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    zero(&folder, 1);
    let first = bytes("1/net.nnue");
    assert_ne!(first, bytes("0/net.nnue"));
    assert_eq!(first, bytes("zero.nnue"));

    // The second generation starts with the first one's parameters; the first is not made again.
    let said = zero(&folder, 2);
    assert!(said.contains("generation 2: "), "{said}");
    assert_eq!(first, bytes("1/net.nnue"));
    assert_eq!(bytes("2/net.nnue"), bytes("zero.nnue"));
    assert_ne!(first, bytes("zero.nnue"));
    let curve = String::from_utf8(bytes("curve.csv")).unwrap();
    let opponents: Vec<&str> =
        curve.lines().skip(1).filter_map(|row| row.split(',').nth(1)).collect();
    assert_eq!(opponents, ["before", "classical", "before", "classical"]);
    assert!(String::from_utf8(bytes("curve.svg")).unwrap().contains("polyline"));

    // Another second generation from the same first one is the same network.
    fs::remove_dir_all(folder.join("2")).unwrap();
    let second = bytes("zero.nnue");
    zero(&folder, 2);
    assert_eq!(second, bytes("zero.nnue"));
}
