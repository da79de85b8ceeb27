//! A stream is split into games, one after the other, with room for one game.
//!
//! A game ends where the next one begins: at a line with a tag after the moves, or at anything
//! after a line that ended with a result. A brace that was never closed would swallow all games
//! after it, so inside a comment too a line `[Event "…` begins a new game, and so does any other
//! tag after an empty line.

use std::io::{self, BufRead, BufReader, Read};

use crate::decode::Decoder;
use crate::raw::{RawGame, tag_start};
use crate::tokens::{Token, Tokens};
use crate::words::names_a_square;
use crate::{Game, GameResult, MOST_BYTES};

/// Reads games from a stream.
pub struct Reader<R> {
    input: BufReader<Decoder<R>>,
    /// The game that was read last, and the first line of the next one.
    buffer: Vec<u8>,
    /// Where in the buffer that line begins.
    next: usize,
    /// Lines read, the one of the next game included.
    lines: usize,
    /// Games found.
    games: usize,
    is_over: bool,
}

/// What a game's text looks like from afar.
#[derive(Default)]
struct Outline {
    /// Where the moves begin, and in which line.
    movetext: Option<(usize, usize)>,
    /// Has there been a tag?
    has_tags: bool,
    /// Does the text end inside a comment?
    in_comment: bool,
    /// Was the last line empty?
    after_blank: bool,
    /// Did the last line end with a result?
    is_finished: bool,
    /// Bytes that found no room.
    dropped: usize,
}

impl<R: Read> Reader<R> {
    /// Reads games from a stream in any encoding (see `decode`).
    pub fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, Decoder::new(input)),
            buffer: Vec::new(),
            next: 0,
            lines: 0,
            games: 0,
            is_over: false,
        }
    }

    /// The next game; none at the end. Text that is no game is passed over.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame<'_>>> {
        loop {
            let (outline, line) = self.collect()?;
            let text = &self.buffer[..self.next];
            let (at, movetext_line) = outline.movetext.unwrap_or((text.len(), line));
            if outline.has_tags || has_moves(&text[at..]) {
                self.games += 1;
                return Ok(Some(RawGame {
                    number: self.games,
                    line,
                    header: &self.buffer[..at],
                    movetext: &self.buffer[at..self.next],
                    movetext_line,
                    too_long: (outline.dropped > 0).then_some(self.next + outline.dropped),
                }));
            }
            if self.is_over && self.next == self.buffer.len() {
                return Ok(None);
            }
        }
    }

    /// All games, whole.
    pub fn games(mut self) -> impl Iterator<Item = io::Result<Game>> {
        std::iter::from_fn(move || match self.next_game() {
            Ok(raw) => raw.map(|raw| Ok(raw.game())),
            Err(error) => {
                // A stream that failed is not asked again.
                self.is_over = true;
                self.buffer.clear();
                self.next = 0;
                Some(Err(error))
            }
        })
    }

    /// Reads lines until one belongs to the next game. Answers the line where this one began.
    fn collect(&mut self) -> io::Result<(Outline, usize)> {
        self.buffer.drain(..self.next);
        self.next = 0;
        let mut outline = Outline::default();
        let mut start = 0;
        let first = self.lines + usize::from(self.buffer.is_empty());
        if !self.buffer.is_empty() {
            // The line that ended the last game: it cannot end this one.
            outline.take(&mut self.buffer, 0, self.lines);
            start = self.buffer.len();
        }
        while !self.is_over {
            let Some(length) = self.read_line()? else {
                self.is_over = true;
                break;
            };
            self.lines += 1;
            let kept = self.buffer.len() - start;
            outline.dropped += length - kept;
            if outline.begins_next(&self.buffer[start..]) {
                outline.dropped -= length - kept;
                self.next = start;
                return Ok((outline, first));
            }
            outline.take(&mut self.buffer, start, self.lines);
            if self.buffer.len() > MOST_BYTES {
                outline.dropped += self.buffer.len() - MOST_BYTES;
                self.buffer.truncate(MOST_BYTES);
                // From here on only what surely begins a game is believed.
                outline.in_comment = true;
            }
            start = self.buffer.len();
        }
        self.next = self.buffer.len();
        Ok((outline, first))
    }

    /// Appends a line, or what of it has room, with a single byte at its end. Answers its length.
    fn read_line(&mut self) -> io::Result<Option<usize>> {
        /// Room for a line that may begin the next game, when this one has filled its own.
        const ROOM: usize = 1 << 16;
        let room = (MOST_BYTES + ROOM).saturating_sub(self.buffer.len());
        let (mut length, mut kept) = (0, 0);
        loop {
            let bytes = self.input.fill_buf()?;
            if bytes.is_empty() {
                return Ok((length > 0).then_some(length));
            }
            let end = memchr::memchr2(b'\n', b'\r', bytes);
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            let taken = piece.len().min(room - kept);
            self.buffer.extend_from_slice(&piece[..taken]);
            kept += taken;
            length += piece.len();
            let Some(end) = end else {
                let read = bytes.len();
                self.input.consume(read);
                continue;
            };
            let is_return = bytes[end] == b'\r';
            self.input.consume(end + 1);
            if is_return && self.input.fill_buf()?.first() == Some(&b'\n') {
                self.input.consume(1);
            }
            self.buffer.push(b'\n');
            return Ok(Some(length + 1));
        }
    }
}

