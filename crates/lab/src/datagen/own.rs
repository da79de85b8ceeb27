//! Our own engine as a player.

use anyhow::{Context, anyhow};
use data::{Game, ScoredMove};
use engine::{Engine, Limits, Position, Score, Source};
use eval::score::{MATE, is_mate};

use super::player::{Choice, Player};

/// A search that its soft limit does not end is ended at this many times as many nodes.
const HARD: u64 = 10;

/// The engine that people play, with one thread.
pub(crate) struct OwnPlayer {
    engine: Engine,
}

impl OwnPlayer {
    /// A player with this evaluator and a hash table of `hash` megabytes.
    pub(crate) fn new(source: Source, hash: usize) -> anyhow::Result<Self> {
        let engine = Engine::builder().evaluator(source).hash_mb(hash).build()?;
        Ok(Self { engine })
    }
}

/// Loads the evaluator by the name the option `EvalFile` knows.
pub(crate) fn load(name: &str) -> anyhow::Result<Source> {
    Source::from_option(name).map_err(|error| anyhow!("cannot use {name}: {error}"))
}

impl Player for OwnPlayer {
    fn new_game(&mut self) -> anyhow::Result<()> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, _: &Game, position: &Position, nodes: u64) -> anyhow::Result<Choice> {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(HARD)),
            ..Limits::default()
        };
        let answer = self.engine.ask(position, &limits);
        let board = position.board();
        let mv = answer.best.with_context(|| format!("expected a move in {board}, got none"))?;
        let score =
            answer.score().with_context(|| format!("expected a score for {board}, got none"))?;
        Ok(Choice { mv, score: to_file(score) })
    }
}

/// A score of the search on the scale of files.
fn to_file(score: Score) -> i16 {
    if is_mate(score) {
        let plies = MATE - score.abs();
        return ScoredMove::mate(if score > 0 { plies } else { -plies });
    }
    ScoredMove::centipawns(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::play::{Pace, play};
    use crate::datagen::referee::TEST_RULES;
    use chess::Rng;
    use data::Openings;

    #[test]
    fn mates_keep_their_distance() {
        assert_eq!(to_file(eval::score::mate_in(3)), 30_000 - 3);
        assert_eq!(to_file(eval::score::mated_in(4)), 4 - 30_000);
        assert_eq!(to_file(-77), -77);
    }

    #[test]
    fn a_game_is_legal_and_repeatable() {
        let pace = Pace { nodes: 200, rules: TEST_RULES };
        let openings = Openings { chess960: 0.5, ..Openings::default() };
        let mut player = OwnPlayer::new(Source::Classical, 1).unwrap();
        for number in 0..3 {
            let mut game =
                || play(&mut player, &openings, &mut Rng::stream(9, number), &pace).unwrap();
            let first = game();
            assert_eq!(first, game());
            assert!(first.replay().all(|position| position.is_ok()));
        }
    }
}
