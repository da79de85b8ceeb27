//! Positions to learn from, each boiled down to the weights its evaluation uses.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use chess::{Board, Color, MoveList};
use classical::layout::{COMPLEXITY_START, COUNT, SAFETY_BASE, SAFETY_START};
use classical::{FULL_SCALE, Judgement, Trace, evaluate_traced};
use data::{Filter, Outcome, Part, ScoredMove, Split, viri};
use indicatif::{ProgressBar, ProgressStyle};

use super::target::Target;

/// A weight and how often it counts.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Use {
    pub(super) index: u16,
    pub(super) count: i16,
}

/// One position: which stretch of [`Examples::uses`] is its own, and how it is blended.
#[derive(Copy, Clone, Debug)]
pub(super) struct Example {
    pub(super) start: u32,
    /// Uses that add to the score: White's less Black's.
    pub(super) linear: u16,
    /// Uses in White's attack on Black's king, and the other way round.
    pub(super) attacks: [u8; 2],
    /// Uses that strengthen or weaken the endgame half.
    pub(super) complexity: u8,
    /// What share the middlegame half has, and the endgame half (scaled).
    pub(super) blend: [f32; 2],
    /// Before [`Examples::aim`] the teacher's score, after it the expected result to be predicted.
    pub(super) score: f32,
    /// The game's result for White.
    pub(super) result: f32,
}

/// Many positions.
#[derive(Default)]
pub(super) struct Examples {
    pub(super) list: Vec<Example>,
    pub(super) uses: Vec<Use>,
}

impl Examples {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Replaces each score by the expected result that the evaluation shall predict.
    pub(super) fn aim(mut self, target: &Target) -> Self {
        for example in &mut self.list {
            example.score = target.of(example.score, example.result);
        }
        self
    }

    /// Adds a position, unless its evaluation uses no weights at all.
    pub(super) fn add(&mut self, board: &Board, score: f32, result: f32, counts: &mut Counts) {
        counts.clear();
        let Some(judgement) = evaluate_traced(board, counts) else { return };
        let Judgement { phase, scale, .. } = judgement;
        let start = self.uses.len();
        let mut taken = start;
        let mut stretch = |uses: &mut Vec<Use>, from: usize, to: usize, side: Side| {
            for index in from..to {
                let count = side.count(counts, index);
                if count != 0 {
                    uses.push(Use { index: index as u16, count: count as i16 });
                }
            }
            let length = uses.len() - taken;
            taken = uses.len();
            length
        };
        let linear = stretch(&mut self.uses, 0, SAFETY_START, Side::Difference) as u16;
        let attacks = Color::ALL.map(|color| {
            // An attack counts only if the evaluation found it worth looking at.
            let end = if counts.of(color, SAFETY_BASE.start) > 0 {
                COMPLEXITY_START
            } else {
                SAFETY_START
            };
            stretch(&mut self.uses, SAFETY_START, end, Side::One(color)) as u8
        });
        let complexity = stretch(&mut self.uses, COMPLEXITY_START, COUNT, Side::Difference) as u8;
        let middle = phase as f32 / 24.0;
        let [mg, eg] = scale.map(|scale| scale as f32 / FULL_SCALE as f32);
        let blend = [middle * mg, (1.0 - middle) * eg];
        let start = start as u32;
        self.list.push(Example { start, linear, attacks, complexity, blend, score, result });
    }
}

/// Whose uses are counted.
#[derive(Copy, Clone)]
enum Side {
    One(Color),
    Difference,
}

impl Side {
    fn count(self, counts: &Counts, index: usize) -> i32 {
        match self {
            Self::One(color) => counts.of(color, index),
            Self::Difference => counts.of(Color::White, index) - counts.of(Color::Black, index),
        }
    }
}

/// Counts uses while an evaluation runs.
pub(super) struct Counts([[Cell<i32>; COUNT]; 2]);

impl Default for Counts {
    fn default() -> Self {
        Self([const { [const { Cell::new(0) }; COUNT] }; 2])
    }
}

impl Counts {
    fn clear(&mut self) {
        *self = Self::default();
    }

    fn of(&self, color: Color, index: usize) -> i32 {
        self.0[color.index()][index].get()
    }
}

impl Trace for Counts {
    fn used(&self, color: Color, index: usize, count: i32) {
        let cell = &self.0[color.index()][index];
        cell.set(cell.get() + count);
    }
}

/// Positions to learn from and positions to measure with, from different games.
#[derive(Default)]
pub(super) struct Games {
    pub(super) training: Examples,
    pub(super) held_out: Examples,
}

/// Reads all inputs, about `positions` evenly from each.
pub(super) fn load(inputs: &[PathBuf], positions: u64) -> anyhow::Result<Games> {
    let bytes = inputs.iter().filter_map(|path| fs::metadata(path).ok()).map(|m| m.len()).sum();
    let bar = ProgressBar::new(bytes).with_style(
        ProgressStyle::with_template("reading {bar:30} {percent}%, {eta} left, {msg} positions")
            .expect("the template is valid"),
    );
    let mut loader = Loader::default();
    for path in inputs {
        let size = fs::metadata(path).with_context(|| path.display().to_string())?.len();
        let loaded = match path.extension().and_then(|ext| ext.to_str()) {
            // A move takes four bytes and about six positions in ten are quiet; a line has about 70.
            Some("vf") => {
                loader.sampler = Sampler::new(positions as f64 / (0.6 * size as f64 / 4.0));
                loader.add_games(path, &bar)
            }
            Some("epd") => {
                loader.sampler = Sampler::new(positions as f64 / (size as f64 / 70.0));
                loader.add_epd(path, &bar)
            }
            _ => bail!("{}: expected a name ending in .vf or .epd", path.display()),
        };
        loaded.with_context(|| path.display().to_string())?;
    }
    bar.finish_and_clear();
    let uses = loader.games.training.uses.len();
    ensure!(u32::try_from(uses).is_ok(), "expected fewer --positions, got {uses} uses of weights");
    Ok(loader.games)
}

