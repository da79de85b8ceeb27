//! The forms in which reviewed games go out, one game after the other.

use std::io::{self, Write};
use std::sync::Arc;

use clap::ValueEnum;
use pgn::Game;
use review::page::Page;
use review::player::Player;
use review::record::{GameRecord, VERSION};
use review::review::Review;
use review::{annotate, csv, report};

/// A form of output.
#[derive(Copy, Clone, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Format {
    /// For people at a terminal
    Text,
    /// One page of all games that needs nothing from outside
    Html,
    /// The games with scores, marks and better lines
    Pgn,
    /// One JSON document
    Json,
    /// A JSON document on each line
    Jsonl,
    /// A row for each move, or for each line of a position
    Csv,
}

/// What came of one game, and the file it comes from.
pub(super) struct Outcome {
    pub(super) file: Arc<str>,
    pub(super) result: GameOutcome,
}

pub(super) enum GameOutcome {
    Reviewed(Box<Review>),
    /// Its moves could not be replayed at all.
    Unread(Box<Game>),
}

impl Outcome {
    pub(super) fn game(&self) -> &Game {
        match &self.result {
            GameOutcome::Reviewed(review) => &review.game,
            GameOutcome::Unread(game) => game,
        }
    }

    /// Was it read to its end?
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.result, GameOutcome::Reviewed(_)) && self.game().cut().is_none()
    }
}

/// Writes games in one form.
pub(super) struct Writer<W> {
    format: Format,
    out: W,
    count: usize,
    /// Are there several files? Then games say from which they come.
    names_files: bool,
    last_file: Option<Arc<str>>,
    page: Page,
    /// From whose side games are shown.
    player: Option<Player>,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(format: Format, out: W, names_files: bool) -> Self {
        let page = Page::default();
        Self { format, out, count: 0, names_files, last_file: None, page, player: None }
    }

    /// Shows games from the side of a player.
    pub(super) fn seen_by(self, player: Option<Player>) -> Self {
        Self { player, ..self }
    }

    pub(super) fn add(&mut self, outcome: &Outcome) -> io::Result<()> {
        let text = match (&outcome.result, self.format) {
            (result, Format::Html) => {
                match result {
                    GameOutcome::Reviewed(review) => self.page.add(review, self.player.as_ref()),
                    GameOutcome::Unread(game) => self.page.add_unread(game),
                }
                String::new()
            }
            (GameOutcome::Reviewed(review), Format::Text) => report::describe(review) + "\n",
            (GameOutcome::Unread(game), Format::Text) => report::unread(game) + "\n",
            (GameOutcome::Reviewed(review), Format::Pgn) => annotate::game(review).to_string(),
            (GameOutcome::Unread(game), Format::Pgn) => game.to_string(),
            (GameOutcome::Reviewed(review), Format::Csv) => csv::game(review),
            (GameOutcome::Unread(_), Format::Csv) => String::new(),
            (_, Format::Json | Format::Jsonl) => record(outcome)?,
        };
        if self.names_files
            && self.format == Format::Text
            && self.last_file.as_ref() != Some(&outcome.file)
        {
            writeln!(self.out, "{}", outcome.file)?;
            self.last_file = Some(Arc::clone(&outcome.file));
        }
        self.separate()?;
        self.count += 1;
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// What stands before a game.
    fn separate(&mut self) -> io::Result<()> {
        match (self.format, self.count) {
            (Format::Json, 0) => writeln!(self.out, "{{\"version\":{VERSION},\"games\":["),
            (Format::Json, _) => self.out.write_all(b",\n"),
            (Format::Csv, 0) => self.out.write_all(csv::GAME_HEADER.as_bytes()),
            (Format::Pgn | Format::Jsonl, 1..) => self.out.write_all(b"\n"),
            _ => Ok(()),
        }
    }

    /// What stands at the end.
    pub(super) fn finish(mut self) -> io::Result<W> {
        match (self.format, self.count) {
            (Format::Json, 0) => writeln!(self.out, "{{\"version\":{VERSION},\"games\":[]}}")?,
            (Format::Json, _) => self.out.write_all(b"\n]}\n")?,
            (Format::Jsonl, 1..) => self.out.write_all(b"\n")?,
            (Format::Html, _) => {
                let page = std::mem::take(&mut self.page);
                self.out.write_all(page.finish().as_bytes())?;
            }
            _ => {}
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

fn record(outcome: &Outcome) -> io::Result<String> {
    let file = Some(&*outcome.file);
    let record = match &outcome.result {
        GameOutcome::Reviewed(review) => GameRecord::new(review, file),
        GameOutcome::Unread(game) => GameRecord::unread(game, file),
    };
    Ok(serde_json::to_string(&record)?)
}
