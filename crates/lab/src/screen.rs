//! `brier-lab screen`: what is each of many changes of the search worth, found out at once.
//!
//! For each pair of games a random half of the changes goes to one player and the other half to its
//! opponent. So every pair says something about every change, and a number of pairs tells as much
//! about each of them as if all had been played for that one alone (a factorial design); only changes
//! that depend on each other blur the picture.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, ensure};

use crate::pairs::{PairArgs, Study};

/// Options of `brier-lab screen`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A change: an option of the engine with its old and its new value; may be given more than once.
    #[arg(long = "change", value_name = "NAME=OLD:NEW", required = true)]
    changes: Vec<Change>,
    /// Where the results are kept; a run found there goes on.
    #[arg(short, long)]
    output: PathBuf,
    #[command(flatten)]
    pairs: PairArgs,
}

/// An option with two values.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    name: String,
    old: String,
    new: String,
}

impl FromStr for Change {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let parts = text.split_once('=').and_then(|(name, values)| {
            let (old, new) = values.split_once(':')?;
            Some([name, old, new].map(|part| part.trim().to_owned()))
        });
        let [name, old, new] = parts
            .filter(|parts| parts.iter().all(|part| !part.is_empty()))
            .ok_or_else(|| anyhow!("expected NAME=OLD:NEW, got {text:?}"))?;
        Ok(Self { name, old, new })
    }
}

/// The pairs that were played.
struct Screen<'a> {
    output: &'a Path,
    changes: &'a [Change],
    begun: u64,
    /// Who had which change, and how the pair ended for the first player.
    results: Vec<(Vec<f64>, i32)>,
}

/// Plays, and prints what each change is worth.
#[expect(clippy::print_stdout, reason = "what the command was run for")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let screen = args.pairs.play(Screen::load(&args.output, &args.changes)?)?;
    print!("{}", screen.table());
    Ok(())
}

impl<'a> Screen<'a> {
    /// Reads the file, or starts with nothing if there is none.
    fn load(output: &'a Path, changes: &'a [Change]) -> anyhow::Result<Self> {
        let text = match fs::read_to_string(output) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", output.display()));
            }
        };
        let mut screen = Self { output, changes, begun: 0, results: Vec::new() };
        let mut lines = text.lines();
        if let Some(first) = lines.next() {
            let head = screen.head();
            ensure!(
                first == head,
                "cannot go on with {}: expected a file of the changes {head:?}, got {first:?}",
                output.display()
            );
        }
        for line in lines {
            let result = screen.parse(line).with_context(|| {
                format!("{}: expected signs and points, got {line:?}", output.display())
            })?;
            screen.results.push(result);
        }
        screen.begun = screen.results.len() as u64;
        Ok(screen)
    }

    fn head(&self) -> String {
        let words =
            self.changes.iter().map(|Change { name, old, new }| format!("{name}={old}:{new}"));
        words.collect::<Vec<_>>().join(" ")
    }

    fn parse(&self, line: &str) -> Option<(Vec<f64>, i32)> {
        let (signs, points) = line.split_once(' ')?;
        let sign = |c| match c {
            '+' => Some(1.0),
            '-' => Some(-1.0),
            _ => None,
        };
        let signs: Vec<f64> = signs.chars().map(sign).collect::<Option<_>>()?;
        let points = points.parse().ok().filter(|points| (-2..=2).contains(points))?;
        (signs.len() == self.changes.len()).then_some((signs, points))
    }

    fn text(&self) -> String {
        let mut text = self.head() + "\n";
        for (signs, points) in &self.results {
            text.extend(signs.iter().map(|&sign| if sign > 0.0 { '+' } else { '-' }));
            // Writing to a string does not fail.
            let _ = writeln!(text, " {points}");
        }
        text
    }

    /// The mean result of the pairs for the player with a change, in points a game from -1 to 1, and its
    /// standard error.
    fn effect(&self, change: usize) -> (f64, f64) {
        let n = self.results.len() as f64;
        let scores =
            self.results.iter().map(|(signs, points)| signs[change] * f64::from(*points) / 2.0);
        let (sum, squares) =
            scores.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        let mean = sum / n;
        (mean, ((squares / n - mean * mean) / n).sqrt())
    }

    /// The changes, best first, each with its Elo, 95 % error bar, and what is likely left of it in other games.
    fn table(&self) -> String {
        let mut rows: Vec<_> = (0..self.changes.len()).map(|i| (i, self.effect(i))).collect();
        rows.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
        let real = real_part(rows.iter().map(|(_, effect)| effect));
        let mut text = format!("{} games\n", 2 * self.results.len());
        for (change, (mean, error)) in rows {
            let Change { name, old, new } = &self.changes[change];
            let _ = writeln!(
                text,
                "{:<44} {:+6.1} ± {:.1}, likely {:+.1}",
                format!("{name} {old} -> {new}"),
                elo(mean),
                1.96 * error * ELO_SLOPE,
                real * elo(mean)
            );
        }
        text
    }
}

