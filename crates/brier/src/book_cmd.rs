//! `brier book`: make, join and look into opening books.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use book::build::{BuildOptions, Builder, Weighting};
use book::{Book, Entry, WriteError, merge, write_book};
use chess::notation::fen::FenError;
use chess::{Board, Color, Square};
use clap::{Args, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;

/// What to do with books.
#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// Make a book from the games of PGN files
    Build(BuildArguments),
    /// Put several books together, each position's weights counting equally
    Merge {
        /// The book to write
        #[arg(short, long)]
        output: PathBuf,
        /// The books to read; `book.bin*3` counts three times
        #[arg(required = true)]
        books: Vec<String>,
    },
    /// Show what a book knows of a position
    Probe {
        /// The position as FEN; the start if it is missing
        fen: Option<String>,
        /// The book; the built-in one if it is missing
        #[arg(short, long)]
        book: Option<PathBuf>,
    },
    /// Write all entries as text: key, move, weight, learn
    Dump {
        /// The book; the built-in one if it is missing
        book: Option<PathBuf>,
    },
    /// Say how large a book is and whether it is sound
    Info {
        /// The book; the built-in one if it is missing
        book: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct BuildArguments {
    /// The book to write
    #[arg(short, long)]
    output: PathBuf,
    /// The PGN files to read
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Half-moves of each game to count
    #[arg(long, default_value_t = 30)]
    max_ply: u32,
    /// Leave out moves played in fewer games
    #[arg(long, default_value_t = 3)]
    min_games: u32,
    /// Leave out moves with a smaller part of their position's games, in percent
    #[arg(long, default_value_t = 0.0)]
    min_share: f64,
    /// Leave out moves that scored less for their side, in percent
    #[arg(long, default_value_t = 0.0)]
    min_score: f64,
    /// Leave out games in which a player is rated lower, or not at all
    #[arg(long, default_value_t = 0)]
    min_elo: u32,
    /// Leave out games in which a player is rated higher, as engines are
    #[arg(long, default_value_t = u32::MAX, hide_default_value = true)]
    max_elo: u32,
    /// Take the moves of one side only
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// What a weight is made from
    #[arg(long, value_enum, default_value = "results")]
    weights: Weights,
    /// Megabytes of memory for counts; what does not fit goes to temporary files beside the book
    #[arg(long, default_value_t = 256)]
    memory: usize,
}

#[derive(Copy, Clone, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

#[derive(Copy, Clone, Debug, ValueEnum)]
enum Weights {
    /// Two for a win, one for a draw
    Results,
    /// One for a game
    Games,
}

/// Runs a command.
pub(crate) fn run(command: BookCommand, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        BookCommand::Build(arguments) => build(&arguments, out),
        BookCommand::Merge { output, books } => merge_books(&output, &books, out),
        BookCommand::Probe { fen, book } => probe(fen.as_deref(), book.as_deref(), out),
        BookCommand::Dump { book } => dump(&open(book.as_deref())?, out).map_err(Failure::Output),
        BookCommand::Info { book } => info(&open(book.as_deref())?, out).map_err(Failure::Output),
    }
}

fn open(path: Option<&Path>) -> Result<Book, Failure> {
    match path {
        Some(path) => Book::open(path).map_err(|error| Failure::Other(error.to_string())),
        None => Ok(book::embedded()),
    }
}

fn build(arguments: &BuildArguments, out: &mut impl Write) -> Result<(), Failure> {
    let options = BuildOptions {
        max_ply: arguments.max_ply,
        min_games: arguments.min_games,
        min_share: arguments.min_share,
        min_score: arguments.min_score,
        min_elo: arguments.min_elo,
        max_elo: arguments.max_elo,
        side: arguments.side.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }),
        weighting: match arguments.weights {
            Weights::Results => Weighting::Results,
            Weights::Games => Weighting::Games,
        },
        memory: arguments.memory,
    };
    // All files are looked at first: a wrong name should not show after an hour of reading.
    check_output(&arguments.output, arguments.games.iter().map(PathBuf::as_path))?;
    let sizes: Result<Vec<u64>, Failure> = arguments
        .games
        .iter()
        .map(|path| match path.metadata() {
            Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
            Ok(_) => Err(Failure::Other(format!("expected a PGN file, got {}", path.display()))),
            Err(error) => Err(cannot_read(path, &error)),
        })
        .collect();
    let bar = ProgressBar::new(sizes?.iter().sum());
    bar.set_style(
        ProgressStyle::with_template(
            "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left, {msg}",
        )
        .map_err(|error| Failure::Other(error.to_string()))?,
    );
    let mut builder = Builder::new(&arguments.output, options);
    for path in &arguments.games {
        let file = files::open(path).map_err(|error| cannot_read(path, &error))?;
        builder
            .add_pgn(bar.wrap_read(file))
            .map_err(|error| Failure::Other(format!("{}: {error}", path.display())))?;
        bar.set_message(format!("{} games", builder.summary().games));
    }
    bar.finish_and_clear();
    let summary = builder.finish().map_err(|error| Failure::Other(error.to_string()))?;
    writeln!(
        out,
        "{} files: {} games counted, {} left out, {} broken\n{}: {} positions, {} moves, {} bytes",
        arguments.games.len(),
        summary.games,
        summary.left_out,
        summary.broken,
        arguments.output.display(),
        summary.positions,
        summary.entries,
        summary.entries * Entry::SIZE as u64,
    )
    .map_err(Failure::Output)
}

