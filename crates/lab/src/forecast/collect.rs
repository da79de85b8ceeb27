//! Pairs of a short search and one 64 times as long, both from an empty table.
//!
//! For every budget the short search is made as anybody would make it, and its last line judged by
//! the long one. The longest search of a position gives more: its own iterations, each judged by
//! what the same search says when it has spent 64 times as much. With one thread that is what a
//! fresh search would say, for a limit only cuts a search short.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use anyhow::{Context, ensure};
use chess::{Board, Move};
use engine::{Engine, Event, Info, Limits, Position};
use eval::forecast::FACTOR;
use eval::{Chances, Facts, Forecast, Forecaster, Score, score};

use super::sample::{self, Sample};
use crate::progress;

/// Options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Positions, one FEN a line
    positions: PathBuf,
    /// Where the pairs go; what is there already is not searched again
    #[arg(long)]
    out: PathBuf,
    /// Nodes of the short searches
    #[arg(long, value_delimiter = ',', default_values_t = [1000, 4000])]
    budgets: Vec<u64>,
    /// Leave out this many positions at the beginning of the file
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Look at this many positions at most
    #[arg(long, default_value_t = usize::MAX)]
    count: usize,
    /// Megabytes of the table
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// The evaluator, as the option EvalFile names it
    #[arg(long, default_value = "<default>", value_name = "FILE")]
    eval_file: String,
}

/// Keeps the facts, and foresees nothing.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Facts>>>);

impl Recorder {
    fn take(&self) -> Vec<Facts> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Forecaster for Recorder {
    fn forecast(&self, facts: &Facts) -> Forecast {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(*facts);
        Forecast::proved(facts.score)
    }
}

/// What one search said.
struct Search {
    /// The best line after each iteration, and the last one at the end.
    lines: Vec<Info>,
    /// What was known with those lines that are not decided.
    facts: Vec<Facts>,
}

impl Search {
    fn last(&self) -> Option<&Info> {
        self.lines.last()
    }

    /// The score when this many nodes were spent.
    fn at(&self, nodes: u64) -> Option<Score> {
        self.lines.iter().take_while(|line| line.nodes <= nodes).last().map(|line| line.score)
    }
}

struct Collector {
    engine: Engine,
    recorder: Recorder,
}

impl Collector {
    /// A search from an empty table; of one move alone, if it is given.
    fn search(&mut self, position: &Position, nodes: u64, only: Option<Move>) -> Search {
        self.engine.new_game();
        self.recorder.take();
        let limits = Limits {
            nodes: Some(nodes),
            search_moves: only.into_iter().collect(),
            ..Limits::default()
        };
        let (sender, events) = mpsc::channel();
        self.engine.go(position, limits, move |event| {
            // The receiver outlives the search.
            let _ = sender.send(event);
        });
        self.engine.wait();
        let lines = events.into_iter().filter_map(|event| match event {
            Event::Info(info) => Some(info),
            _ => None,
        });
        Search { lines: lines.collect(), facts: self.recorder.take() }
    }

    /// The samples of one position; none where there is nothing to foresee.
    fn samples(&mut self, board: &Board, budgets: &[u64]) -> Vec<Sample> {
        let position = Position::new(board.clone());
        let mut samples = Vec::new();
        let sample = |budget, facts, truth, own| Sample {
            position: board.key(),
            budget,
            material: Chances::material(board),
            facts,
            truth,
            own,
        };
        let mut longest: Option<(u64, Search)> = None;
        for &budget in budgets {
            let short = self.search(&position, budget, None);
            let long = self.search(&position, FACTOR * budget, None);
            let (Some(before), Some(after)) = (short.last(), long.last()) else { continue };
            let foreseeable = !score::is_decisive(before.score);
            if let (true, Some(&facts)) = (foreseeable, short.facts.last()) {
                let truth = after.score;
                let own = if before.pv[0] == after.pv[0] {
                    Some(truth)
                } else {
                    let alone = self.search(&position, FACTOR * budget, Some(before.pv[0]));
                    alone.last().map(|line| line.score)
                };
                samples.push(sample(budget, facts, truth, own));
            }
            longest = Some((FACTOR * budget, long));
        }
        if let Some((most, long)) = longest {
            let early = long.facts.iter().filter(|facts| FACTOR * facts.nodes <= most);
            samples.extend(
                early.filter_map(|facts| {
                    Some(sample(0, *facts, long.at(FACTOR * facts.nodes)?, None))
                }),
            );
        }
        samples
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(!args.budgets.is_empty(), "expected budgets, got none");
    let text = std::fs::read_to_string(&args.positions)
        .with_context(|| format!("cannot read positions from {}", args.positions.display()))?;
    let boards = text.lines().skip(args.skip).take(args.count).enumerate().map(|(number, fen)| {
        fen.parse::<Board>()
            .with_context(|| format!("position {}: {fen:?}", args.skip + number + 1))
    });
    let boards: Vec<Board> = boards.collect::<Result<_, _>>()?;
    let done: HashSet<u64> = if args.out.exists() {
        sample::read_one(&args.out)?.iter().map(|sample| sample.position).collect()
    } else {
        HashSet::new()
    };
    let recorder = Recorder::default();
    let mut engine =
        Engine::builder().hash_mb(args.hash).option("EvalFile", &args.eval_file).build()?;
    engine.set_forecaster(Some(Arc::new(recorder.clone())));
    let mut collector = Collector { engine, recorder };
    let mut budgets = args.budgets.clone();
    budgets.sort_unstable();
    let mut file = open(&args.out)?;
    let bar = progress::counter("positions", boards.len() as u64);
    for board in &boards {
        bar.inc(1);
        if done.contains(&board.key()) || board.legal_moves().len() < 2 {
            continue;
        }
        let lines: String = collector
            .samples(board, &budgets)
            .into_iter()
            .map(|sample| sample.to_line() + "\n")
            .collect();
        file.write_all(lines.as_bytes())?;
    }
    bar.finish();
    Ok(())
}
