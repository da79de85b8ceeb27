//! The forms in which reviewed games go out, one game after the other.

use std::io::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use pgn::Game;
use review::overview::Overview;
use review::page::Page;
use review::player::Player;
use review::record::{GameRecord, OverviewRecord, VERSION};
use review::review::Review;
use review::{annotate, csv, report};

/// A form of output.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Format {
    /// For people at a terminal.
    Text,
    /// One page of all games.
    Html,
    /// Annotated games.
    Pgn,
    /// One JSON document.
    Json,
    /// A JSON document on each line.
    Jsonl,
    /// A table.
    Csv,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Text, Self::Html, Self::Pgn, Self::Json, Self::Jsonl, Self::Csv];

    /// How users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Pgn => "pgn",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    /// What it is for.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Text => "For people at a terminal",
            Self::Html => "One page of all games that needs nothing from outside",
            Self::Pgn => "The games with scores, marks and better lines",
            Self::Json => "One JSON document",
            Self::Jsonl => "A JSON document on each line",
            Self::Csv => "A row for each move, or for each line of a position",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("expected one of {names}, got \"{name}\"")
        })
    }
}

/// What came of one game, and the file it comes from.
pub(crate) struct Outcome {
    pub(crate) file: Arc<str>,
    pub(crate) result: GameOutcome,
}

pub(crate) enum GameOutcome {
    Reviewed(Box<Review>),
    /// Its moves could not be replayed at all.
    Unread(Box<Game>),
}

impl Outcome {
    pub(crate) fn game(&self) -> &Game {
        match &self.result {
            GameOutcome::Reviewed(review) => &review.game,
            GameOutcome::Unread(game) => game,
        }
    }

    /// Was it read to its end?
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.result, GameOutcome::Reviewed(_)) && self.game().cut().is_none()
    }
}

/// Writes games in one form.
pub(crate) struct Writer<W> {
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
    pub(crate) fn new(format: Format, out: W, names_files: bool) -> Self {
        let page = Page::default();
        Self { format, out, count: 0, names_files, last_file: None, page, player: None }
    }

    /// Shows games from the side of a player.
    pub(crate) fn seen_by(self, player: Option<Player>) -> Self {
        Self { player, ..self }
    }

    pub(crate) fn add(&mut self, outcome: &Outcome) -> io::Result<()> {
        let text = match (&outcome.result, self.format) {
            (result, Format::Html) => {
                match result {
                    GameOutcome::Reviewed(review) => self.page.add(review, self.player.as_ref()),
                    GameOutcome::Unread(game) => self.page.add_unread(game),
                }
                String::new()
            }
            (GameOutcome::Reviewed(review), Format::Text) => {
                report::describe(review, self.player.as_ref()) + "\n"
            }
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

    /// What stands at the end: the sum over all games, where it is asked for.
    pub(crate) fn finish(mut self, overview: &Overview) -> io::Result<W> {
        let sum = || serde_json::to_string(&OverviewRecord::new(overview));
        match (self.format, self.count) {
            (Format::Json, 0) => writeln!(self.out, "{{\"version\":{VERSION},\"games\":[]}}")?,
            (Format::Json, _) => writeln!(self.out, "\n],\"overview\":{}}}", sum()?)?,
            (Format::Jsonl, 1..) => writeln!(self.out, "\n{}", sum()?)?,
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
