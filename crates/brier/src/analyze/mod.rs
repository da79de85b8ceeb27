//! `brier analyze`: reads games, lets crate `review` judge them, prints what it says and writes the
//! files.

pub(crate) mod games;
mod save;

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use chess::Board;
use clap::Args;
use pgn::Game;
use review::review::Review;
use review::searcher::Searcher;
use review::{annotate, chart, page, position, report};

use crate::flags::{EngineArguments, LimitArguments};
use crate::{Failure, output, progress};

/// What to look at, how hard, and where to write it.
#[derive(Args)]
pub(crate) struct AnalyzeArguments {
    /// A file of games in PGN, standard chess or Chess960
    #[arg(required_unless_present = "fen", conflicts_with = "fen")]
    file: Option<PathBuf>,
    /// One position instead of games: a FEN, or `startpos`
    #[arg(long, value_name = "FEN", conflicts_with_all = ["game", "svg", "html", "pgn"])]
    fen: Option<String>,
    /// How many of the position's best lines to show
    #[arg(long, default_value_t = 3, value_name = "N", requires = "fen")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=500))]
    lines: u16,
    /// Only the N-th game of the file
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    engine: EngineArguments,
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

impl AnalyzeArguments {
    fn writes_files(&self) -> bool {
        [&self.svg, &self.html, &self.pgn].iter().any(|path| path.is_some())
    }
}

/// Nodes for each position of a game if no limit is given: unlike a time, they give the same
/// report on every machine.
const GAME_NODES: u64 = 100_000;
/// The same for a position that is looked at alone.
const POSITION_NODES: u64 = 1_000_000;

/// Looks at what is asked for, prints what it finds, and writes the files.
pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    match (&arguments.fen, &arguments.file) {
        (Some(fen), _) => look_at(fen, arguments),
        (None, Some(file)) => go_through(file, arguments),
        (None, None) => Err(Failure::Other("expected a file of games or --fen".to_owned())),
    }
}

fn searcher(arguments: &AnalyzeArguments, usual_nodes: u64) -> Result<Searcher, String> {
    let mut limits = arguments.limits;
    if limits.movetime.is_none() && limits.depth.is_none() {
        limits.nodes.get_or_insert(usual_nodes);
    }
    Ok(Searcher::new(arguments.engine.engine()?, limits.limits(0)))
}

fn look_at(fen: &str, arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let board: Board = match fen.trim() {
        "startpos" => Board::default(),
        fen => fen.parse().map_err(|error| Failure::Other(format!("{error}")))?,
    };
    let mut searcher = searcher(arguments, POSITION_NODES).map_err(Failure::Other)?;
    let text = position::describe(&board, &mut searcher, usize::from(arguments.lines));
    output::line(text).map_err(Failure::Output)
}

fn go_through(file: &Path, arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let games = games::read(file).and_then(|games| choose(games, arguments.game));
    let games = games.map_err(Failure::Other)?;
    check_outputs(file, arguments, games.len()).map_err(Failure::Other)?;
    let mut searcher = searcher(arguments, GAME_NODES).map_err(Failure::Other)?;
    let positions = games.iter().map(|game| game.moves.len() + 1).sum();
    let (count, bar) = (games.len(), progress::bar(positions));
    let (mut reviews, mut unread, mut written) = (Vec::new(), Vec::new(), Ok(()));
    for game in games {
        bar.set_message(format!("game {}", game.number));
        let text = if game.is_unreadable() {
            let text =
                format!("Game {}: {}\n{}", game.number, game.players(), report::faults(&game));
            unread.push(game);
            text
        } else {
            let count = || {
                bar.inc(1);
                Ok::<_, Infallible>(())
            };
            let Ok(review) = Review::new(game, &mut searcher, count);
            let text = report::describe(&review);
            reviews.push(review);
            text
        };
        // Who has read enough may still wait for the files.
        written = written.and_then(|()| bar.suspend(|| output::line(text)));
        if written.is_err() && !arguments.writes_files() {
            break;
        }
    }
    bar.finish_and_clear();
    if reviews.is_empty() {
        let path = file.display();
        return Err(Failure::Other(format!(
            "{path}: expected a game that can be replayed, got none"
        )));
    }
    write_files(arguments, &reviews, &unread).map_err(Failure::Other)?;
    written.map_err(Failure::Output)?;
    let cut = reviews.iter().filter(|review| review.game.cut().is_some()).count() + unread.len();
    if cut > 0 {
        let reason = format!("{cut} of {count} games could not be read to the end, see above");
        return Err(Failure::Other(reason));
    }
    Ok(())
}

/// All games, or the one that is asked for.
fn choose(mut games: Vec<Game>, wanted: Option<u32>) -> Result<Vec<Game>, String> {
    let Some(number) = wanted else { return Ok(games) };
    let (count, index) = (games.len(), number as usize - 1);
    if index >= count {
        return Err(format!(
            "expected --game from 1 to {count}, as many as the file has, got {number}"
        ));
    }
    Ok(vec![games.swap_remove(index)])
}

/// Finds out before the search what would fail after it.
fn check_outputs(file: &Path, arguments: &AnalyzeArguments, games: usize) -> Result<(), String> {
    let AnalyzeArguments { svg, html, pgn, .. } = arguments;
    if svg.is_some() && games > 1 {
        return Err(format!("expected --game N with --svg: a chart shows one game, not {games}"));
    }
    let mut taken = vec![(file, "the games come from")];
    for path in [svg, html, pgn].into_iter().flatten() {
        save::check(path)?;
        if let Some((_, whose)) = taken.iter().find(|(other, _)| is_same(other, path)) {
            return Err(format!("expected another file than {}, which {whose}", path.display()));
        }
        taken.push((path, "another option names"));
    }
    Ok(())
}

/// Do two paths lead to one file? Files that do not exist yet are told apart by their names.
fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

fn write_files(
    arguments: &AnalyzeArguments,
    reviews: &[Review],
    unread: &[Game],
) -> Result<(), String> {
    if let (Some(path), [review]) = (&arguments.svg, reviews) {
        save::save(path, &chart::document(review))?;
    }
    if let Some(path) = &arguments.html {
        save::save(path, &page::document(reviews, unread))?;
    }
    if let Some(path) = &arguments.pgn {
        let mut games: Vec<Game> = reviews.iter().map(annotate::game).collect();
        games.extend(unread.iter().cloned());
        games.sort_by_key(|game| game.number);
        let texts: Vec<String> = games.iter().map(Game::to_string).collect();
        save::save(path, &texts.join("\n"))?;
    }
    Ok(())
}
