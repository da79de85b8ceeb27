//! `brier-lab zero`: a network that has seen nothing but the rules.
//!
//! ```text
//! random weights ──▶ games ──▶ positions ──▶ training ──▶ network 1 ──▶ games ──▶ …
//! ```
//!
//! Each generation plays games against itself, learns from its own and from those of the generations
//! just before it, and plays two matches: against the generation before it and against the
//! classical evaluation. A generation is a folder; a step whose file is there is not done again,
//! and games and training go on where they were, so a run can be ended and started at will.

mod arena;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use data::RecordReader;
use engine::Source;

use crate::datagen::referee::Rules;
use crate::svg::{Chart, document};
use crate::train;
use arena::{Arena, Tally};

/// Options of `brier-lab zero`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the run; one that is there goes on.
    #[arg(long)]
    out: PathBuf,
    /// Generations in all.
    #[arg(long, default_value_t = 8)]
    generations: usize,
    /// Games of a generation.
    #[arg(long, default_value_t = 12_000)]
    games: u64,
    /// Nodes a move in these games: a number or a range.
    #[arg(long, default_value = "150-300")]
    nodes: String,
    /// Generations whose games are learnt from, the own included.
    #[arg(long, default_value_t = 3)]
    memory: usize,
    /// Positions of a training.
    #[arg(long, default_value_t = 12_000_000)]
    positions: u64,
    /// Share of the game's result in what is learnt; the first generation learns from results alone.
    #[arg(long, default_value_t = 0.4)]
    result_share: f64,
    /// Lanes of the network: 128, 256, 384 or 512.
    #[arg(long, default_value_t = 128)]
    width: usize,
    /// Pairs of games in each match.
    #[arg(long, default_value_t = 100)]
    pairs: u64,
    /// Nodes a move in the matches.
    #[arg(long, default_value_t = 4_000)]
    match_nodes: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    #[command(flatten)]
    rules: Rules,
}

/// The name of a generation's network in its folder.
const NET: &str = "net.nnue";
const CURVE: &str = "curve.csv";

/// A folder of the run.
struct Generation<'a> {
    args: &'a Args,
    number: usize,
}

/// Runs or goes on with all generations, and writes the last one's network.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.generations > 0, "expected at least one generation, got 0");
    ensure!(args.memory > 0, "expected at least the own games to learn from, got none");
    let generation = |number| Generation { args, number };
    generation(0).begin()?;
    let mut rows = Vec::new();
    for number in 1..=args.generations {
        rows.push(generation(number).step().with_context(|| format!("generation {number}"))?);
        write_curve(&args.out, &rows)?;
    }
    let (last, out) = (generation(args.generations).file(NET), args.out.join("zero.nnue"));
    fs::copy(&last, &out).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(())
}

/// What a generation's matches came to.
struct Row {
    number: usize,
    before: Tally,
    classical: Tally,
}

