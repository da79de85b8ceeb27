//! `brier analyze`: turns the command line into a run of crate `batch` over games or positions, which
//! crate `review` judges.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::thread;

use batch::games::Run;
use batch::input;
use batch::journal::Journal;
use batch::outputs::{Destinations, Outputs};
use batch::{Format, folder, games, positions};
use book::Book;
use chess::Board;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use engine::Limits;
use review::player::Player;
use review::position;
use review::searcher::Searcher;
use review::theory::Theory;

use crate::flags::{EngineArguments, LimitArguments, number_of};
use crate::progress::GamesBar;
use crate::{Failure, output, progress};

/// What to look at, how hard, and where to write it.
#[derive(Args, Clone)]
pub(crate) struct AnalyzeArguments {
    /// Files of games in PGN, standard chess or Chess960; folders with such files; - for standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["fen", "fens"])]
    #[arg(conflicts_with_all = ["fen", "fens"])]
    files: Vec<PathBuf>,
    /// One position instead of games: a FEN, or `startpos`
    #[arg(long, value_name = "FEN")]
    #[arg(conflicts_with_all = ["fens", "game", "svg", "html", "pgn", "out", "me", "format"])]
    fen: Option<String>,
    /// Positions instead of games: a file with a FEN or an EPD on each line, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "svg", "html", "pgn", "out", "me"])]
    fens: Option<PathBuf>,
    /// How many of a position's best lines to show; 3 with --fen, 1 with --fens
    #[arg(long, value_name = "N")]
    #[arg(value_parser = number_of("MultiPV"))]
    lines: Option<u16>,
    /// Only the N-th game of all
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    engine: EngineArguments,
    /// A book in Polyglot's format: its moves are known and not judged, beside those of the openings
    /// that have names
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// What to print; text, or nothing with --out
    #[arg(long, value_parser = formats())]
    format: Option<Format>,
    /// Whose games these are: the sum over all games is seen from this player's side
    #[arg(long, value_name = "NAME")]
    me: Option<String>,
    /// Write a folder with an index and a page for each game; if it was cut off, go on with it
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write a chart of the game
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a page with chart, diagrams and all moves of the games
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the games with scores, marks and better lines
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// Reads the name of a format.
fn formats() -> impl TypedValueParser<Value = Format> {
    let value = |format: Format| PossibleValue::new(format.name()).help(format.about());
    PossibleValuesParser::new(Format::ALL.map(value)).try_map(|name| name.parse())
}

/// Nodes for each position of a game if no limit is given: unlike a time, they give the same
/// report on every machine.
const GAME_NODES: u64 = 100_000;
/// The same for a position that is looked at alone.
const POSITION_NODES: u64 = 1_000_000;
/// Megabytes of the table of a game: it holds what a hundred positions of a usual search leave in it.
const GAME_HASH: usize = 16;
/// Nodes whose traces a megabyte of the table holds.
const NODES_PER_MB: u64 = 1 << 16;

/// Looks at what is asked for, prints what it finds, and writes the files.
pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    match (&arguments.fen, &arguments.fens) {
        (Some(fen), _) => look_at(fen, arguments),
        (None, Some(file)) => {
            let searchers =
                searchers(arguments, position_hash(arguments)).map_err(Failure::Other)?;
            let count = usize::from(arguments.lines.unwrap_or(1));
            let format = arguments.format.unwrap_or(Format::Text);
            let mut out = BufWriter::new(io::stdout().lock());
            let bar = progress::counter();
            let done = positions::review(file, searchers, count, format, &mut out, || bar.inc(1));
            bar.finish_and_clear();
            Ok(done?)
        }
        (None, None) => go_through(arguments),
    }
}

/// The limits that are given, or the usual number of nodes.
fn limits(arguments: &AnalyzeArguments, usual_nodes: u64) -> Limits {
    let mut limits = arguments.limits;
    if limits.movetime.is_none() && limits.depth.is_none() {
        limits.nodes.get_or_insert(usual_nodes);
    }
    limits.limits(0)
}

/// One searcher for each game or position that is looked at at once. They do not share a table, so
/// that their number does not change what they find.
fn searchers(arguments: &AnalyzeArguments, hash: usize) -> Result<Vec<Searcher>, String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let count = arguments.engine.threads.map_or(cores, usize::from);
    let engines = arguments.engine.engines(count, arguments.engine.hash.unwrap_or(hash))?;
    let limits = limits(arguments, GAME_NODES);
    Ok(engines.into_iter().map(|engine| Searcher::new(engine, limits.clone())).collect())
}

