//! The journal of a report: what the engine answered about each finished game.
//!
//! The answers take hours, the pages seconds; so only the answers are kept, and a report that was
//! cut off, however rudely, is made again from them as if nothing had happened. Each game is one
//! line, appended in one piece; a line that was cut off is dropped. A game is known by its moves:
//! names and comments may change.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use pgn::Game;
use review::answers::{Answers, Kept};
use serde::{Deserialize, Serialize};

/// An open journal. Nobody else can open it at the same time.
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Where each game's line begins, by a hash of its moves, and its length.
    places: HashMap<u64, (u64, usize)>,
}

/// The first line: under which conditions the answers were given.
#[derive(Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Header {
    journal: u32,
    brier: String,
    settings: String,
}

/// A finished game.
#[derive(Deserialize, Serialize)]
struct Entry {
    fen: String,
    moves: String,
    #[serde(flatten)]
    answers: Kept,
}

/// An entry without its lines, to find the game.
#[derive(Deserialize)]
struct Name {
    fen: String,
    moves: String,
}

impl Journal {
    /// Opens the journal of a report, or begins one. The settings must be those it was begun with.
    pub fn open(path: &Path, settings: &str) -> Result<Self, String> {
        let at = |error: io::Error| format!("{}: {error}", path.display());
        let mut options = OpenOptions::new();
        // Not truncated: an old journal is what this is about.
        let file = options.read(true).append(true).create(true).open(path).map_err(at)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("{}: another program is writing this report", path.display()));
            }
            Err(TryLockError::Error(error)) => return Err(at(error)),
        }
        let mut journal = Self { file, path: path.to_owned(), places: HashMap::new() };
        let header = Header {
            journal: 2,
            brier: env!("CARGO_PKG_VERSION").to_owned(),
            settings: settings.to_owned(),
        };
        match journal.read().map_err(at)? {
            None => journal.append(&header)?,
            Some(first) => {
                let found: Option<Header> = serde_json::from_str(&first).ok();
                if found.as_ref() != Some(&header) {
                    let found = found.map_or_else(|| "none".to_owned(), |found| found.settings);
                    return Err(format!(
                        "{}: expected a report with the settings \"{settings}\", got one with \
                         \"{found}\" or of another version; choose another folder",
                        path.display()
                    ));
                }
            }
        }
        Ok(journal)
    }

    /// Finds the games, drops a line that was cut off, and answers the first line.
    fn read(&mut self) -> io::Result<Option<String>> {
        let mut reader = BufReader::new(&self.file);
        let (mut place, mut first) = (0, None);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                break;
            }
            match &first {
                None => first = Some(String::from_utf8_lossy(&line).into_owned()),
                Some(_) => {
                    // A damaged line costs one game, which is searched again.
                    if let Ok(name) = serde_json::from_slice::<Name>(&line) {
                        self.places.insert(hash(&name.fen, &name.moves), (place, length));
                    }
                }
            }
            place += length as u64;
        }
        self.file.set_len(place)?;
        Ok(first)
    }

    /// How many games are finished.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks whether it is empty")]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// What the engine answered about a game, if it is finished.
    pub fn find(&mut self, game: &Game) -> Option<Answers> {
        let (fen, moves) = name(game);
        let &(place, length) = self.places.get(&hash(&fen, &moves))?;
        let mut line = vec![0; length];
        self.file.seek(SeekFrom::Start(place)).ok()?;
        self.file.read_exact(&mut line).ok()?;
        let entry: Entry = serde_json::from_slice(&line).ok()?;
        let is_same = entry.fen == fen && entry.moves == moves;
        is_same.then(|| Answers::from_kept(game, &entry.answers)).flatten()
    }

    /// Keeps what the engine answered about a game.
    pub fn add(&mut self, game: &Game, answers: &Answers) -> Result<(), String> {
        let (fen, moves) = name(game);
        self.append(&Entry { fen, moves, answers: answers.to_kept() })
    }

    fn append(&mut self, what: &impl Serialize) -> Result<(), String> {
        let mut line = serde_json::to_vec(what).map_err(|error| error.to_string())?;
        line.push(b'\n');
        self.file
            .write_all(&line)
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

/// What the engine's answers depend on.
fn name(game: &Game) -> (String, String) {
    let moves: Vec<String> = game.moves.iter().map(|played| played.mv.to_string()).collect();
    (game.start.to_string(), moves.join(" "))
}

/// Lives no longer than this process, so that any hash will do.
fn hash(fen: &str, moves: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (fen, moves).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::fs;

    use review::searcher::Searcher;

    use super::*;

    fn game(text: &str) -> Game {
        pgn::Reader::new(text.as_bytes()).games().next().unwrap().unwrap()
    }

    #[test]
    fn a_journal_that_was_cut_off_gives_what_was_whole() {
        let folder = std::env::temp_dir().join(format!("brier-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("journal.jsonl");
        let limits = engine::Limits { nodes: Some(500), ..engine::Limits::default() };
        let engine = engine::Engine::builder().hash_mb(1).build().unwrap();
        let mut searcher = Searcher::new(engine, limits);
        let games = [game("1. e4 e5 *"), game("1. d4 d5 *"), game("1. c4 *")];
        let mut journal = Journal::open(&path, "nodes 500").unwrap();
        let answers = games.each_ref().map(|game| {
            let Ok(answers) = Answers::search(game, &mut searcher, |_| Ok::<_, Infallible>(()));
            journal.add(game, &answers).unwrap();
            answers
        });
        let busy = Journal::open(&path, "nodes 500").err().unwrap();
        assert!(busy.contains("another program"), "{busy}");
        drop(journal);

        // The last line loses its end, the one before it its sense.
        let text = fs::read_to_string(&path).unwrap();
        let cut = text[..text.len() - 9].replacen("\"moves\":\"d2d4 d7d5\"", "\"moves\":\"d2", 1);
        fs::write(&path, cut).unwrap();
        let mut journal = Journal::open(&path, "nodes 500").unwrap();
        assert_eq!(journal.len(), 1);
        assert_eq!(journal.find(&games[0]).as_ref(), Some(&answers[0]));
        assert_eq!((journal.find(&games[1]), journal.find(&games[2])), (None, None));
        journal.add(&games[2], &answers[2]).unwrap();
        drop(journal);
        let mut journal = Journal::open(&path, "nodes 500").unwrap();
        assert_eq!(journal.find(&games[2]).as_ref(), Some(&answers[2]));
        drop(journal);
        let other = Journal::open(&path, "nodes 900").err().unwrap();
        assert!(other.contains("settings \"nodes 900\", got one with \"nodes 500\""), "{other}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
