//! `brier suite`: solves test positions and says how many.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use measure::suite::{self, Problems};

use crate::flags::{EngineArguments, LimitArguments};
use crate::{Failure, output, progress, text_file};

/// Which positions to solve, and how long to think about each.
#[derive(Args)]
pub(crate) struct SuiteArguments {
    /// A file of EPD lines with `bm`, `am`, or mates as `bm #N`; or puzzles as CSV, as Lichess has them
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    engine: EngineArguments,
    /// Hunt mates and look harder for attacks on kings, as with the option UCI_AnalyseMode
    #[arg(long)]
    analysis: bool,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    first: Option<usize>,
}

/// How many problems
#[derive(Default)]
struct Count {
    solved: usize,
    all: usize,
}

/// The longest file of positions.
const MOST_BYTES: u64 = 1 << 32;
/// Milliseconds for each position if no limit is given.
const USUAL_MS: u64 = 1000;
/// Ratings of one row of the report.
const BAND: u32 = 400;

/// Runs the suite and prints the unsolved positions and the count.
pub(crate) fn run(arguments: &SuiteArguments) -> Result<(), Failure> {
    let text = text_file::read(&arguments.file, MOST_BYTES).map_err(Failure::Other)?;
    let Problems { mut problems, left_out } = suite::read(&text).map_err(Failure::Other)?;
    problems.truncate(arguments.first.unwrap_or(usize::MAX));
    let mut engine = arguments.engine.engine().map_err(Failure::Other)?;
    if arguments.analysis {
        let analysis = engine.set("UCI_AnalyseMode", Some("true"));
        analysis.map_err(|error| Failure::Other(error.to_string()))?;
    }
    let limits = arguments.limits.limits(USUAL_MS);
    let bar = progress::bar(problems.len());
    let mut solved = 0;
    let mut bands: BTreeMap<u32, Count> = BTreeMap::new();
    for problem in &problems {
        let mistake = suite::attempt(&mut engine, problem, &limits);
        if let Some(rating) = problem.rating {
            let band = bands.entry(rating / BAND).or_default();
            band.all += 1;
            band.solved += usize::from(mistake.is_none());
        }
        match mistake {
            None => solved += 1,
            Some(got) => {
                let line = format!("not solved: {problem} got {got}");
                bar.suspend(|| output::line(output::plain(&line))).map_err(Failure::Output)?;
            }
        }
        bar.set_message(format!("{solved} solved"));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if left_out > 0 {
        let line = format!("left out: {left_out} lines without bm or am");
        output::line(line).map_err(Failure::Output)?;
    }
    for (band, Count { solved, all }) in bands {
        let from = band * BAND;
        let share = 100.0 * solved as f64 / all as f64;
        let line = format!("rated {from} to {}: {solved} of {all}, {share:.1} %", from + BAND - 1);
        output::line(line).map_err(Failure::Output)?;
    }
    output::line(format_args!("solved {solved} of {}", problems.len())).map_err(Failure::Output)
}