/// A table that is no larger than a search of one position needs, for it is wiped before each.
fn position_hash(arguments: &AnalyzeArguments) -> usize {
    let nodes = limits(arguments, GAME_NODES).nodes.unwrap_or(u64::MAX);
    usize::try_from(nodes / NODES_PER_MB).map_or(GAME_HASH, |size| size.clamp(1, GAME_HASH))
}

fn look_at(fen: &str, arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let board: Board = match fen.trim() {
        "startpos" => Board::default(),
        fen => fen.parse().map_err(|error| Failure::Other(format!("{error}")))?,
    };
    let engine = arguments.engine.engine().map_err(Failure::Other)?;
    let mut searcher = Searcher::new(engine, limits(arguments, POSITION_NODES));
    let lines = usize::from(arguments.lines.unwrap_or(3));
    output::line(position::describe(&board, &mut searcher, lines)).map_err(Failure::Output)
}

fn go_through(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let inputs = input::expand(&arguments.files).map_err(Failure::Other)?;
    let count = input::count(&inputs).map_err(Failure::Other)?;
    let wanted = arguments.game.map(|game| game as usize);
    let to = destinations(arguments);
    if count.is_some_and(|count| count.games == 0) {
        let names: Vec<String> =
            arguments.files.iter().map(|file| file.display().to_string()).collect();
        let reason = format!("{}: expected games in PGN, found none", names.join(", "));
        return Err(Failure::Other(reason));
    }
    to.check(&inputs, count, wanted).map_err(Failure::Other)?;
    let theory = theory(arguments).map_err(Failure::Other)?;
    let searchers = searchers(arguments, GAME_HASH).map_err(Failure::Other)?;
    let player = player(arguments).map_err(Failure::Other)?;
    let journal = open_journal(arguments).map_err(Failure::Other)?;
    let outputs = Outputs::new(&to, player, inputs.len() > 1, io::stdout());
    let outputs = outputs.map_err(Failure::Other)?;
    let bar = GamesBar::new(count);
    let run = Run { inputs, wanted, searchers, theory: &theory, journal };
    Ok(games::review(run, outputs, &bar)?)
}

/// Where everything goes: the text to the terminal if nothing else is asked for.
fn destinations(arguments: &AnalyzeArguments) -> Destinations {
    let AnalyzeArguments { out, svg, html, pgn, .. } = arguments.clone();
    let usual = out.is_none().then_some(Format::Text);
    Destinations { print: arguments.format.or(usual), folder: out, svg, html, pgn }
}

fn theory(arguments: &AnalyzeArguments) -> Result<Theory, String> {
    let Some(path) = &arguments.book else { return Ok(Theory::default()) };
    let book = Book::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Theory::with_book(book))
}

fn player(arguments: &AnalyzeArguments) -> Result<Option<Player>, String> {
    let Some(name) = &arguments.me else { return Ok(None) };
    let player = Player::new(name);
    player.map(Some).ok_or_else(|| format!("expected a name with --me, got \"{name}\""))
}

/// The journal of the folder, which holds what earlier runs have found.
fn open_journal(arguments: &AnalyzeArguments) -> Result<Option<Journal>, String> {
    let Some(path) = &arguments.out else { return Ok(None) };
    folder::prepare(path)?;
    Journal::open(&path.join(folder::JOURNAL), &settings(arguments)).map(Some)
}

/// Everything on which the engine's answers depend, in words.
fn settings(arguments: &AnalyzeArguments) -> String {
    let Limits { depth, nodes, move_time, sure, .. } = limits(arguments, GAME_NODES);
    let EngineArguments { hash, eval_file, syzygy, options, .. } = &arguments.engine;
    let hash = hash.unwrap_or(GAME_HASH);
    let mut words = vec![format!("hash {hash}"), format!("network {eval_file}")];
    words.extend(nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(depth.map(|depth| format!("depth {depth}")));
    words.extend(move_time.map(|time| format!("time {time:?}")));
    words.extend(sure.map(|sure| format!("sure {sure}")));
    words.extend(syzygy.iter().map(|folders| format!("tablebases {folders}")));
    words.extend(options.iter().map(|(name, value)| format!("{name}={value}")));
    words.join(", ")
}
