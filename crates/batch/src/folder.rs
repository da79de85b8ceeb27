//! A report in a folder: an index, a page for each game, and the games with what was found.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use files::Replacement;
use review::index::{self, Entry};
use review::overview::Overview;
use review::page;
use review::player::Player;
use review::review::Review;

use crate::format::{Format, GameOutcome, Outcome, Writer};
use crate::save;

/// The name of the journal in the folder.
pub const JOURNAL: &str = "journal.jsonl";

/// A folder that is being filled.
pub(crate) struct Folder {
    path: PathBuf,
    entries: Vec<Entry>,
    games: Writer<Replacement>,
    /// A game whose page waits for the name of the next.
    waiting: Option<(Box<Review>, Option<String>)>,
    last_page: Option<String>,
    /// From whose side games are shown.
    player: Option<Player>,
}

/// Makes the folder. One with other things in it is left alone.
pub fn prepare(path: &Path) -> Result<(), String> {
    let at = |error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.join("games")).map_err(at)?;
    let is_ours = path.join(JOURNAL).exists();
    let is_foreign = |name: &str| name != "games";
    let names = fs::read_dir(path).map_err(at)?.flatten().map(|entry| entry.file_name());
    match names.into_iter().find(|name| is_foreign(&name.to_string_lossy())) {
        Some(name) if !is_ours => Err(format!(
            "{}: expected a new folder, or one with a report, got one with {}",
            path.display(),
            name.to_string_lossy()
        )),
        _ => Ok(()),
    }
}

impl Folder {
    /// The journal must be open: it keeps other programs away.
    pub(crate) fn new(path: &Path, player: Option<Player>) -> Result<Self, String> {
        for folder in [path, &path.join("games")] {
            remove_unfinished(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let games = save::begin(&path.join("games.pgn"))?;
        Ok(Self {
            path: path.to_owned(),
            entries: Vec::new(),
            games: Writer::new(Format::Pgn, games, false),
            waiting: None,
            last_page: None,
            player,
        })
    }

    pub(crate) fn add(&mut self, outcome: Outcome) -> Result<(), String> {
        let failed =
            |error| format!("cannot write {}: {error}", self.path.join("games.pgn").display());
        self.games.add(&outcome).map_err(failed)?;
        match outcome.result {
            GameOutcome::Unread(game) => self.entries.push(Entry::unread(&game)),
            GameOutcome::Reviewed(review) => {
                let page = page_name(review.game.number);
                self.entries.push(Entry::new(&review, &format!("games/{page}")));
                self.write_waiting(Some(&page))?;
                self.waiting = Some((review, self.last_page.replace(page)));
            }
        }
        Ok(())
    }

    fn write_waiting(&mut self, next: Option<&str>) -> Result<(), String> {
        let Some((review, previous)) = self.waiting.take() else { return Ok(()) };
        let path = self.path.join("games").join(page_name(review.game.number));
        let page = page::game_page(&review, self.player.as_ref(), previous.as_deref(), next);
        save::save(&path, &page)
    }

    /// Writes what depends on all games. Answers the page to begin with.
    pub(crate) fn finish(mut self, overview: &Overview) -> Result<PathBuf, String> {
        self.write_waiting(None)?;
        let path = self.path.join("games.pgn");
        let failed = |error| format!("cannot write {}: {error}", path.display());
        self.games.finish(overview).and_then(Replacement::finish).map_err(failed)?;
        for (name, text) in page::FILES {
            save::save(&self.path.join(name), text)?;
        }
        let index = self.path.join("index.html");
        save::save(&index, &index::document_of(&self.entries, overview))?;
        Ok(index)
    }
}

/// Removes what a run that was killed could not finish.
fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if files::is_unfinished(&entry.file_name()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn page_name(number: usize) -> String {
    format!("{number:06}.html")
}
