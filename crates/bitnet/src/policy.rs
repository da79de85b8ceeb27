//! The model as the search sees it: moves of the root position in, one score for each out.
//!
//! The sequence of the last search is kept. When the game has gone on by a few moves it is
//! extended by these; otherwise, or when it has grown longer than the model was trained for, a new
//! one begins at the root position. Sequences always begin where the same side was to move as
//! now, because the model sees the board through that side's eyes.

use std::path::Path;
use std::time::{Duration, Instant};

use chess::{Board, Move};
use eval::Policy;
use simd::Kernels;

use crate::forward::Run;
use crate::gguf::GgufError;
use crate::math::softmax;
use crate::model::Model;
use crate::sequence::{move_token, push_position};
use crate::tokens::Token;

/// A model with the sequence of the game it follows.
pub struct PolicyNet {
    model: Model,
    run: Run,
    /// How many moves of the game were played before the position that begins the sequence.
    anchor: usize,
    /// Where a sequence is put together before it is compared with that of `run`.
    sequence: Vec<Token>,
    pace: Pace,
}

/// What tokens cost: alone and as part of a position.
#[derive(Clone, Copy, Debug)]
struct Pace {
    alone: Duration,
    in_position: Duration,
}

/// A group of at least this many tokens is counted at the price of a position.
const POSITION: usize = 8;

impl PolicyNet {
    /// Loads the model of a file and measures what it costs on this machine.
    pub fn load(path: &Path, kernels: &'static Kernels) -> Result<PolicyNet, GgufError> {
        Model::load(path, kernels).map(PolicyNet::new)
    }

    /// Follows a game with this model.
    pub fn new(model: Model) -> PolicyNet {
        let mut net = PolicyNet {
            run: model.start(),
            anchor: 0,
            sequence: Vec::with_capacity(model.config().context),
            pace: Pace { alone: Duration::ZERO, in_position: Duration::ZERO },
            model,
        };
        net.measure();
        net
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The first `count` moves of the position after `played`, best first, with their shares.
    pub fn first_moves(
        &mut self,
        start: &Board,
        played: &[Move],
        count: usize,
    ) -> Vec<(Move, f32)> {
        let moves = board_after(start, played).legal_moves();
        let mut shares = vec![0.0; moves.len()];
        if !self.logits(start, played, &moves, &mut shares) {
            return Vec::new();
        }
        softmax(&mut shares);
        let mut ranked: Vec<_> = moves.iter().copied().zip(shares).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.truncate(count);
        ranked
    }

    /// Puts the best sequence for a game into `sequence` and gives the number of moves before its
    /// position, or `None` if the position is larger than the model can read.
    fn plan(&self, start: &Board, played: &[Move], sequence: &mut Vec<Token>) -> Option<usize> {
        let known = self.run.tokens();
        let since = played.len().wrapping_sub(self.anchor);
        let short = since <= self.model.config().moves && since.is_multiple_of(2);
        if !known.is_empty() && played.len() >= self.anchor && short {
            put_sequence(start, played, self.anchor, sequence);
            if sequence.starts_with(known) && sequence.len() <= self.model.config().context {
                return Some(self.anchor);
            }
        }
        put_sequence(start, played, played.len(), sequence);
        (sequence.len() <= self.model.config().context).then_some(played.len())
    }

    /// How many tokens asking for this position would process.
    pub fn tokens_needed(&mut self, start: &Board, played: &[Move]) -> usize {
        let mut sequence = std::mem::take(&mut self.sequence);
        let new = match self.plan(start, played, &mut sequence) {
            Some(_) => self.new_tokens(&sequence),
            None => 0,
        };
        self.sequence = sequence;
        new
    }

    fn new_tokens(&self, sequence: &[Token]) -> usize {
        let known = self.run.tokens();
        if !known.is_empty() && sequence.starts_with(known) {
            sequence.len() - known.len()
        } else {
            sequence.len()
        }
    }

    /// Times a position and a move, the quickest of a few tries, as the first one warms up.
    fn measure(&mut self) {
        let quickest = |net: &mut PolicyNet, tokens: &[Token], clear: bool| {
            let time = (0..3).map(|_| {
                if clear {
                    net.run.clear();
                }
                let begin = Instant::now();
                net.model.extend(&mut net.run, tokens);
                begin.elapsed()
            });
            time.min().unwrap_or_default()
        };
        let mut position = Vec::new();
        push_position(&Board::default(), &mut position);
        self.pace.in_position = quickest(self, &position, true) / position.len() as u32;
        if position.len() + 3 <= self.model.config().context {
            self.pace.alone = quickest(self, &position[..1], false);
        }
        self.run.clear();
    }
}

impl Policy for PolicyNet {
    fn logits(&mut self, start: &Board, played: &[Move], moves: &[Move], out: &mut [f32]) -> bool {
        let mut sequence = std::mem::take(&mut self.sequence);
        let anchor = self.plan(start, played, &mut sequence);
        if let Some(anchor) = anchor {
            let new = self.new_tokens(&sequence);
            if new == sequence.len() {
                self.run.clear();
            }
            if new > 0 {
                let begin = Instant::now();
                self.model.extend(&mut self.run, &sequence[sequence.len() - new..]);
                self.pace.learn(new, begin.elapsed());
            }
            self.anchor = anchor;
            // The side to move now is the one that began the sequence.
            let us = match (played.len().is_multiple_of(2), start.side_to_move()) {
                (true, side) => side,
                (false, side) => !side,
            };
            for (out, &mv) in out.iter_mut().zip(moves) {
                *out = self.model.logit(&self.run, move_token(mv, us));
            }
        }
        self.sequence = sequence;
        anchor.is_some()
    }

    fn cost(&mut self, start: &Board, played: &[Move]) -> Duration {
        let new = self.tokens_needed(start, played);
        self.pace.of(new)
    }

    fn reset(&mut self) {
        self.run.clear();
    }
}

impl Pace {
    fn of(&self, tokens: usize) -> Duration {
        let each = if tokens < POSITION { self.alone } else { self.in_position };
        each * tokens as u32
    }

    /// Moves the estimate a quarter of the way to what was just seen.
    fn learn(&mut self, tokens: usize, time: Duration) {
        let each = if tokens < POSITION { &mut self.alone } else { &mut self.in_position };
        *each = (*each * 3 + time / tokens as u32) / 4;
    }
}

fn board_after(start: &Board, played: &[Move]) -> Board {
    let mut board = start.clone();
    played.iter().for_each(|&mv| board.make_move(mv, &mut ()));
    board
}

/// The position after the first `anchor` moves, then the other moves.
fn put_sequence(start: &Board, played: &[Move], anchor: usize, sequence: &mut Vec<Token>) {
    let (before, after) = played.split_at(anchor);
    let board = board_after(start, before);
    sequence.clear();
    push_position(&board, sequence);
    sequence.extend(after.iter().map(|&mv| move_token(mv, board.side_to_move())));
}
