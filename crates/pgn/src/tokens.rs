//! Movetext, piece by piece: moves, comments, glyphs, brackets, results.

use std::borrow::Cow;

use crate::GameResult;
use crate::decode::text;

/// A piece of movetext.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A word that should be a move, without its number.
    Word(Cow<'a, str>),
    /// A comment without its braces.
    Comment { text: &'a [u8], is_closed: bool },
    /// A numeric annotation glyph.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A bracket that means nothing here.
    Stray(char),
    /// How the game ended.
    Result(GameResult),
}

/// Walks over movetext.
#[derive(Clone)]
pub(crate) struct Tokens<'a> {
    movetext: &'a [u8],
    /// Where the next token is looked for.
    at: usize,
    /// Where the last token began.
    start: usize,
    /// The glyph that was written at the end of the last word.
    suffix: Option<u8>,
}

/// Does this byte end a word?
fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'{' | b'}' | b'(' | b')' | b';' | b'$' | b'[' | b']')
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(movetext: &'a [u8]) -> Self {
        Self { movetext, at: 0, start: 0, suffix: None }
    }

    /// Where the last token began.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Where the next token is looked for.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Nothing more is wanted.
    pub(crate) fn finish(&mut self) {
        (self.at, self.suffix) = (self.movetext.len(), None);
    }

    /// Goes on behind the bracket that closes this variation; to the end if there is none.
    pub(crate) fn skip_variation(&mut self) -> bool {
        let mut depth = 1;
        for token in self.by_ref() {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return true;
            }
        }
        false
    }

    fn comment(&mut self) -> Token<'a> {
        let body = &self.movetext[self.at + 1..];
        let length = memchr::memchr(b'}', body);
        self.at += 1 + length.map_or(body.len(), |length| length + 1);
        Token::Comment { text: &body[..length.unwrap_or(body.len())], is_closed: length.is_some() }
    }

    fn line_comment(&mut self) -> Token<'a> {
        let body = &self.movetext[self.at + 1..];
        let length = memchr::memchr(b'\n', body).unwrap_or(body.len());
        self.at += 1 + length;
        Token::Comment { text: &body[..length], is_closed: true }
    }

    fn nag(&mut self) -> Option<Token<'a>> {
        let digits = self.movetext[self.at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        let number = &self.movetext[self.at + 1..][..digits];
        self.at += 1 + digits;
        str::from_utf8(number).ok()?.parse().ok().map(Token::Nag)
    }

    /// A word; none if it was only a move number.
    fn word(&mut self) -> Option<Token<'a>> {
        let rest = &self.movetext[self.at..];
        let length = rest.iter().position(|&byte| ends_word(byte)).unwrap_or(rest.len());
        self.at += length;
        let mut word = text(&rest[..length]);
        if let Some(result) = GameResult::parse(&word) {
            return Some(Token::Result(result));
        }
        let number = number_length(&word);
        if number == word.len() {
            return None;
        }
        if number > 0 {
            word = match word {
                Cow::Borrowed(word) => Cow::Borrowed(&word[number..]),
                Cow::Owned(word) => Cow::Owned(word[number..].to_owned()),
            };
            self.start += number.min(length);
        }
        if let Some(nag) = glyph(&word) {
            return Some(Token::Nag(nag));
        }
        let bare = word.trim_end_matches(['!', '?', '‼', '⁇', '⁈', '⁉']).len();
        self.suffix = if bare < word.len() { glyph(&word[bare..]) } else { None };
        Some(Token::Word(match word {
            Cow::Borrowed(word) => Cow::Borrowed(&word[..bare]),
            Cow::Owned(mut word) => {
                word.truncate(bare);
                Cow::Owned(word)
            }
        }))
    }
}

/// The length of `12.`, `12...` or `12…` at the beginning of a word; castling with zeros has none.
fn number_length(word: &str) -> usize {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…', '·']).len();
    if digits > 0 && dots == 0 && !rest.is_empty() { 0 } else { digits + dots }
}

/// The number of a glyph that is written out.
fn glyph(text: &str) -> Option<u8> {
    Some(match text {
        "!" => 1,
        "?" => 2,
        "!!" | "‼" => 3,
        "??" | "⁇" => 4,
        "!?" | "⁉" => 5,
        "?!" | "⁈" => 6,
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" | "+−" => 18,
        "-+" | "−+" => 19,
        "N" => 146,
        _ => return None,
    })
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some(nag) = self.suffix.take() {
            return Some(Token::Nag(nag));
        }
        loop {
            let &byte = self.movetext.get(self.at)?;
            self.start = self.at;
            let token = match byte {
                b'{' => Some(self.comment()),
                b';' => Some(self.line_comment()),
                b'$' => self.nag(),
                _ if byte.is_ascii_whitespace() => {
                    self.at += 1;
                    None
                }
                _ if ends_word(byte) => {
                    self.at += 1;
                    Some(match byte {
                        b'(' => Token::Open,
                        b')' => Token::Close,
                        _ => Token::Stray(char::from(byte)),
                    })
                }
                _ => self.word(),
            };
            if token.is_some() {
                return token;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Token<'_> {
        Token::Word(Cow::Borrowed(text))
    }

    #[test]
    fn all_kinds() {
        let text = "1.e4! e5 2. f4$14 (2.Nf3 Nc6!?) 2...exf4 {a (b} 0-0 ; c )\n+- } 1-0";
        let tokens: Vec<_> = Tokens::new(text.as_bytes()).collect();
        assert_eq!(
            tokens,
            [
                word("e4"),
                Token::Nag(1),
                word("e5"),
                word("f4"),
                Token::Nag(14),
                Token::Open,
                word("Nf3"),
                word("Nc6"),
                Token::Nag(5),
                Token::Close,
                word("exf4"),
                Token::Comment { text: b"a (b", is_closed: true },
                word("0-0"),
                Token::Comment { text: b" c )", is_closed: true },
                Token::Nag(18),
                Token::Stray('}'),
                Token::Result(GameResult::WhiteWins),
            ]
        );
    }

    #[test]
    fn numbers_are_no_moves() {
        for text in ["12", "12.", "3...", "3…", "..."] {
            assert_eq!(Tokens::new(text.as_bytes()).next(), None, "{text}");
        }
        assert_eq!(Tokens::new(b"0-0-0+").next(), Some(word("0-0-0+")));
        assert_eq!(Tokens::new("12.…e5".as_bytes()).next(), Some(word("e5")));
        assert_eq!(Tokens::new(b"$999 $ $-1 e4").next(), Some(word("-1")));
    }

    #[test]
    fn an_open_comment_goes_to_the_end() {
        let mut tokens = Tokens::new(b"e4 {so it goes");
        tokens.next();
        let open = Token::Comment { text: b"so it goes", is_closed: false };
        assert_eq!((tokens.next(), tokens.next()), (Some(open), None));
    }
}
