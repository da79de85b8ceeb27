//! Games of strong players and engines from PGN files.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use chess::{Board, Move};
use pgn::{GameResult, Item, RawGame, Reader};

use crate::{pgn_files, progress};

/// Both players must be rated at least this.
const LEAST_RATING: u32 = 2200;

/// Shorter games, counted from the end of the opening book, teach little.
const LEAST_PLIES: usize = 10;

/// One game in this many is kept for testing.
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
            if !inputs.is_empty() {
                let found = pgn_files::find(inputs)?;
                files.extend(found.into_iter().map(|path| (path, engines)));
            }
        }
        ensure!(!files.is_empty(), "expected PGN files after --engines or --people, got none");
        let bar = progress::counter("files", files.len() as u64);
        let mut count = 0;
        for (path, engines) in files {
            let context = || format!("cannot read {}", path.display());
            let mut reader = Reader::new(File::open(&path).with_context(context)?);
            while let Some(raw) = reader.next_game().with_context(context)? {
                let Some(mut game) = collect(&raw) else { continue };
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

/// A game of use: by strong players, with a result and legal moves.
fn collect(raw: &RawGame<'_>) -> Option<Game> {
    let rating = |tag| raw.tag(tag).and_then(|value| value.parse::<u32>().ok()).unwrap_or(0);
    let is_strong = rating("WhiteElo") >= LEAST_RATING && rating("BlackElo") >= LEAST_RATING;
    let is_standard = |name: &str| name.eq_ignore_ascii_case("standard");
    if !is_strong || !raw.tag("Variant").is_none_or(|variant| is_standard(&variant)) {
        return None;
    }
    let result = match raw.result() {
        GameResult::WhiteWins => 1,
        GameResult::BlackWins => -1,
        GameResult::Draw => 0,
        GameResult::Unknown => return None,
    };
    let (start, line) = (raw.start().ok()?, raw.main_line().ok()?);
    let (moves, engines, held_out) = (Vec::new(), false, false);
    let mut game = Game { start, moves, book: 0, result, engines, held_out };
    for item in line {
        // A game with an illegal move is no game.
        match item.ok()? {
            Item::Move(mv) => game.moves.push(mv),
            Item::Comment(text) if text.starts_with("book") => game.book = game.moves.len(),
            Item::Comment(_) | Item::Result(_) => {}
        }
    }
    Some(game)
}