impl Generation<'_> {
    fn folder(&self) -> PathBuf {
        self.args.out.join(self.number.to_string())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    fn earlier(&self, by: usize) -> Generation<'_> {
        Generation { args: self.args, number: self.number - by }
    }

    fn make_folder(&self) -> anyhow::Result<()> {
        let folder = self.folder();
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))
    }

    /// Generation 0: random weights.
    fn begin(&self) -> anyhow::Result<()> {
        self.make_folder()?;
        let path = self.file(NET);
        match path.exists() {
            true => Ok(()),
            false => train::write_random(self.args.width, &path).map_err(anyhow::Error::msg),
        }
    }

    /// Games, positions, training and matches, as far as they are not done.
    fn step(&self) -> anyhow::Result<Row> {
        self.make_folder()?;
        if !self.file(NET).exists() {
            self.play()?;
            self.shuffle()?;
            self.train()?;
        }
        let before = self.compete("against-before.csv", &self.earlier(1).source()?, 1)?;
        let classical = self.compete("against-classical.csv", &Source::Classical, 2)?;
        Ok(Row { number: self.number, before, classical })
    }

    /// The generation before plays.
    fn play(&self) -> anyhow::Result<()> {
        let Args { games, nodes, threads, .. } = self.args;
        let (output, net) = (text(&self.file("games.vf")), text(&self.earlier(1).file(NET)));
        let (games, threads) = (games.to_string(), threads.to_string());
        let seed = self.number.to_string();
        crate::call(&[
            "datagen",
            "--output",
            &output,
            "--eval-file",
            &net,
            "--games",
            &games,
            "--nodes",
            nodes,
            "--threads",
            &threads,
            "--seed",
            &seed,
        ])
    }

    /// All positions that are learnt from, the newest games first.
    fn shuffle(&self) -> anyhow::Result<()> {
        let oldest = (self.number + 1).saturating_sub(self.args.memory).max(1);
        let files: Vec<String> = (oldest..=self.number)
            .rev()
            .map(|number| text(&self.earlier(self.number - number).file("games.vf")))
            .collect();
        let (output, held_out) = (text(&self.file("train.pos")), text(&self.file("held-out.pos")));
        let mut words = vec!["shuffle", "--output", &output, "--held-out", &held_out];
        words.extend(files.iter().map(String::as_str));
        crate::call(&words)
    }

    /// Learns, from the parameters of the generation before if it has some.
    fn train(&self) -> anyhow::Result<()> {
        let Args { positions, threads, result_share, width, .. } = self.args;
        let share = if self.number == 1 { 1.0 } else { *result_share };
        let (data, held_out) = (text(&self.file("train.pos")), text(&self.file("held-out.pos")));
        let (out, before) = (text(&self.folder()), self.earlier(1).file("checkpoint"));
        let (positions, threads) = (positions.to_string(), threads.to_string());
        let (share, start, width) = (share.to_string(), text(&before), width.to_string());
        let mut words = vec!["train", &data, "--out", &out, "--plain", "--positions", &positions];
        words.extend(["--threads", &threads, "--result-share", &share, "--width", &width]);
        // Of a few games none may be held out.
        if !RecordReader::open(&self.file("held-out.pos"))?.is_empty() {
            words.extend(["--held-out", &held_out]);
        }
        if before.exists() {
            words.extend(["--start-from", &start]);
        }
        crate::call(&words)
    }

    fn source(&self) -> anyhow::Result<Source> {
        let path = self.file(NET);
        Source::from_option(&text(&path)).with_context(|| format!("cannot use {}", path.display()))
    }

    /// The match against an opponent, or what it came to before.
    fn compete(&self, name: &str, opponent: &Source, seed: u64) -> anyhow::Result<Tally> {
        let path = self.file(name);
        if let Some(tally) = fs::read_to_string(&path).ok().and_then(|text| Tally::parse(&text)) {
            return Ok(tally);
        }
        let Args { pairs, match_nodes, threads, rules, .. } = self.args;
        let arena = Arena {
            players: [self.source()?, opponent.clone()],
            pairs: *pairs,
            nodes: *match_nodes,
            threads: *threads,
            rules: *rules,
            seed: 1000 * self.number as u64 + seed,
        };
        let tally = arena.play(&format!("{} {name}", self.number))?;
        files::replace(&path, tally.to_string().as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(tally)
    }
}

/// The table and the picture of all generations so far.
#[expect(clippy::print_stdout, reason = "the table is the command's answer")]
fn write_curve(out: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let mut table = "generation,opponent,won,drawn,lost,elo,error\n".to_owned();
    for Row { number, before, classical } in rows {
        for (opponent, tally) in [("before", before), ("classical", classical)] {
            let (elo, error) = tally.elo();
            let counts = tally.to_string();
            let _ = writeln!(table, "{number},{opponent},{counts},{elo:.0},{error:.0}");
        }
    }
    if let Some(Row { number, before, classical }) = rows.last() {
        let words = |tally: &Tally| {
            let (elo, error) = tally.elo();
            format!("{elo:+.0} ± {error:.0}")
        };
        println!(
            "generation {number}: {} against the one before, {} against the classical evaluation",
            words(before),
            words(classical)
        );
    }
    let points: Vec<(f64, f64)> =
        rows.iter().map(|row| (row.number as f64, row.classical.elo().0)).collect();
    let (low, high) = points
        .iter()
        .fold((0.0f64, 0.0f64), |(low, high), point| (low.min(point.1), high.max(point.1)));
    let mut chart = Chart::new(
        "Elo against the classical evaluation, by generation",
        (1.0, rows.len() as f64),
        (low, high),
    );
    chart.line("zero", "#1f5fa8", &points);
    let picture = document(&[chart.finish()]);
    for (name, text) in [(CURVE, table), ("curve.svg", picture)] {
        let path = out.join(name);
        files::replace(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