#[derive(Default)]
struct Loader {
    games: Games,
    sampler: Sampler,
    counts: Counts,
}

impl Loader {
    fn add_games(&mut self, path: &Path, bar: &ProgressBar) -> anyhow::Result<()> {
        let split = Split::default();
        let filter = Filter { max_score: 3000, ..Filter::default() };
        let mut reader = viri::Reader::open(path)?;
        let mut read = 0;
        while let Some(game) = reader.read_game()? {
            let part = match split.part(&game) {
                Part::Training => &mut self.games.training,
                Part::HeldOut => &mut self.games.held_out,
            };
            for position in game.replay() {
                let position = position?;
                if filter.reject(&position).is_none()
                    && self.sampler.takes()
                    && is_settled(&position.board)
                {
                    let result = points(position.outcome);
                    part.add(&position.board, f32::from(position.score), result, &mut self.counts);
                }
            }
            bar.inc(reader.position() - read);
            read = reader.position();
            bar.set_message(self.games.training.len().to_string());
        }
        Ok(())
    }

    /// Every fiftieth line is held out.
    fn add_epd(&mut self, path: &Path, bar: &ProgressBar) -> anyhow::Result<()> {
        for (number, line) in BufReader::new(File::open(path)?).lines().enumerate() {
            let line = line?;
            bar.inc(line.len() as u64 + 1);
            if line.trim().is_empty() || !self.sampler.takes() {
                continue;
            }
            let (board, result) =
                read_epd(&line).with_context(|| format!("line {}", number + 1))?;
            let hold_out = number % 50 == 49;
            let part = if hold_out { &mut self.games.held_out } else { &mut self.games.training };
            if !board.in_check() && is_settled(&board) {
                // Without a score the result stands for it.
                part.add(
                    &board,
                    f32::from(ScoredMove::LIMIT) * (result - 0.5),
                    result,
                    &mut self.counts,
                );
            }
        }
        Ok(())
    }
}

/// Can the side to move win nothing by an exchange? A search would look on otherwise.
fn is_settled(board: &Board) -> bool {
    let mut moves = MoveList::new();
    board.noisy_moves(&mut moves);
    !moves.iter().any(|&mv| board.see_at_least(mv, 1))
}

fn points(outcome: Outcome) -> f32 {
    f32::from(outcome.points(Color::White)) / 2.0
}

/// A position and White's result, written as `1-0`, `0-1`, `1/2-1/2` or `[1.0]`, `[0.5]`, `[0.0]`
/// somewhere after the first four fields.
fn read_epd(line: &str) -> anyhow::Result<(Board, f32)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let rest = fields.get(4..).unwrap_or(&[]).join(" ");
    let board = fields[..fields.len().min(4)].join(" ").parse::<Board>()?;
    let results = [
        ("1/2-1/2", 0.5),
        ("1-0", 1.0),
        ("0-1", 0.0),
        ("[1.0]", 1.0),
        ("[0.5]", 0.5),
        ("[0.0]", 0.0),
    ];
    let found = results.into_iter().find(|(text, _)| rest.contains(text));
    let Some((_, result)) = found else {
        bail!("expected a result (1-0, 0-1, 1/2-1/2, [1.0], [0.5] or [0.0]), got {rest:?}")
    };
    Ok((board, result))
}

/// Takes a share of what comes by, the same share of the same things every time.
#[derive(Default)]
struct Sampler {
    share: f64,
    due: f64,
}

impl Sampler {
    fn new(share: f64) -> Self {
        Self { share: share.min(1.0), due: 0.5 }
    }

    fn takes(&mut self) -> bool {
        self.due += self.share;
        let take = self.due >= 1.0;
        if take {
            self.due -= 1.0;
        }
        take
    }
}

#[cfg(test)]
mod tests {
    use super::{Sampler, read_epd};

    #[test]
    fn results_are_read_in_both_spellings() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (tail, result) in
            [(" c9 \"1-0\";", 1.0), (" c9 \"1/2-1/2\";", 0.5), (" 0 1 [0.0]", 0.0)]
        {
            assert_eq!(read_epd(&format!("{board}{tail}")).unwrap().1, result);
        }
        assert!(read_epd(board).unwrap_err().to_string().contains("expected a result"));
        assert!(read_epd("nonsense").is_err());
    }

    #[test]
    fn the_sampler_takes_its_share() {
        let mut sampler = Sampler::new(0.3);
        assert_eq!((0..1000).filter(|_| sampler.takes()).count(), 300);
        assert!((0..10).all(|_| Sampler::new(1.0).takes()));
    }
}
