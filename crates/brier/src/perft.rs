//! `brier perft` and `go perft`: count the leaves of the move tree.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chess::notation::uci::CastlingForm;
use chess::{Board, MAX_PERFT_DEPTH, Move};
use clap::{Args, value_parser};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use measure::perft::{self, Table};

use crate::{Failure, output};

/// A bar for less than this would only flicker.
const BAR_AFTER: Duration = Duration::from_millis(1500);

/// What to count, and how.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Half-moves to look ahead
    #[arg(value_parser = value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// The position to start from [default: the start of the game]
    #[arg(long)]
    fen: Option<Board>,
    /// Also print the count below each move
    #[arg(long)]
    divide: bool,
    /// Threads to count with
    #[arg(long, default_value = "1", value_name = "N")]
    threads: NonZeroUsize,
    /// Megabytes for a table of positions already counted; 0 counts every position anew
    #[arg(long, default_value_t = 0, value_name = "MB")]
    hash: usize,
}

/// Counts and prints; the last line reads `N nodes M nps`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let board = arguments.fen.clone().unwrap_or_default();
    let table = Table::with_megabytes(arguments.hash)
        .map_err(|_| Failure::Other(format!("cannot allocate a table of {} MB", arguments.hash)))?;
    let start = Instant::now();
    let mut bar = Bar::new(start);
    let counts = perft::divide(
        &board,
        arguments.depth,
        arguments.threads,
        table.as_ref(),
        &mut |progress| {
            bar.show(progress);
        },
    );
    bar.finish();
    let seconds = start.elapsed().as_secs_f64();
    let nodes = match arguments.depth {
        0 => 1,
        _ => counts.iter().map(|&(_, nodes)| nodes).sum::<u64>(),
    };
    let mut out = io::stdout().lock();
    let mut print = || {
        if arguments.divide {
            // King takes rook wherever the usual form could be misread.
            let form = match board.is_chess960() {
                true => CastlingForm::Chess960,
                false => CastlingForm::Standard,
            };
            for &(mv, nodes) in &counts {
                writeln!(out, "{}: {nodes}", mv.uci(form))?;
            }
        }
        writeln!(out, "{nodes} nodes {:.0} nps", nodes as f64 / seconds.max(1e-9))
    };
    print().map_err(Failure::Output)
}

/// `go perft N`: counts until it is stopped, with a line for each move, which `write_move` names.
pub(crate) fn divide(
    board: &Board,
    depth: u32,
    write_move: &impl Fn(Move) -> String,
    stop: &AtomicBool,
) -> io::Result<()> {
    let mut total = u64::from(depth == 0);
    if depth > 0 {
        for mv in &board.legal_moves() {
            let Some(nodes) = perft::count_until(&board.after(mv), depth - 1, stop) else {
                return output::line("info string perft stopped");
            };
            output::line(format_args!("{}: {nodes}", write_move(mv)))?;
            total += nodes;
        }
    }
    output::line(format_args!("\nNodes searched: {total}"))
}

/// A progress bar on a terminal's standard error, once it has become worth looking at.
struct Bar {
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    fn new(start: Instant) -> Self {
        Self { start, bar: None }
    }

    fn show(&mut self, progress: perft::Progress) {
        if self.bar.is_none() && self.start.elapsed() > BAR_AFTER && io::stderr().is_terminal() {
            let style =
                ProgressStyle::with_template("{wide_bar} {percent:>3} %, {msg}, {eta} left");
            let bar =
                ProgressBar::with_draw_target(Some(progress.total), ProgressDrawTarget::stderr())
                    .with_elapsed(self.start.elapsed());
            self.bar = Some(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())));
        }
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} nodes", HumanCount(progress.nodes)));
            bar.set_position(progress.done);
        }
    }

    fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
