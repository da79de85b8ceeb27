//! `brier-lab shuffle`: games become records for the trainer, in random order and without twins.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use data::viri::Reader;
use data::{Filter, Game, Part, Record, Reject, ShuffleCounts, Shuffler, Split};
use indicatif::HumanCount;

use crate::progress;

/// Options of `brier-lab shuffle`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games in viriformat. Where a position occurs twice, the file named first has its say.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Where the records to train on go.
    #[arg(short, long)]
    output: PathBuf,
    /// Where the records of held-out games go; without it these games are left out.
    #[arg(long)]
    held_out: Option<PathBuf>,
    /// Which share of the games to hold out.
    #[arg(long, default_value_t = 0.02)]
    held_out_share: f64,
    /// The order of the records follows from this number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Megabytes of records to hold in memory at once.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Keep positions in check.
    #[arg(long)]
    keep_checks: bool,
    /// Keep positions where the move played captures or promotes.
    #[arg(long)]
    keep_noisy: bool,
    /// Drop positions earlier in the game than this, in plies by the move number.
    #[arg(long, default_value_t = 0)]
    min_ply: usize,
    /// Drop scores beyond this, in centipawns.
    #[arg(long, default_value_t = Filter::default().max_score)]
    max_score: i16,
    /// Drop positions with fewer pieces, kings included.
    #[arg(long, default_value_t = Filter::default().min_pieces)]
    min_pieces: u32,
}

/// One of the two outputs.
struct Output<'a> {
    path: &'a Path,
    shuffler: Shuffler,
}

/// Positions seen and dropped.
#[derive(Default)]
struct Counts {
    seen: u64,
    dropped: Vec<(Reject, u64)>,
}

/// Shuffles the positions of all inputs.
#[expect(clippy::print_stdout, reason = "how many records there are is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(
        (0.0..=1.0).contains(&args.held_out_share),
        "expected a share from 0 to 1 to hold out, got {}",
        args.held_out_share
    );
    for output in std::iter::once(&args.output).chain(&args.held_out) {
        let same = args.inputs.iter().any(|input| files::same_file(input, output));
        ensure!(!same, "expected an output that is not an input, got {}", output.display());
    }
    let filter = Filter {
        in_check: !args.keep_checks,
        noisy: !args.keep_noisy,
        min_ply: args.min_ply,
        max_score: args.max_score.saturating_abs(),
        min_pieces: args.min_pieces,
    };
    let split = Split::new(args.held_out_share);
    let total = args.inputs.iter().map(|path| size_of_file(path)).sum::<anyhow::Result<u64>>()?;

    // A position takes four bytes in a game, so this is the most there can be.
    let most = total / 4;
    let mut training = Output::new(&args.output, args, most)?;
    let held_out_most = (most as f64 * args.held_out_share) as u64;
    let mut held_out =
        args.held_out.as_deref().map(|path| Output::new(path, args, held_out_most)).transpose()?;

    let bar = progress::bytes(total);
    let mut counts = Counts::default();
    let mut done = 0;
    for path in &args.inputs {
        let context = || format!("cannot read {}", path.display());
        let mut reader = Reader::open(path).with_context(context)?;
        while let Some(game) = reader.read_game().with_context(context)? {
            let output = match split.part(&game) {
                Part::Training => Some(&mut training),
                Part::HeldOut => held_out.as_mut(),
            };
            if let Some(output) = output {
                push_game(&game, &filter, output, &mut counts, context)?;
            }
            bar.set_position(done + reader.position());
        }
        done += reader.position();
    }
    bar.finish();
    println!("{}", report_drops(&counts));
    for output in std::iter::once(training).chain(held_out) {
        let path = output.path;
        let written = output.finish()?;
        println!(
            "{}: {} distinct of {} positions",
            path.display(),
            HumanCount(written.written),
            HumanCount(written.pushed)
        );
    }
    Ok(())
}

impl<'a> Output<'a> {
    fn new(path: &'a Path, args: &Args, most: u64) -> anyhow::Result<Self> {
        let mut folder = path.as_os_str().to_owned();
        folder.push(".buckets");
        let memory = args.memory.saturating_mul(1 << 20);
        let shuffler = Shuffler::new(Path::new(&folder), args.seed, most, memory)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path, shuffler })
    }

    fn finish(self) -> anyhow::Result<ShuffleCounts> {
        let bar = progress::counter("records", self.shuffler.len());
        let counts = self
            .shuffler
            .finish(self.path, |done| bar.set_position(done))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        bar.finish();
        Ok(counts)
    }
}

fn push_game(
    game: &Game,
    filter: &Filter,
    output: &mut Output<'_>,
    counts: &mut Counts,
    context: impl Fn() -> String,
) -> anyhow::Result<()> {
    for position in game.replay() {
        let position = position.with_context(&context)?;
        counts.seen += 1;
        match filter.reject(&position) {
            None => output
                .shuffler
                .push(&Record::new(&position))
                .with_context(|| format!("cannot write {}", output.path.display()))?,
            Some(reason) => match counts.dropped.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => counts.dropped.push((reason, 1)),
            },
        }
    }
    Ok(())
}

fn report_drops(counts: &Counts) -> String {
    let mut text = format!("{} positions", HumanCount(counts.seen));
    for (reason, count) in &counts.dropped {
        text += &format!(", {} dropped ({reason})", HumanCount(*count));
    }
    text
}

fn size_of_file(path: &Path) -> anyhow::Result<u64> {
    let data = path.metadata().with_context(|| format!("cannot read {}", path.display()))?;
    Ok(data.len())
}
