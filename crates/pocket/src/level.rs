//! Playing strength for people: ten levels below the full engine.
//!
//! A weak person does not move at random. He looks less far, and cannot tell moves that look about
//! equally good apart. So a level looks at every legal move with a small search
//! of its own (exact scores, not bounds), then adds noise to each score and takes the best.
//! The noise is never larger than the level's slack, so a lost piece or a mate that
//! the small search sees is refused even at level 1; what lies deeper is overlooked, as
//! people do.

use crate::game::Game;
use crate::movegen::Wanted;
use crate::score::Score;
use crate::search::{Outcome, Progress, Search};
use crate::table::Bank;
use crate::types::Move;

/// The strongest level; 0 means the engine without any handicap.
pub const LEVELS: u8 = 10;

/// What a level allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// How deep each move is looked at.
    pub depth: u8,
    /// How many nodes each move may cost.
    pub nodes: u16,
    /// How much worse than the best, in centipawns, a move may be and still be played.
    pub slack: Score,
}

/// The levels from 1 to 10.
pub static TABLE: [Level; LEVELS as usize] = [
    Level { depth: 1, nodes: 40, slack: 240 },
    Level { depth: 1, nodes: 60, slack: 160 },
    Level { depth: 1, nodes: 80, slack: 100 },
    Level { depth: 2, nodes: 120, slack: 100 },
    Level { depth: 2, nodes: 160, slack: 60 },
    Level { depth: 3, nodes: 300, slack: 42 },
    Level { depth: 3, nodes: 400, slack: 28 },
    Level { depth: 4, nodes: 500, slack: 25 },
    Level { depth: 5, nodes: 800, slack: 20 },
    Level { depth: 6, nodes: 1500, slack: 10 },
];

/// A step of a 32-bit xorshift; never returns to 0.
pub fn next_random(state: &mut u32) -> u16 {
    let mut x = if *state == 0 { 0x2545_F491 } else { *state };
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    (x >> 16) as u16
}

/// Noise between 0 and `slack`, most often in the middle.
fn noise(slack: Score, random: &mut u32) -> Score {
    let half = |random: &mut u32| ((slack as u32 * next_random(random) as u32) >> 17) as Score;
    half(random) + half(random)
}

impl Search {
    /// Chooses a move as a player of `level` (1 to [`LEVELS`]) would. `pause` is asked between
    /// portions of the work; when it returns true the best move so far is taken.
    pub fn choose<const N: usize>(
        &mut self,
        game: &mut Game,
        banks: (&mut Bank<N>, &mut Bank<N>),
        level: u8,
        random: &mut u32,
        mut pause: impl FnMut() -> bool,
    ) -> Outcome {
        let level = TABLE[(level.clamp(1, LEVELS) - 1) as usize];
        let (low, high) = banks;
        let mut chosen = Outcome { best: Move::NONE, score: 0, depth: level.depth, nodes: 0 };
        let mut highest = Score::MIN;
        // The small searches use the pool, so moves are taken from the generator one at a time.
        let mut number = 0;
        while let Some(m) = self.nth_legal_move(game, number) {
            number += 1;
            let undo = game.make(m);
            let score = if game.repetitions() >= 2 || game.lacks_material() {
                0
            } else {
                self.begin(game, level.depth);
                while self.run(game, low, high, 16) == Progress::Paused
                    && self.outcome().nodes < level.nodes as u32
                    && !pause()
                {}
                self.stop(game);
                chosen.nodes += self.outcome().nodes;
                if self.outcome().best == Move::NONE {
                    if game.board.in_check() { crate::score::MATE - 1 } else { 0 }
                } else {
                    -self.outcome().score
                }
            };
            game.unmake(m, &undo);
            // Nobody overlooks a mate in one, and a long thinker must stop.
            let blurred = score.saturating_add(noise(level.slack, random));
            if blurred > highest {
                highest = blurred;
                chosen.best = m;
                chosen.score = score;
            }
            if pause() {
                break;
            }
        }
        chosen
    }

    /// The legal move number `n`, in the generator's order.
    fn nth_legal_move(&mut self, game: &mut Game, n: u8) -> Option<Move> {
        self.pool.clear();
        game.board.generate(Wanted::All, &mut self.pool);
        let checked = game.board.in_check();
        let (mut i, mut left) = (0, n);
        while i < self.pool.end() {
            let m = self.pool.get(i);
            if game.board.is_legal(m, checked) {
                if left == 0 {
                    return Some(m);
                }
                left -= 1;
            }
            i += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_stays_within_its_slack() {
        let mut random = 7;
        let mut sum = 0i32;
        for _ in 0..10_000 {
            let w = noise(100, &mut random);
            assert!((0..=100).contains(&w));
            sum += w as i32;
        }
        assert!((45..55).contains(&(sum / 10_000)));
    }

    #[test]
    fn levels_look_further_and_slack_less() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].slack >= pair[1].slack);
            assert!(pair[0].depth <= pair[1].depth);
        }
    }
}
