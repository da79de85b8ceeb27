//! The weights as the Rust file that the engine is built with.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use classical::layout::GROUPS;

use super::model::Weights;

const HEAD: &str = "\
//! The weights, in the order of [`layout`](super::layout). Written by `brier-lab tune`, not by hand.

use super::layout::COUNT;
use super::tapered::Tapered;

const fn w(mg: i32, eg: i32) -> Tapered {
    Tapered::new(mg, eg)
}

/// Middlegame and endgame value of every weight.
#[rustfmt::skip]
pub(super) static WEIGHTS: [Tapered; COUNT] = [
";

/// Writes the file.
pub(super) fn write(path: &Path, weights: &Weights) -> io::Result<()> {
    fs::write(path, render(weights))
}

/// One comment line for each group, then its weights, eight to a line.
fn render(weights: &Weights) -> String {
    let mut text = HEAD.to_owned();
    for group in GROUPS {
        let _ = writeln!(text, "    // {}", group.name);
        for row in weights.0[group.start..group.start + group.len].chunks(8) {
            let row: Vec<String> = row.iter().map(|[mg, eg]| format!("w({mg}, {eg}),")).collect();
            let _ = writeln!(text, "    {}", row.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::tune::model::Weights;

    #[test]
    fn writing_the_current_weights_gives_the_current_file() {
        let file = include_str!("../../../classical/src/weights.rs");
        assert_eq!(render(&Weights::current()), file);
    }
}