/// How much of the measured effects is likely to be real, 0 to 1: what they spread more than their errors explain.
fn real_part<'a>(effects: impl Iterator<Item = &'a (f64, f64)>) -> f64 {
    let (measured, noise) = effects.fold((0.0, 0.0), |(measured, noise), (mean, error)| {
        (measured + mean * mean, noise + error * error)
    });
    if measured > noise { 1.0 - noise / measured } else { 0.0 }
}

/// Elo for a small advantage of one point in a hundred, times a hundred.
const ELO_SLOPE: f64 = 800.0 / std::f64::consts::LN_10;

/// The difference in Elo that makes this mean result, from -1 to 1.
fn elo(mean: f64) -> f64 {
    let mean = mean.clamp(-0.999, 0.999);
    400.0 * ((1.0 + mean) / (1.0 - mean)).log10()
}

impl Study for Screen<'_> {
    fn names(&self) -> Vec<String> {
        self.changes.iter().map(|change| change.name.clone()).collect()
    }

    fn begun(&mut self) -> &mut u64 {
        &mut self.begun
    }

    fn done(&self) -> u64 {
        self.results.len() as u64
    }

    fn values(&self, _pair: u64, signs: &[f64]) -> [Vec<String>; 2] {
        [1.0, -1.0].map(|side| {
            let value = |(change, sign): (&Change, &f64)| {
                if sign * side > 0.0 { change.new.clone() } else { change.old.clone() }
            };
            self.changes.iter().zip(signs).map(value).collect()
        })
    }

    fn learn(&mut self, _pair: u64, signs: &[f64], points: i32) {
        self.results.push((signs.to_vec(), points));
    }

    fn save(&self) -> anyhow::Result<()> {
        files::replace(self.output, self.text().as_bytes())
            .with_context(|| format!("cannot write {}", self.output.display()))
    }

    fn message(&self) -> String {
        let best =
            (0..self.changes.len()).max_by(|&a, &b| self.effect(a).0.total_cmp(&self.effect(b).0));
        best.map_or(String::new(), |best| {
            format!("{} {:+.0}", self.changes[best].name, elo(self.effect(best).0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::signs;
    use chess::Rng;

    fn changes() -> Vec<Change> {
        ["a=0:1", "b=10:20", "c=false:true"].map(|text| text.parse().unwrap()).to_vec()
    }

    #[test]
    fn a_change_has_a_name_and_two_values() {
        assert_eq!(changes()[1], Change { name: "b".into(), old: "10".into(), new: "20".into() });
        for text in ["", "a", "a=1", "a=:2", "=1:2", "a=1:"] {
            let error = text.parse::<Change>().unwrap_err().to_string();
            assert!(error.contains("NAME=OLD:NEW"), "{error}");
        }
    }

    #[test]
    fn players_have_opposite_halves() {
        let changes = changes();
        let screen = Screen { output: Path::new(""), changes: &changes, begun: 0, results: vec![] };
        let [first, second] = screen.values(0, &[1.0, -1.0, 1.0]);
        assert_eq!(first, ["1", "10", "true"]);
        assert_eq!(second, ["0", "20", "false"]);
    }

    #[test]
    fn what_is_written_is_read_and_other_files_are_refused() {
        let changes = changes();
        let folder = std::env::temp_dir().join(format!("brier-screen-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("results");
        let mut screen = Screen::load(&path, &changes).unwrap();
        screen.learn(0, &[1.0, -1.0, -1.0], 2);
        screen.learn(1, &[-1.0, -1.0, 1.0], -1);
        screen.save().unwrap();
        let again = Screen::load(&path, &changes).unwrap();
        assert_eq!((again.begun, &again.results), (2, &screen.results));
        assert!(Screen::load(&path, &changes[..2]).is_err());
        fs::write(&path, screen.text() + "+-+ 3\n").unwrap();
        assert!(Screen::load(&path, &changes).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_noise_explains_is_not_likely() {
        assert_eq!(real_part([(0.01, 0.02), (-0.02, 0.02)].iter()), 0.0);
        let real = real_part([(0.08, 0.01), (-0.06, 0.01)].iter());
        assert!((0.9..1.0).contains(&real), "{real}");
    }

    /// Results made from known effects give these effects back.
    #[test]
    fn effects_are_found() {
        let changes = changes();
        let mut screen =
            Screen { output: Path::new(""), changes: &changes, begun: 0, results: vec![] };
        let worth = [0.2, 0.0, -0.1];
        let mut rng = Rng::new(5);
        for pair in 0..20_000 {
            let signs = signs(&mut rng, worth.len());
            let mean: f64 = signs.iter().zip(worth).map(|(sign, worth)| sign * worth).sum();
            let game = |rng: &mut Rng| if rng.chance((1.0 + mean) / 2.0) { 1 } else { -1 };
            let points = game(&mut rng) + game(&mut rng);
            screen.learn(pair, &signs, points);
        }
        for (change, worth) in worth.into_iter().enumerate() {
            let (mean, error) = screen.effect(change);
            assert!((mean - worth).abs() < 4.0 * error && error < 0.01, "{mean} ± {error}");
        }
        assert!(screen.table().lines().nth(1).unwrap().starts_with("a 0 -> 1"));
    }
}
