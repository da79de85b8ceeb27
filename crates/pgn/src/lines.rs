//! Files with one thing on each line, such as positions (FEN, EPD), in any encoding.

use std::io::{self, BufRead, BufReader, Read};

use crate::decode::{Decoder, text};

/// Bytes of a line that are read.
const MOST_BYTES: u64 = 1 << 20;

/// The lines of a stream as text. Each is decoded by itself, so that a single byte in Latin-1
/// spoils no other line.
///
/// ```
/// let bytes = b"8/8/8/8/8/8/8/k1K5 w - - id \"M\xfcller\";\r\nsecond";
/// let lines: Result<Vec<_>, _> = pgn::Lines::new(&bytes[..]).collect();
/// assert_eq!(lines?, ["8/8/8/8/8/8/8/k1K5 w - - id \"Müller\";", "second"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Lines<R> {
    input: BufReader<Decoder<R>>,
    is_over: bool,
}

impl<R: Read> Lines<R> {
    /// Reads from a stream.
    pub fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, Decoder::new(input)), is_over: false }
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let length = self.input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes)?;
        if length as u64 == MOST_BYTES && !bytes.ends_with(b"\n") {
            let reason =
                format!("expected lines of less than {MOST_BYTES} bytes, got a longer one");
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Ok((length > 0).then(|| text(line).into_owned()))
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let line = self.next_line();
        // A stream that failed is not asked again.
        self.is_over = !matches!(line, Ok(Some(_)));
        line.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> io::Result<Vec<String>> {
        Lines::new(bytes).collect()
    }

    #[test]
    fn every_line_has_its_own_encoding() {
        let mut bytes = "é\n".as_bytes().to_vec();
        bytes.extend(b"\xe9\n\n\x80");
        assert_eq!(lines(&bytes).unwrap(), ["é", "é", "", "€"]);
        assert_eq!(lines(b"\xff\xfea\0\n\0b\0").unwrap(), ["a", "b"]);
        assert!(lines(b"").unwrap().is_empty());
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let error = lines(&vec![b'x'; 2 << 20]).unwrap_err().to_string();
        assert!(error.contains("expected lines of less than"), "{error}");
    }
}
