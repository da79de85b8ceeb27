//! Pairs of a short search and one 64 times as long, both from an empty table.
//!
//! For every budget the short search is made as anybody would make it, and its last line judged by
//! the long one. The longest search of a position gives more: its own iterations, each judged by
//! what the same search says when it has spent 64 times as much. With one thread that is what a
//! fresh search would say, for a limit only cuts a search short; so where the model is not judged, the
//! longest search stands for the others as well. Moves that the longer search has given up are searched
//! alone, as long as it was, to see what they are worth.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use anyhow::{Context, ensure};
use chess::{Board, Move};
use engine::{Bound, Engine, Event, Info, Limits, Position};
use eval::forecast::FACTOR;
use eval::{Chances, Facts, Forecast, Forecaster, Score, score};

use super::positions;
use super::sample::{self, Part, Sample};
use crate::{progress, workers};

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
    /// Only the positions of this part
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// Positions searched at once, each on one thread
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Megabytes of each table
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

/// A line with what was known when it was reported; nothing of a decided one.
type Report = (Info, Option<Facts>);

/// What one search said: the best line after each iteration, and the last one at the end.
struct Search {
    limit: u64,
    reports: Vec<Report>,
}

impl Search {
    fn last(&self) -> Option<&Report> {
        self.reports.last()
    }

    /// The line when this many nodes were spent.
    fn at(&self, nodes: u64) -> Option<&Info> {
        // The last one may come a few nodes after the limit.
        let before = |line: &&Info| nodes >= self.limit || line.nodes <= nodes;
        self.reports.iter().map(|(line, _)| line).take_while(before).last()
    }
}

struct Collector {
    engine: Engine,
    recorder: Recorder,
}

impl Collector {
    fn new(args: &Args) -> anyhow::Result<Self> {
        let recorder = Recorder::default();
        let builder = Engine::builder().hash_mb(args.hash).option("EvalFile", &args.eval_file);
        let mut engine = builder.build()?;
        engine.set_forecaster(Some(Arc::new(recorder.clone())));
        Ok(Self { engine, recorder })
    }

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
        let mut facts = self.recorder.take().into_iter();
        let report = |line: Info| {
            let facts = if score::is_decisive(line.score) { None } else { facts.next() };
            (line, facts)
        };
        let lines = events.into_iter().filter_map(|event| match event {
            Event::Info(line) => Some(line),
            _ => None,
        });
        let mut reports: Vec<Report> = lines.map(report).collect();
        // Bounds within an iteration are reported by the clock; the last line may be one.
        let last = reports.pop();
        reports.retain(|(line, _)| line.bound == Bound::Exact);
        reports.extend(last);
        Search { limit: nodes, reports }
    }

    /// The samples of one position; none where there is nothing to foresee.
    fn samples(&mut self, board: &Board, budgets: &[u64]) -> Vec<Sample> {
        let position = Position::new(board.clone());
        let sample = |budget, facts, truth, own| Sample {
            position: board.key(),
            budget,
            material: Chances::material(board),
            facts,
            truth,
            own,
        };
        let Some(&largest) = budgets.last() else { return Vec::new() };
        let long = self.search(&position, FACTOR * largest, None);
        let mut alone = Alone { position: &position, known: HashMap::new() };
        let mut samples = Vec::new();
        let judged = Part::of(board.key()) == Part::Judge;
        // The largest first: what it has searched alone serves the others.
        for &budget in budgets.iter().rev() {
            let most = FACTOR * budget;
            let short = self.search(&position, budget, None);
            let Some((before, Some(facts))) = short.last() else { continue };
            let fresh = (judged && budget < largest).then(|| self.search(&position, most, None));
            let Some(after) = fresh.as_ref().unwrap_or(&long).at(most) else { continue };
            let own = alone.worth(self, before.pv[0], after, most);
            samples.push(sample(budget, *facts, after.score, own));
        }
        samples.reverse();
        let early = long.reports.iter().filter(|(line, _)| line.nodes <= largest);
        let mut iterations = Vec::new();
        for (line, facts) in early.rev() {
            let nodes = FACTOR * line.nodes;
            let (Some(facts), Some(truth)) = (facts, long.at(nodes)) else { continue };
            // Iterations tell a judge how the band has changed, and he asks no more of them.
            let own = if judged { None } else { alone.worth(self, line.pv[0], truth, nodes) };
            iterations.push(sample(0, *facts, truth.score, own));
        }
        samples.extend(iterations.into_iter().rev());
        samples
    }
}

/// Searches of single moves of a position.
struct Alone<'a> {
    position: &'a Position,
    known: HashMap<Move, Search>,
}

impl Alone<'_> {
    /// What a move comes to after this many nodes, beside the best line that was found with as many.
    fn worth(
        &mut self,
        collector: &mut Collector,
        mv: Move,
        best: &Info,
        nodes: u64,
    ) -> Option<Score> {
        if best.pv[0] == mv {
            return Some(best.score);
        }
        if self.known.get(&mv).is_none_or(|search| search.limit < nodes) {
            self.known.insert(mv, collector.search(self.position, nodes, Some(mv)));
        }
        self.known[&mv].at(nodes).map(|line| line.score)
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

/// Cuts off what a run left behind that ended in the middle of a line: that line and the others of
/// its position, which is searched again.
fn repair(path: &Path) -> anyhow::Result<()> {
    let context = || format!("cannot repair {}", path.display());
    let text = std::fs::read_to_string(path).with_context(context)?;
    if text.is_empty() || text.ends_with('\n') {
        return Ok(());
    }
    let position = |line: &str| line.split(' ').next().map(str::to_owned);
    let mut whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let last = whole.lines().last().and_then(position);
    while let Some(line) = whole.lines().last().filter(|line| position(line) == last) {
        whole = &whole[..whole.len() - line.len() - 1];
    }
    open(path)?.set_len(whole.len() as u64).with_context(context)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(!args.budgets.is_empty(), "expected budgets, got none");
    let boards = positions::read(&args.positions, args.skip, args.count)?;
    let done: HashSet<u64> = if args.out.exists() {
        repair(&args.out)?;
        sample::read_one(&args.out)?.iter().map(|sample| sample.position).collect()
    } else {
        HashSet::new()
    };
    let mut budgets = args.budgets.clone();
    budgets.sort_unstable();
    let todo: Vec<&Board> = boards
        .iter()
        .filter(|board| args.part.is_none_or(|part| Part::of(board.key()) == part))
        .filter(|board| !done.contains(&board.key()) && board.legal_moves().len() > 1)
        .collect();
    let file = Mutex::new(open(&args.out)?);
    let bar = progress::counter("positions", todo.len() as u64);
    let next = AtomicUsize::new(0);
    workers::work(args.threads.get(), || {
        let mut collector = Collector::new(args)?;
        while let Some(board) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            let samples = collector.samples(board, &budgets);
            let lines: String = samples.into_iter().map(|sample| sample.to_line() + "\n").collect();
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.write_all(lines.as_bytes())
                .with_context(|| format!("cannot write {}", args.out.display()))?;
            drop(file);
            bar.inc(1);
        }
        Ok(())
    })?;
    bar.finish();
    Ok(())
}