impl Outline {
    /// Does this line belong to the next game?
    fn begins_next(&self, line: &[u8]) -> bool {
        let trimmed = line.trim_ascii();
        let starts_game = || match tag_start(trimmed) {
            Some((name, _)) => name == b"Event" || self.after_blank,
            None => false,
        };
        if self.movetext.is_none() {
            // A game without moves, if the tags begin anew.
            let begins = tag_start(trimmed).is_some_and(|(name, _)| name == b"Event");
            return self.has_tags && self.after_blank && begins;
        }
        if self.in_comment {
            return starts_game();
        }
        let is_tag = trimmed.first() == Some(&b'[')
            && trimmed[1..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphanumeric);
        let goes_on = trimmed.is_empty() || matches!(trimmed[0], b'{' | b';' | b'%' | b')' | b'$');
        is_tag || self.is_finished && !goes_on
    }

    /// Looks at a line of this game, which begins at `start` of the buffer.
    fn take(&mut self, buffer: &mut Vec<u8>, start: usize, number: usize) {
        let line = &buffer[start..];
        let trimmed = line.trim_ascii();
        if trimmed.is_empty() {
            self.after_blank = true;
            return;
        }
        self.after_blank = false;
        if line[0] == b'%' && !self.in_comment {
            // Escaped: not for readers of games.
            buffer.truncate(start);
            buffer.push(b'\n');
            return;
        }
        if self.movetext.is_none() {
            if trimmed[0] == b'[' {
                self.has_tags |= tag_start(trimmed).is_some();
                return;
            }
            self.movetext = Some((start, number));
        }
        self.follow_comments(trimmed);
    }

    /// Follows comments through a line, and looks at the last word outside of them.
    fn follow_comments(&mut self, line: &[u8]) {
        let mut rest = line;
        loop {
            let end = match self.in_comment {
                true => memchr::memchr(b'}', rest),
                false => memchr::memchr2(b'{', b';', rest),
            };
            let at = end.unwrap_or(rest.len());
            if !self.in_comment && !rest[..at].trim_ascii().is_empty() {
                self.is_finished = ends_with_result(&rest[..at]);
            }
            match rest.get(at) {
                Some(b';') | None => return,
                Some(brace) => self.in_comment = *brace == b'{',
            }
            rest = &rest[at + 1..];
        }
    }
}

fn ends_with_result(text: &[u8]) -> bool {
    let mut words = text.trim_ascii_end().rsplit(u8::is_ascii_whitespace);
    let word = words.next().and_then(|word| str::from_utf8(word).ok());
    word.and_then(GameResult::parse).is_some()
}

/// Is there anything that was meant as a move?
fn has_moves(movetext: &[u8]) -> bool {
    Tokens::new(movetext).any(|token| match token {
        Token::Word(word) => names_a_square(&word),
        _ => false,
    })
}
