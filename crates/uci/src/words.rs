//! A line cut into words, with the rest of the line still at hand.

/// Hands out the words of a line one by one.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// The next word, without taking it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// What has not been taken yet, spaces inside it kept.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Takes the next word if it is a number; any other word stays.
    ///
    /// Numbers beyond the range count as its end: a clock of ten billion years is a long one.
    pub(crate) fn number(&mut self) -> Option<i64> {
        let value = read_number(self.peek()?)?;
        self.next();
        Some(value)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start();
        Some(word)
    }
}

/// A whole number, cut to the range of `i64`.
pub(crate) fn read_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

/// A piece of somebody's input, fit to be quoted in one line of a message.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?} …", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Words, quote, read_number};

    #[test]
    fn words_are_taken_from_the_left() {
        let mut words = Words::new("  go \t depth  7 x ");
        assert_eq!(words.next(), Some("go"));
        assert_eq!(words.rest(), "depth  7 x");
        assert_eq!(words.number(), None);
        assert_eq!(words.next(), Some("depth"));
        assert_eq!(words.number(), Some(7));
        assert_eq!(words.by_ref().count(), 1);
        assert_eq!(words.next(), None);
    }

    #[test]
    fn numbers_end_at_the_range() {
        assert_eq!(read_number("-12"), Some(-12));
        assert_eq!(read_number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(read_number("-99999999999999999999"), Some(i64::MIN));
        for text in ["", "-", "+-1", "1.5", "0x10", "1e3", "ten"] {
            assert_eq!(read_number(text), None, "{text}");
        }
    }

    #[test]
    fn quotes_are_one_short_line() {
        assert_eq!(quote("a\nb"), r#""a\nb""#);
        assert!(quote(&"é".repeat(1000)).chars().count() < 80);
    }
}
