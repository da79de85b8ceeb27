//! Inputs for the targets without a fuzzer: examples, changed at random but always in the same way.
//!
//! Each input is one example with a few changes such as a fuzzer makes: bits turned over, bytes
//! replaced by extreme ones, pieces left out, repeated, moved or taken from another example. What
//! this cannot do is learn which changes reach new code; libFuzzer does.

use std::fs;
use std::io;
use std::path::Path;

use chess::Rng;

use crate::Target;

/// No input grows beyond this.
const LONGEST: usize = 1 << 14;

/// Bytes and words at the edges of numbers and of grammars.
const EDGES: [&[u8]; 16] = [
    b"\0",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\n",
    b"\r\n",
    b" ",
    b"\"",
    b"{",
    b"}",
    b"(",
    b"-1",
    b"99999999999999999999",
    b"\xff\xff\xff\xff",
    b"\0\0\0\0",
    b"\xe2\x99\x9e",
];

/// The examples of a target: the files of its folder in `fuzz/seeds`, in the order of their names.
pub fn seeds(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target.name);
    let mut paths: Vec<_> = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    paths.sort();
    paths.into_iter().map(fs::read).collect()
}

/// Input number `number` of a run with this seed.
pub fn input(examples: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    let mut rng = Rng::stream(seed, number);
    let mut bytes = match rng.pick(examples) {
        Some(example) if rng.below(50) > 0 => example.clone(),
        _ => (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect(),
    };
    for _ in 0..=rng.below(8) {
        change(&mut bytes, examples, &mut rng);
    }
    bytes.truncate(LONGEST);
    bytes
}

/// Makes one change.
fn change(bytes: &mut Vec<u8>, examples: &[Vec<u8>], rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    let end = (at + 1 + rng.below(16)).min(bytes.len());
    match rng.below(9) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        1 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
        2 => drop(bytes.drain(at.min(end)..end)),
        3 => bytes.truncate(at),
        4 => {
            let piece = bytes[at.min(end)..end].to_vec();
            let count = 1 + rng.below(20);
            bytes.splice(at..at, piece.repeat(count));
        }
        5 => {
            let piece: Vec<u8> = bytes.drain(at.min(end)..end).collect();
            let to = rng.below(bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        6 => {
            if let Some(other) = rng.pick(examples) {
                let from = rng.below(other.len() + 1);
                let until = (from + rng.below(40)).min(other.len());
                bytes.splice(at..at, other[from..until].iter().copied());
            }
        }
        7 => {
            let edge = EDGES[rng.below(EDGES.len())];
            let end = end.min(at + edge.len());
            bytes.splice(at.min(end)..end, edge.iter().copied());
        }
        _ => {
            let edge = EDGES[rng.below(EDGES.len())];
            bytes.splice(at..at, edge.iter().copied());
        }
    }
}
