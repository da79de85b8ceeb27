//! The start of a refused text, small enough to travel inside an error.

use core::fmt;

const LIMIT: usize = 24;

/// What came instead of what was expected: the first bytes of a text, without allocation.
///
/// `Display` quotes and escapes it, and ends a shortened text with an ellipsis.
#[derive(Copy, Clone, Eq, PartialEq)]
pub struct Excerpt {
    bytes: [u8; LIMIT],
    length: u8,
    is_shortened: bool,
}

impl Excerpt {
    /// Keeps the start of a text.
    pub fn new(text: &str) -> Self {
        let kept = &text[..text.floor_char_boundary(LIMIT)];
        let mut bytes = [0; LIMIT];
        bytes[..kept.len()].copy_from_slice(kept.as_bytes());
        Self { bytes, length: kept.len() as u8, is_shortened: kept.len() < text.len() }
    }

    /// The text that was kept.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.as_str(), if self.is_shortened { "…" } else { "" })
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;
    use std::string::ToString;

    #[test]
    fn short_texts_stay_whole() {
        assert_eq!(Excerpt::new("e2e4").to_string(), "\"e2e4\"");
        assert_eq!(Excerpt::new("").to_string(), "\"\"");
        assert_eq!(Excerpt::new("a\nb").to_string(), r#""a\nb""#);
    }

    #[test]
    fn long_texts_end_between_characters() {
        assert_eq!(Excerpt::new(&"x".repeat(30)).as_str().len(), 24);
        assert_eq!(Excerpt::new(&"♞".repeat(9)).to_string(), "\"♞♞♞♞♞♞♞♞\"…");
        assert_eq!(Excerpt::new(&"é♞".repeat(9)).as_str(), "é♞é♞é♞é♞é");
    }
}
