//! A game as text, in PGN's export format: the seven tags first, lines under 80 columns.

use std::fmt;

use chess::{Board, Color};

use crate::words::move_number;
use crate::{Game, Played};

/// Lines are shorter than this.
const LINE: usize = 80;

/// The tags that every game must have, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The whole game, which ends with a line's end. An empty line belongs between two games.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut words = Words { f, column: 0 };
        words.comment(&self.preface)?;
        words.line(&self.start, &self.moves)?;
        words.word(self.result.as_str())?;
        writeln!(f)
    }
}

impl Game {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |name: &str| self.tags.iter().position(|(tag, _)| tag == name);
        for name in ROSTER {
            let value = match (place(name), name) {
                (Some(index), _) => &self.tags[index].1,
                (None, "Date") => "????.??.??",
                (None, "Result") => self.result.as_str(),
                (None, _) => "?",
            };
            write_tag(f, name, value)?;
        }
        for (i, (name, value)) in self.tags.iter().enumerate() {
            if !(ROSTER.contains(&name.as_str()) && place(name) == Some(i)) {
                write_tag(f, name, value)?;
            }
        }
        if self.start != Board::default() && place("FEN").is_none() {
            if place("SetUp").is_none() {
                write_tag(f, "SetUp", "1")?;
            }
            write_tag(f, "FEN", &self.start.to_string())?;
        }
        Ok(())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
    writeln!(f, "[{name} \"{value}\"]")
}

/// Movetext, broken into lines.
struct Words<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    column: usize,
}

impl Words<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        // At the beginning of a line these mean a tag and an escape.
        let must_stay = word.starts_with(['[', '%']);
        if self.column > 0 && self.column + 1 + length >= LINE && !must_stay {
            self.f.write_str("\n")?;
            self.column = 0;
        } else if self.column > 0 {
            self.f.write_str(" ")?;
            self.column += 1;
        }
        self.column += length;
        self.f.write_str(word)
    }

    fn line(&mut self, start: &Board, moves: &[Played]) -> fmt::Result {
        let mut board = start.clone();
        // Black's move needs its number after anything but White's move.
        let mut interrupted = true;
        for played in moves {
            self.comment(&played.before)?;
            if interrupted || board.side_to_move() == Color::White {
                self.word(&move_number(&board))?;
            }
            self.word(&board.san(played.mv).to_string())?;
            for nag in &played.nags {
                self.word(&format!("${nag}"))?;
            }
            self.comment(&played.comment)?;
            for variation in &played.variations {
                self.word("(")?;
                self.line(&board, variation)?;
                self.word(")")?;
            }
            interrupted = !played.comment.is_empty() || !played.variations.is_empty();
            board.make_move(played.mv, &mut ());
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) -> fmt::Result {
        if comment.is_empty() {
            return Ok(());
        }
        if comment.contains('}') {
            // Braces cannot hold it; the rest of a line can.
            writeln!(self.f, " ; {comment}")?;
            self.column = 0;
            return Ok(());
        }
        self.word("{")?;
        let mut command = String::new();
        for word in comment.split(' ') {
            // A command in brackets is one word: readers need not look for its end on the next line.
            if !command.is_empty() || word.starts_with("[%") {
                if !command.is_empty() {
                    command.push(' ');
                }
                command.push_str(word);
                if command.ends_with(']') || command.len() > LINE / 2 {
                    self.word(&std::mem::take(&mut command))?;
                }
            } else {
                self.word(word)?;
            }
        }
        if !command.is_empty() {
            self.word(&command)?;
        }
        self.word("}")
    }
}
