//! Games of strong players and engines from PGN files.

use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use chess::{Board, Move};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use crate::progress;

/// Both players must be rated at least this.
const LEAST_RATING: u32 = 2200;

/// Shorter games, counted from the end of the opening book, teach little.
const LEAST_PLIES: usize = 10;

/// Every so many games one is kept for testing.
const HELD_OUT: usize = 40;

/// Where games come from.
#[derive(clap::Args)]
pub(crate) struct Sources {
    /// PGN files, or folders of them, with games of engines.
    #[arg(long, num_args = 1..)]
    engines: Vec<PathBuf>,
    /// PGN files, or folders of them, with games of people.
    #[arg(long, num_args = 1..)]
    people: Vec<PathBuf>,
}

/// One game with a result.
pub(crate) struct Game {
    /// The position it began with.
    pub(crate) start: Board,
    /// Its moves.
    pub(crate) moves: Vec<Move>,
    /// How many of them came from a book.
    pub(crate) book: usize,
    /// 1 if White won, -1 if Black did, else 0.
    pub(crate) result: i8,
    /// Were the players engines?
    pub(crate) engines: bool,
    /// Is it kept for testing?
    pub(crate) held_out: bool,
}

impl Game {
    /// The board before each move and after the last.
    pub(crate) fn boards(&self) -> Vec<Board> {
        let mut boards = vec![self.start.clone()];
        for &mv in &self.moves {
            let mut board = boards[boards.len() - 1].clone();
            board.make_move(mv, &mut ());
            boards.push(board);
        }
        boards
    }
}

impl Sources {
    /// Calls `take` for every good game, engines first, files in the order of their names.
    pub(crate) fn for_each(
        &self,
        mut take: impl FnMut(&Game) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for (inputs, engines) in [(&self.engines, true), (&self.people, false)] {
            let found = find_files(inputs)?;
            files.extend(found.into_iter().map(|path| (path, engines)));
        }
        ensure!(!files.is_empty(), "expected PGN files after --engines or --people, got none");
        let bar = progress::counter("files", files.len() as u64);
        let mut count = 0;
        for (path, engines) in files {
            let context = || format!("cannot read {}", path.display());
            let mut reader = Reader::new(BufReader::new(File::open(&path).with_context(context)?));
            while let Some(game) = reader.read_game(&mut Collector).with_context(context)? {
                let Some(mut game) = game else { continue };
                if game.moves.len() < game.book + LEAST_PLIES {
                    continue;
                }
                count += 1;
                game.engines = engines;
                game.held_out = count % HELD_OUT == 0;
                if take(&game)?.is_break() {
                    return Ok(());
                }
            }
            bar.inc(1);
        }
        bar.finish();
        Ok(())
    }
}

fn find_files(inputs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for input in inputs {
        if input.is_dir() {
            let folder =
                fs::read_dir(input).with_context(|| format!("cannot read {}", input.display()))?;
            let paths = folder
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<Vec<_>, _>>()?;
            files.extend(paths.into_iter().filter(|path| is_pgn(path)));
        } else {
            files.push(input.clone());
        }
    }
    files.sort();
    Ok(files)
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

/// What the tags say.
struct Tags {
    start: Board,
    ratings: [u32; 2],
    result: Option<i8>,
    usable: bool,
}

/// Turns the parts of a PGN game into a [`Game`], or into nothing if it is of no use.
struct Collector;

impl Visitor for Collector {
    type Tags = Tags;
    type Movetext = (Game, Board);
    type Output = Option<Game>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        let tags = Tags { start: Board::default(), ratings: [0; 2], result: None, usable: true };
        ControlFlow::Continue(tags)
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let text = str::from_utf8(value.as_bytes()).unwrap_or_default();
        match name {
            b"WhiteElo" => tags.ratings[0] = text.parse().unwrap_or(0),
            b"BlackElo" => tags.ratings[1] = text.parse().unwrap_or(0),
            b"Result" => {
                tags.result = match text {
                    "1-0" => Some(1),
                    "0-1" => Some(-1),
                    "1/2-1/2" => Some(0),
                    _ => None,
                }
            }
            b"Variant" => tags.usable &= text.eq_ignore_ascii_case("standard"),
            b"FEN" => match text.parse() {
                Ok(board) => tags.start = board,
                Err(_) => tags.usable = false,
            },
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, (Game, Board)> {
        let strong = tags.ratings.iter().all(|&rating| rating >= LEAST_RATING);
        let Some(result) = tags.result.filter(|_| tags.usable && strong) else {
            return ControlFlow::Break(None);
        };
        let start = tags.start.clone();
        let (moves, book, engines, held_out) = (Vec::new(), 0, false, false);
        let game = Game { start, moves, book, result, engines, held_out };
        ControlFlow::Continue((game, tags.start))
    }

    fn san(
        &mut self,
        (game, board): &mut (Game, Board),
        san: SanPlus,
    ) -> ControlFlow<Self::Output> {
        match board.parse_san(&san.to_string()) {
            Ok(mv) => {
                game.moves.push(mv);
                board.make_move(mv, &mut ());
                ControlFlow::Continue(())
            }
            // A game with an illegal move is no game.
            Err(_) => ControlFlow::Break(None),
        }
    }

    fn comment(
        &mut self,
        (game, _): &mut (Game, Board),
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        if comment.as_bytes().starts_with(b"book") {
            game.book = game.moves.len();
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut (Game, Board)) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (game, _): (Game, Board)) -> Self::Output {
        Some(game)
    }
}
