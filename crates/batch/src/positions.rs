//! Positions of a file, one on each line, searched side by side and written as they come.

use std::io::{self, Read, Write};
use std::path::Path;

use chess::Board;
use chess::notation::epd::Epd;
use engine::Position;
use review::record::{ErrorRecord, PositionRecord, VERSION};
use review::searcher::{Line, Searcher};
use review::{csv, position};

use crate::BatchError;
use crate::format::Format;
use crate::workers::{self, Task};

/// A line of the file.
struct Found {
    number: usize,
    text: String,
    board: Result<Board, String>,
}

/// Searches all positions of a file and prints what is found; bad lines are named and passed over.
///
/// `count` is the number of best lines of each, and `searched` is called after each position.
pub fn review(
    path: &Path,
    searchers: Vec<Searcher>,
    count: usize,
    format: Format,
    out: &mut impl Write,
    searched: impl Fn() + Sync,
) -> Result<(), BatchError> {
    if matches!(format, Format::Html | Format::Pgn) {
        let reason =
            "expected --format text, json, jsonl or csv with --fens: positions are no games";
        return Err(BatchError::Other(reason.to_owned()));
    }
    let at = |error: io::Error| BatchError::Other(format!("{}: {error}", path.display()));
    let input: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(files::open_stream(path).map_err(at)?),
    };
    let lines = pgn::Lines::new(input).enumerate();
    let tasks = lines.filter_map(|(index, line)| match line {
        Ok(text) if text.trim().is_empty() || text.starts_with('#') => None,
        Ok(text) => {
            let board = Epd::parse(text.trim()).map(|epd| epd.board.clone());
            let board = board.map_err(|error| error.to_string());
            let found = Found { number: index + 1, text, board };
            Some(Ok(match found.board {
                Ok(_) => Task::Search(found),
                Err(_) => Task::Done((found, Vec::new())),
            }))
        }
        Err(error) => Some(Err(at(error))),
    });
    let work = |searcher: &mut Searcher, found: Found, _: &_| {
        let board = found.board.as_ref();
        let lines = board.map_or(Vec::new(), |board| search(searcher, board, count));
        searched();
        Some((found, lines))
    };
    let (mut written, mut bad, mut first_bad) = (0, 0, String::new());
    let take = |(found, lines): (Found, Vec<Line>)| {
        if let Err(error) = &found.board {
            bad += 1;
            if bad == 1 {
                first_bad = format!("line {}: {error}", found.number);
            }
        }
        let text = describe(&found, &lines, format).map_err(BatchError::Output)?;
        let separator = match (format, written) {
            (Format::Json, 0) => format!("{{\"version\":{VERSION},\"positions\":[\n"),
            (Format::Json, _) => ",\n".to_owned(),
            (Format::Csv, 0) => csv::POSITION_HEADER.to_owned(),
            _ => String::new(),
        };
        written += 1;
        out.write_all((separator + &text).as_bytes()).map_err(BatchError::Output)
    };
    workers::run(searchers, tasks, work, |_| Ok(()), take)?;
    if format == Format::Json {
        let head = format!("{{\"version\":{VERSION},\"positions\":[");
        let end = if written == 0 { head + "]}\n" } else { "\n]}\n".to_owned() };
        out.write_all(end.as_bytes()).map_err(BatchError::Output)?;
    }
    out.flush().map_err(BatchError::Output)?;
    let path = path.display();
    match (written, bad) {
        (0, _) => Err(BatchError::Other(format!("{path}: expected positions, found none"))),
        (_, 0) => Ok(()),
        _ => Err(BatchError::Other(format!(
            "{path}: {bad} of {written} lines are no positions, the first is {first_bad}"
        ))),
    }
}

/// The best lines of a position, none where the game is over, as if it were the first that is searched: so the answer depends
/// neither on its neighbours nor on the number of threads.
fn search(searcher: &mut Searcher, board: &Board, count: usize) -> Vec<Line> {
    if !board.has_legal_move() {
        return Vec::new();
    }
    searcher.new_game();
    searcher.lines(&Position::new(board.clone()), count)
}

fn describe(found: &Found, lines: &[Line], format: Format) -> io::Result<String> {
    let Found { number, text, board } = found;
    let board = match board {
        Ok(board) => board,
        Err(error) => {
            return Ok(match format {
                Format::Csv => String::new(),
                Format::Text => format!("line {number}: {error}\n\n"),
                _ => end(
                    format,
                    serde_json::to_string(&ErrorRecord::new(*number, text, error.clone()))?,
                ),
            });
        }
    };
    let record = || PositionRecord::new(*number, board, lines);
    Ok(match format {
        Format::Text => position::text(board, lines) + "\n\n",
        Format::Csv => csv::position(*number, &board.to_string(), &record()),
        _ => end(format, serde_json::to_string(&record())?),
    })
}

/// A document on a line of its own ends with the line.
fn end(format: Format, text: String) -> String {
    if format == Format::Jsonl { text + "\n" } else { text }
}
