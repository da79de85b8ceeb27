//! The main line, read as it is asked for: for those who count moves and need no tree.

use std::borrow::Cow;

use chess::{Board, Move};

use crate::decode::text;
use crate::fault::{Fault, Reason};
use crate::raw::RawGame;
use crate::tokens::{Token, Tokens};
use crate::words::{Words, excerpt, is_null_move, move_number, names_a_square};
use crate::{GameResult, MOST_PLIES};

/// A piece of the main line.
#[derive(Clone, Debug, PartialEq)]
pub enum Item<'a> {
    /// A legal move.
    Move(Move),
    /// A comment on the last move.
    Comment(Cow<'a, str>),
    /// How the game ended.
    Result(GameResult),
}

/// Walks along the main line. Words that are no moves are passed over.
pub struct MainLine<'a> {
    raw: RawGame<'a>,
    tokens: Tokens<'a>,
    words: Words<'a>,
    board: Board,
    plies: usize,
}

impl<'a> MainLine<'a> {
    pub(crate) fn new(raw: &RawGame<'a>, board: Board) -> Self {
        let (tokens, words) = (Tokens::new(raw.movetext), Words::new(raw.movetext));
        Self { raw: raw.clone(), tokens, words, board, plies: 0 }
    }

    /// The board after the moves so far.
    pub fn board(&self) -> &Board {
        &self.board
    }

    fn word(&mut self, word: &str) -> Result<Move, Reason> {
        let mv = self.words.read(&self.board, word).map_err(|error| {
            Reason::Move(format!("{} {}", move_number(&self.board), excerpt(word).as_str()), error)
        })?;
        if self.plies == MOST_PLIES {
            return Err(Reason::Plies);
        }
        self.plies += 1;
        self.board.make_move(mv, &mut ());
        Ok(mv)
    }
}

impl<'a> Iterator for MainLine<'a> {
    type Item = Result<Item<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.tokens.next()? {
                Token::Word(word) => match self.word(&word) {
                    Ok(mv) => return Some(Ok(Item::Move(mv))),
                    Err(Reason::Move(..)) if !names_a_square(&word) && !is_null_move(&word) => {}
                    Err(reason) => {
                        let line = self.raw.line_of(self.tokens.start());
                        self.tokens.finish();
                        return Some(Err(Fault { line, reason, cuts: true }));
                    }
                },
                Token::Comment { text: bytes, .. } => {
                    return Some(Ok(Item::Comment(text(bytes))));
                }
                Token::Open => {
                    self.tokens.skip_variation();
                }
                Token::Result(result) => {
                    self.tokens.finish();
                    return Some(Ok(Item::Result(result)));
                }
                Token::Nag(_) | Token::Close | Token::Stray(_) => {}
            }
        }
    }
}
