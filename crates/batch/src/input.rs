//! Where games come from: files, folders with such files, standard input; one game at a time.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use pgn::{Game, Reader};

/// A place with games.
#[derive(Debug, Eq, PartialEq)]
pub enum Input {
    /// Standard input, which can be read once.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// A game and the name of the file that it comes from.
pub(crate) struct Found {
    pub(crate) game: Game,
    pub(crate) file: Arc<str>,
}

/// What there is to do.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Count {
    /// Games.
    pub games: usize,
    /// Positions before and after their moves.
    pub positions: usize,
}

/// All games of several inputs, numbered from 1 over all of them.
pub(crate) struct Games {
    inputs: std::vec::IntoIter<Input>,
    current: Option<Open>,
    number: usize,
    /// Only this one.
    wanted: Option<usize>,
}

/// A file that is being read, and its name.
type Open = (Arc<str>, Reader<Box<dyn Read>>);

/// What the names of users stand for: `-` is standard input, a folder all games inside it.
pub fn expand(names: &[PathBuf]) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for path in names {
        let at = |error: io::Error| format!("{}: {error}", path.display());
        if path.as_os_str() == "-" {
            inputs.push(Input::Stdin);
        } else {
            let found = files::find(path, "pgn").map_err(at)?;
            if found.is_empty() {
                return Err(format!("{}: expected files named *.pgn, found none", path.display()));
            }
            inputs.extend(found.into_iter().map(Input::File));
        }
    }
    Ok(inputs)
}

impl Input {
    fn name(&self) -> Arc<str> {
        match self {
            Self::Stdin => "standard input".into(),
            Self::File(path) => path.to_string_lossy().into(),
        }
    }

    fn open(&self) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Self::Stdin => Box::new(io::stdin()),
            Self::File(path) => Box::new(files::open_stream(path)?),
        })
    }

    /// Can it be read twice?
    fn is_lasting(&self) -> bool {
        matches!(self, Self::File(path) if fs::metadata(path).is_ok_and(|data| data.is_file()))
    }
}

/// Counts what there is, where it can be counted without using it up.
pub fn count(inputs: &[Input]) -> Result<Option<Count>, String> {
    if !inputs.iter().all(Input::is_lasting) {
        return Ok(None);
    }
    let mut count = Count::default();
    for input in inputs {
        let at = |error: io::Error| format!("{}: {error}", input.name());
        let mut reader = Reader::new(input.open().map_err(at)?);
        while let Some(raw) = reader.next_game().map_err(at)? {
            let is_move = |item: &Result<pgn::Item<'_>, _>| matches!(item, Ok(pgn::Item::Move(_)));
            let moves = raw.main_line().map_or(0, |line| line.filter(is_move).count());
            count.games += 1;
            count.positions += moves + 1;
        }
    }
    Ok(Some(count))
}

impl Games {
    /// All games, or only the one with a number.
    pub(crate) fn new(inputs: Vec<Input>, wanted: Option<usize>) -> Self {
        Self { inputs: inputs.into_iter(), current: None, number: 0, wanted }
    }

    /// How many games were found so far.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    fn advance(&mut self) -> Result<Option<Found>, String> {
        loop {
            let Some((file, reader)) = &mut self.current else {
                let Some(input) = self.inputs.next() else { return Ok(None) };
                let file = input.name();
                let bytes = input.open().map_err(|error| format!("{file}: {error}"))?;
                self.current = Some((file, Reader::new(bytes)));
                continue;
            };
            let raw = reader.next_game().map_err(|error| format!("{file}: {error}"))?;
            let Some(raw) = raw else {
                self.current = None;
                continue;
            };
            self.number += 1;
            if self.wanted.is_some_and(|wanted| wanted != self.number) {
                continue;
            }
            let game = Game { number: self.number, ..raw.game() };
            return Ok(Some(Found { game, file: Arc::clone(file) }));
        }
    }
}

impl Iterator for Games {
    type Item = Result<Found, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.advance();
        if found.is_err() {
            // What cannot be read is not asked again.
            (self.current, self.inputs) = (None, Vec::new().into_iter());
        }
        found.transpose()
    }
}
