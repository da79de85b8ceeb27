//! The bytes of a game become a [`Game`] with all its variations.

use chess::Board;

use crate::decode::text;
use crate::fault::{Fault, Faults, Reason};
use crate::raw::RawGame;
use crate::tokens::{Token, Tokens};
use crate::words::{Words, excerpt, is_null_move, move_number, names_a_square, says_nothing};
use crate::{Game, GameResult, MOST_MOVES, MOST_NESTED, MOST_PLIES, Played};

impl RawGame<'_> {
    /// The whole game. What cannot be read is among its faults.
    pub fn game(&self) -> Game {
        let mut faults = Faults::default();
        if let Some(bytes) = self.too_long {
            faults.add(Fault { line: self.line, reason: Reason::Bytes(bytes), cuts: true });
        }
        let tags = self.owned_tags(&mut faults);
        let mut game = Game { number: self.number, tags, ..Game::default() };
        let mut builder = Builder {
            raw: self,
            tokens: Tokens::new(self.movetext),
            words: Words::new(self.movetext),
            faults,
            moves: 0,
            result: None,
        };
        match self.start() {
            Ok(board) => {
                let line = builder.line(board.clone(), 0);
                (game.start, game.preface, game.moves) = (board, line.intro, line.moves);
            }
            Err(fault) => {
                builder.faults.add(fault);
                game.preface = builder.without_moves();
            }
        }
        game.result = match self.result() {
            GameResult::Unknown => builder.result.unwrap_or_default(),
            known => known,
        };
        game.faults = builder.faults.into_vec();
        game
    }
}

/// Moves and what stands before them.
#[derive(Default)]
struct Line {
    intro: String,
    moves: Vec<Played>,
}

impl Line {
    /// Where a comment goes now.
    fn comment(&mut self) -> &mut String {
        match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.intro,
        }
    }
}

struct Builder<'r, 'a> {
    raw: &'r RawGame<'a>,
    tokens: Tokens<'a>,
    words: Words<'a>,
    faults: Faults,
    /// Moves read, variations included.
    moves: usize,
    result: Option<GameResult>,
}

impl Builder<'_, '_> {
    /// Something is wrong with the last token.
    fn fault(&mut self, reason: Reason, cuts: bool) {
        let line = self.raw.line_of(self.tokens.start());
        self.faults.add(Fault { line, reason, cuts });
    }

    /// Everything as a comment, since there is no position to play from.
    fn without_moves(&mut self) -> String {
        let mut comments = String::new();
        let mut is_plain = true;
        for token in self.tokens.by_ref() {
            match token {
                Token::Comment { text: bytes, .. } => add_text(&mut comments, &text(bytes)),
                Token::Result(result) => self.result = Some(result),
                _ => is_plain = false,
            }
        }
        if !is_plain {
            comments.clear();
            add_text(&mut comments, &unread(self.raw.movetext));
        }
        comments
    }

    /// Reads to the end of the game or of a variation.
    fn line(&mut self, mut board: Board, depth: usize) -> Line {
        let mut line = Line::default();
        let mut before = board.clone();
        let is_main = depth == 0;
        while let Some(token) = self.tokens.next() {
            match token {
                Token::Word(word) => match self.read_move(&board, &word, line.moves.len(), is_main)
                {
                    Ok(mv) => {
                        before.clone_from(&board);
                        board.make_move(mv, &mut ());
                        line.moves.push(Played::new(mv));
                    }
                    Err(Reason::Word(_)) if says_nothing(&word) => {}
                    Err(reason @ Reason::Word(_)) => {
                        self.fault(reason, false);
                        add_text(line.comment(), &word);
                    }
                    Err(reason) => {
                        self.fault(reason, is_main);
                        self.leave_unread(&mut line, is_main);
                        return line;
                    }
                },
                Token::Comment { text: bytes, is_closed } => {
                    if !is_closed {
                        self.fault(Reason::OpenComment, true);
                    }
                    add_text(line.comment(), &text(bytes));
                }
                Token::Nag(nag) => match line.moves.last_mut() {
                    Some(last) if last.nags.contains(&nag) => {}
                    Some(last) => last.nags.push(nag),
                    None => self.fault(Reason::NothingBefore(excerpt(&format!("${nag}"))), false),
                },
                Token::Open if line.moves.is_empty() || depth == MOST_NESTED => {
                    let reason = match line.moves.is_empty() {
                        true => Reason::NothingBefore(excerpt("(")),
                        false => Reason::Nesting,
                    };
                    self.fault(reason, false);
                    self.leave_unread(&mut line, false);
                }
                Token::Open => {
                    let Line { intro, mut moves } = self.line(before.clone(), depth + 1);
                    let Some(last) = line.moves.last_mut() else { continue };
                    match moves.first_mut() {
                        Some(first) => {
                            first.before = intro;
                            last.variations.push(moves);
                        }
                        None => add_text(&mut last.comment, &intro),
                    }
                }
                Token::Close if is_main => self.fault(Reason::StrayBracket(')'), false),
                Token::Close => return line,
                Token::Stray(bracket) => self.fault(Reason::StrayBracket(bracket), false),
                Token::Result(result) if is_main => self.result = Some(result),
                Token::Result(_) => {}
            }
        }
        if !is_main {
            self.fault(Reason::OpenVariation, true);
        }
        line
    }

    fn read_move(
        &mut self,
        board: &Board,
        word: &str,
        plies: usize,
        is_main: bool,
    ) -> Result<chess::Move, Reason> {
        let is_move = names_a_square(word) || is_null_move(word);
        if is_main && is_move && self.result.is_some() {
            return Err(Reason::AfterResult(excerpt(word)));
        }
        let mv = self.words.read(board, word).map_err(|error| {
            let name = excerpt(word);
            match is_move {
                true => Reason::Move(format!("{} {}", move_number(board), name.as_str()), error),
                false => Reason::Word(name),
            }
        })?;
        if is_main && plies == MOST_PLIES {
            return Err(Reason::Plies);
        }
        if self.moves == MOST_MOVES {
            return Err(Reason::Moves);
        }
        self.moves += 1;
        Ok(mv)
    }

    /// Keeps the rest of the game, or of a variation, as a comment.
    fn leave_unread(&mut self, line: &mut Line, is_main: bool) {
        let start = self.tokens.start();
        if is_main {
            self.result = self
                .tokens
                .clone()
                .filter_map(|token| match token {
                    Token::Result(result) => Some(result),
                    _ => None,
                })
                .last()
                .or(self.result);
            self.tokens.finish();
        } else if !self.tokens.skip_variation() {
            self.fault(Reason::OpenVariation, true);
        }
        let rest = &self.raw.movetext[start..self.tokens.at()];
        // The bracket that closes the variation is not part of it.
        let rest = if is_main { rest } else { rest.strip_suffix(b")").unwrap_or(rest) };
        add_text(line.comment(), &unread(rest));
    }
}

/// Text that could not be read, for a comment.
fn unread(bytes: &[u8]) -> String {
    format!("unread: {}", text(bytes).replace('{', "(").replace('}', ")"))
}

/// Appends to a comment, with single spaces between words: line breaks mean nothing in PGN.
fn add_text(comment: &mut String, text: &str) {
    let is_gap = |c: char| c.is_ascii_whitespace() || c.is_control();
    for word in text.split(is_gap).filter(|word| !word.is_empty()) {
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(word);
    }
}
