//! Bytes of unknown origin become text.
//!
//! PGN's standard says Latin-1, most files are UTF-8, some of Windows programs are Windows-1252 or
//! UTF-16. UTF-16 is seen at the beginning of a file and converted as it is read ([`Decoder`]).
//! The others are told apart for every name and comment by itself ([`text`]): what is not valid
//! UTF-8 is Windows-1252, of which Latin-1 is a part. So a single foreign byte spoils nothing else.

use std::borrow::Cow;
use std::io::{self, Read};

/// What the bytes 0x80 to 0x9F are in Windows-1252. Five are not assigned and stay controls.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Bytes as text: UTF-8 if they are valid, else Windows-1252.
///
/// ```
/// assert_eq!(pgn::text("Müller".as_bytes()), "Müller");
/// assert_eq!(pgn::text(b"M\xfcller \x96 \x80"), "Müller – €");
/// ```
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| from_windows(byte)).collect()),
    }
}

fn from_windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// A stream without its byte order mark, and in UTF-8 if it was in UTF-16.
pub struct Decoder<R> {
    input: R,
    form: Form,
    /// Bytes that were read but not given out yet.
    ready: Vec<u8>,
    given: usize,
    /// The first half of a character that was cut by the end of a piece.
    pending: Vec<u8>,
}

#[derive(Copy, Clone, Eq, PartialEq)]
enum Form {
    Unknown,
    Bytes,
    Utf16 { big_endian: bool },
}

/// Bytes that are looked at, and converted at a time.
const PIECE: usize = 1 << 14;

impl<R: Read> Decoder<R> {
    /// Reads from a stream of any encoding.
    pub fn new(input: R) -> Self {
        Self { input, form: Form::Unknown, ready: Vec::new(), given: 0, pending: Vec::new() }
    }

    /// Looks at the beginning of the stream.
    fn begin(&mut self) -> io::Result<()> {
        let mut head = Vec::new();
        self.input.by_ref().take(PIECE as u64).read_to_end(&mut head)?;
        let (form, mark) = recognise(&head);
        self.form = form;
        head.drain(..mark);
        match form {
            Form::Utf16 { .. } => self.convert(head),
            _ => self.ready = head,
        }
        Ok(())
    }

    /// Converts the next piece that holds a whole character; leaves nothing ready at the end.
    fn refill(&mut self) -> io::Result<()> {
        self.given = 0;
        loop {
            let mut piece = Vec::new();
            self.input.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
            let is_last = piece.is_empty();
            self.convert(piece);
            if is_last || !self.ready.is_empty() {
                return Ok(());
            }
        }
    }

    /// Converts a piece; nothing after it means that the stream is over.
    fn convert(&mut self, piece: Vec<u8>) {
        let Form::Utf16 { big_endian } = self.form else { return };
        let is_last = piece.is_empty();
        self.pending.extend(piece);
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
        };
        let mut units: Vec<u16> = self.pending.chunks_exact(2).map(unit).collect();
        if units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) && !is_last {
            units.pop();
        }
        self.pending.drain(..if is_last { self.pending.len() } else { 2 * units.len() });
        self.ready = String::from_utf16_lossy(&units).into_bytes();
    }
}

/// The encoding, and the length of the byte order mark.
fn recognise(head: &[u8]) -> (Form, usize) {
    if head.starts_with(b"\xef\xbb\xbf") {
        return (Form::Bytes, 3);
    }
    if head.starts_with(b"\xff\xfe") {
        return (Form::Utf16 { big_endian: false }, 2);
    }
    if head.starts_with(b"\xfe\xff") {
        return (Form::Utf16 { big_endian: true }, 2);
    }
    // Without a mark: every second byte of a text that is mostly ASCII is zero.
    let pairs = head.len().min(512) / 2;
    let zeros = |offset: usize| (0..pairs).filter(|i| head[2 * i + offset] == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if pairs >= 4 && odd > pairs / 2 && even < pairs / 8 {
        (Form::Utf16 { big_endian: false }, 0)
    } else if pairs >= 4 && even > pairs / 2 && odd < pairs / 8 {
        (Form::Utf16 { big_endian: true }, 0)
    } else {
        (Form::Bytes, 0)
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.form == Form::Unknown {
            self.begin()?;
        }
        if self.given == self.ready.len() {
            if self.form == Form::Bytes {
                return self.input.read(out);
            }
            self.refill()?;
        }
        let length = out.len().min(self.ready.len() - self.given);
        out[..length].copy_from_slice(&self.ready[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> String {
        let mut all = Vec::new();
        Decoder::new(bytes).read_to_end(&mut all).unwrap();
        String::from_utf8(all).unwrap()
    }

    fn utf16(text: &str, big_endian: bool) -> Vec<u8> {
        let bytes = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf16_with_and_without_a_mark() {
        // Characters of two units at every place around the ends of pieces.
        for shift in 0..4 {
            let text = format!("{}{}", "x".repeat(shift), "[White \"Müller 𝔸\"]\n".repeat(3000));
            for big_endian in [false, true] {
                assert_eq!(decode(&utf16(&text, big_endian)), text);
                assert_eq!(decode(&utf16(&format!("\u{feff}{text}"), big_endian)), text);
            }
        }
    }

    #[test]
    fn bytes_stay_and_a_mark_goes() {
        assert_eq!(decode("\u{feff}[White \"é\"]".as_bytes()), "[White \"é\"]");
        let mut all = Vec::new();
        Decoder::new(&b"M\xfcller"[..]).read_to_end(&mut all).unwrap();
        assert_eq!(all, b"M\xfcller");
        assert_eq!((decode(b""), decode(b"a")), (String::new(), "a".to_owned()));
    }

    #[test]
    fn half_a_character_at_the_end_is_replaced() {
        let mut bytes = utf16("\u{feff}ab𝔸", false);
        bytes.truncate(bytes.len() - 2);
        assert_eq!(decode(&bytes), "ab\u{fffd}");
    }
}