/// Refuses an output that cannot be written, or that is one of the inputs.
fn check_output<'a>(
    output: &Path,
    mut inputs: impl Iterator<Item = &'a Path>,
) -> Result<(), Failure> {
    if let Some(input) = inputs.find(|input| files::same_file(input, output)) {
        let (input, output) = (input.display(), output.display());
        let reason = format!("expected a book of its own to write, got {output}: it is {input}");
        return Err(Failure::Other(reason));
    }
    files::check_writable(output)
        .map_err(|error| Failure::Other(format!("cannot write {}: {error}", output.display())))
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::Other(format!("cannot read {}: {error}", path.display()))
}

fn merge_books(output: &Path, books: &[String], out: &mut impl Write) -> Result<(), Failure> {
    files::check_writable(output)
        .map_err(|error| Failure::Other(format!("cannot write {}: {error}", output.display())))?;
    let books: Vec<(Book, u32)> =
        books.iter().map(|text| open_with_share(text)).collect::<Result<_, _>>()?;
    let shares: Vec<(&Book, u32)> = books.iter().map(|(book, share)| (book, *share)).collect();
    let entries = merge(&shares);
    let count = write_book(output, entries.into_iter().map(Ok::<_, WriteError>))
        .map_err(|error| Failure::Other(error.to_string()))?;
    writeln!(out, "{}: {count} moves", output.display()).map_err(Failure::Output)
}

/// Reads `book.bin` or `book.bin*3`.
fn open_with_share(text: &str) -> Result<(Book, u32), Failure> {
    let (path, share) = match text.rsplit_once('*') {
        Some((path, share)) => match share.parse() {
            Ok(share) if share > 0 => (path, share),
            _ => {
                let reason = format!("expected a share from 1 after `*`, got `{share}`");
                return Err(Failure::Other(reason));
            }
        },
        None => (text, 1),
    };
    Ok((open(Some(Path::new(path)))?, share))
}

fn probe(fen: Option<&str>, book: Option<&Path>, out: &mut impl Write) -> Result<(), Failure> {
    let board: Board = match fen {
        Some(fen) => fen.parse().map_err(|error: FenError| Failure::Other(error.to_string()))?,
        None => Board::default(),
    };
    let book = open(book)?;
    print_moves(&book, &board, out).map_err(Failure::Output)
}

fn print_moves(book: &Book, board: &Board, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "key {:016x}", book::key(board))?;
    let moves = book.moves(board);
    let total: u32 = moves.iter().map(|found| u32::from(found.weight)).sum();
    for found in &moves {
        let share = 100.0 * f64::from(found.weight) / f64::from(total);
        let san = board.san(found.mv).to_string();
        writeln!(out, "{san:<8} {:>6} {share:>6.1} %", found.weight)?;
    }
    match moves.is_empty() {
        true => writeln!(out, "the book does not know this position"),
        false => Ok(()),
    }
}

fn dump(book: &Book, out: &mut impl Write) -> io::Result<()> {
    for entry in book.iter() {
        let promotion = ["", "n", "b", "r", "q"].get(usize::from(entry.mv >> 12)).unwrap_or(&"?");
        let square = |bits: u16| Square::from_index(usize::from(bits) & 63);
        let (from, to) = (square(entry.mv >> 6), square(entry.mv));
        writeln!(out, "{:016x} {from}{to}{promotion} {} {}", entry.key, entry.weight, entry.learn)?;
    }
    Ok(())
}

fn info(book: &Book, out: &mut impl Write) -> io::Result<()> {
    let entries: Vec<Entry> = book.iter().collect();
    let sorted = entries.is_sorted_by_key(|entry| entry.key);
    let mut keys: Vec<u64> = entries.iter().map(|entry| entry.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let deleted = entries.iter().filter(|entry| entry.weight == 0).count();
    writeln!(out, "entries   {}", entries.len())?;
    writeln!(out, "positions {}", keys.len())?;
    writeln!(out, "bytes     {}", entries.len() * Entry::SIZE)?;
    writeln!(out, "weight 0  {deleted}")?;
    writeln!(out, "sorted    {}", if sorted { "yes" } else { "no: some moves will not be found" })?;
    writeln!(out, "start     {} moves", book.moves(&Board::default()).len())
}
