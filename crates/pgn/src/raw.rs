//! One game of a stream as bytes: its tags can be asked for, its moves wait.

use std::borrow::Cow;

use chess::Board;
use chess::notation::Excerpt;

use crate::decode::text;
use crate::fault::{Fault, Faults, Reason};
use crate::{GameResult, MOST_TAG_BYTES, MainLine};

/// Values of the tag `Variant` that mean chess as it is played here, without spaces.
const VARIANTS: [&str; 8] = [
    "standard",
    "chess",
    "normal",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
];

/// A game before its moves are read.
#[derive(Clone, Debug)]
pub struct RawGame<'a> {
    /// Its place in the input, from 1.
    pub number: usize,
    /// The line of the input where it begins, from 1.
    pub line: usize,
    pub(crate) header: &'a [u8],
    pub(crate) movetext: &'a [u8],
    /// The line where the moves begin.
    pub(crate) movetext_line: usize,
    /// Bytes of the whole game, if that is more than are read.
    pub(crate) too_long: Option<usize>,
}

/// A line of the header.
enum Entry<'a> {
    Tag { name: &'a [u8], value: Cow<'a, str> },
    Bad(&'a [u8]),
}

impl<'a> RawGame<'a> {
    /// Names and values in the order of the text.
    pub fn tags(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> + use<'a> {
        entries(self.header).filter_map(|(_, entry)| match entry {
            Entry::Tag { name, value } => Some((text(name), value)),
            Entry::Bad(_) => None,
        })
    }

    /// The first tag of this name.
    pub fn tag(&self, name: &str) -> Option<Cow<'a, str>> {
        entries(self.header).find_map(|(_, entry)| match entry {
            Entry::Tag { name: found, value } if found == name.as_bytes() => Some(value),
            _ => None,
        })
    }

    /// What the tag `Result` says.
    pub fn result(&self) -> GameResult {
        self.tag("Result").and_then(|value| GameResult::parse(&value)).unwrap_or_default()
    }

    /// The position of the first move; an error if it is no position of this game.
    pub fn start(&self) -> Result<Board, Fault> {
        let fault = |reason| Fault { line: self.line, reason, cuts: true };
        if let Some(variant) = known(self.tag("Variant")) {
            let plain = variant.to_ascii_lowercase().replace(' ', "");
            if !VARIANTS.contains(&plain.as_str()) {
                return Err(fault(Reason::Variant(variant.into_owned())));
            }
        }
        match known(self.tag("FEN")) {
            Some(fen) => fen.parse().map_err(|error| fault(Reason::Fen(error))),
            None => Ok(Board::default()),
        }
    }

    /// The moves and comments of the main line, read as they are asked for. Ends with the first
    /// fault that cuts it. An error if there is no position to begin with.
    pub fn main_line(&self) -> Result<MainLine<'a>, Fault> {
        Ok(MainLine::new(self, self.start()?))
    }

    /// The tags as a game keeps them.
    pub(crate) fn owned_tags(&self, faults: &mut Faults) -> Vec<(String, String)> {
        let mut tags = Vec::new();
        for (line, entry) in entries(self.header) {
            let line = self.line + line;
            let mut fault = |reason| faults.add(Fault { line, reason, cuts: false });
            match entry {
                Entry::Bad(bytes) => fault(Reason::TagLine(Excerpt::new(&text(bytes)))),
                Entry::Tag { name, value } => {
                    let name = text(name).into_owned();
                    if value.len() > MOST_TAG_BYTES {
                        fault(Reason::LongTag(Excerpt::new(&name), value.len()));
                    }
                    let kept = &value[..value.floor_char_boundary(MOST_TAG_BYTES)];
                    tags.push((name, kept.to_owned()));
                }
            }
        }
        tags
    }

    /// The line of the input that holds this byte of the movetext.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        let before = &self.movetext[..offset.min(self.movetext.len())];
        self.movetext_line + before.iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// A value that says something.
fn known(value: Option<Cow<'_, str>>) -> Option<Cow<'_, str>> {
    value.filter(|value| !value.is_empty() && !value.starts_with('?') && value != "-")
}

/// The entries of a header with their lines, from 0.
fn entries(header: &[u8]) -> impl Iterator<Item = (usize, Entry<'_>)> {
    header.split(|&byte| byte == b'\n').enumerate().flat_map(|(line, mut rest)| {
        std::iter::from_fn(move || {
            rest = rest.trim_ascii();
            if rest.is_empty() || rest[0] == b'%' {
                return None;
            }
            let (entry, after) = entry(rest).unwrap_or((Entry::Bad(rest), &[]));
            rest = after;
            Some((line, entry))
        })
    })
}

/// `[Name "Value"]` and what is left of the line.
fn entry(line: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (name, rest) = tag_start(line)?;
    let mut at = 0;
    let (mut end, mut is_escaped) = (None, false);
    while at < rest.len() {
        match rest[at] {
            b'\\' if matches!(rest.get(at + 1), Some(b'\\' | b'"')) => {
                (is_escaped, at) = (true, at + 1);
            }
            // Quotation marks inside names are often not escaped: the last one has a bracket.
            b'"' if rest[at + 1..].trim_ascii_start().first() == Some(&b']') => {
                end = Some(at);
                break;
            }
            _ => {}
        }
        at += 1;
    }
    let end = end?;
    let mut value = text(&rest[..end]);
    if is_escaped {
        value = Cow::Owned(unescape(&value));
    }
    if value.contains(char::is_control) {
        // They have no business in a name, and some would command the terminal it is shown on.
        value = Cow::Owned(value.replace(char::is_control, " "));
    }
    let close = rest[end..].iter().position(|&byte| byte == b']')?;
    Some((Entry::Tag { name, value }, &rest[end + close + 1..]))
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.push(letters.next_if(|&c| c == '\\' || c == '"').unwrap_or('\\')),
            letter => plain.push(letter),
        }
    }
    plain
}

/// The name of a tag, and what follows its opening quotation mark.
pub(crate) fn tag_start(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.strip_prefix(b"[")?.trim_ascii_start();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte);
    let length = rest.iter().take_while(|byte| is_part(byte)).count();
    let (name, rest) = rest.split_at(length);
    let rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
    name.first()?.is_ascii_alphanumeric().then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(header: &str) -> Vec<(String, String)> {
        let raw = RawGame {
            number: 1,
            line: 1,
            header: header.as_bytes(),
            movetext: b"",
            movetext_line: 1,
            too_long: None,
        };
        raw.tags().map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
    }

    #[test]
    fn quotation_marks_and_brackets() {
        for (header, value) in [
            ("[White \"Plain\"]", "Plain"),
            ("[White \"A \\\"B\\\" \\\\ C\"]", "A \"B\" \\ C"),
            ("[White \"A \"B\" C\"]", "A \"B\" C"),
            ("[ White   \"a]b\" ]  ", "a]b"),
            ("[White \"\"]", ""),
            ("[White \"a\\b\"]", "a\\b"),
            ("[White \"red \x1b[31m\x07\"]", "red  [31m "),
        ] {
            assert_eq!(tags(header), [("White".to_owned(), value.to_owned())], "{header}");
        }
        assert_eq!(tags("[A \"x\"][B \"y\"]\n\n[C \"z\"]").len(), 3);
        assert!(tags("[White Name]\n[White \"Name]\nWhite\n[]\n[\"\"]").is_empty());
    }
}
