//! A searched position of a finished game as a line of numbers.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use eval::{Quantiles, Score};

/// What a search said, and how the game ended.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    /// The game's number in its file; samples of a game are for the same purpose.
    pub(crate) game: u64,
    /// Nodes of the search, and of a move in the game.
    pub(crate) nodes: u64,
    /// Half moves since the game began.
    pub(crate) ply: u32,
    /// Material on the board, as the chances count it.
    pub(crate) material: u32,
    /// For the side to move.
    pub(crate) score: Score,
    pub(crate) quantiles: Quantiles,
    /// For the side to move: 2 for a win, 1 for a draw, 0 for a loss.
    pub(crate) result: u8,
}

impl Sample {
    /// Every fourth game is kept apart from the fit.
    pub(crate) fn is_for_judging(&self) -> bool {
        self.game % 4 == 3
    }

    pub(crate) fn to_line(self) -> String {
        let [q10, q25, q50, q75, q90] = self.quantiles.to_array();
        format!(
            "{} {} {} {} {} {q10} {q25} {q50} {q75} {q90} {}",
            self.game, self.nodes, self.ply, self.material, self.score, self.result
        )
    }

    pub(crate) fn parse(line: &str) -> anyhow::Result<Self> {
        let numbers: Vec<i64> = line
            .split(' ')
            .map(|word| word.parse().with_context(|| format!("expected a number, got {word:?}")))
            .collect::<Result<_, _>>()?;
        let &[game, nodes, ply, material, score, q10, q25, q50, q75, q90, result] =
            numbers.as_slice()
        else {
            anyhow::bail!("expected 11 numbers, got {}", numbers.len());
        };
        ensure!((0..=2).contains(&result), "expected a result of 0 to 2, got {result}");
        let five = [q10, q25, q50, q75, q90].map(|score| score as Score);
        ensure!(five.is_sorted(), "expected rising quantiles, got {five:?}");
        let [q10, q25, q50, q75, q90] = five;
        Ok(Self {
            game: game as u64,
            nodes: nodes as u64,
            ply: ply as u32,
            material: material as u32,
            score: score as Score,
            quantiles: Quantiles { q10, q25, q50, q75, q90 },
            result: result as u8,
        })
    }
}

/// The samples of one file: the games of one control.
pub(crate) struct Control {
    /// The file's name without its ending.
    pub(crate) name: String,
    pub(crate) samples: Vec<Sample>,
}

pub(crate) fn read_one(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parse = |(number, line)| {
        Sample::parse(line).with_context(|| format!("{}, line {}", path.display(), number + 1))
    };
    text.lines().enumerate().map(parse).collect()
}

pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Control>> {
    let read = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Control { name, samples: read_one(path)? })
    };
    let controls: Vec<Control> = paths.iter().map(read).collect::<anyhow::Result<_>>()?;
    ensure!(controls.iter().any(|c| !c.samples.is_empty()), "expected samples, got none");
    Ok(controls)
}
