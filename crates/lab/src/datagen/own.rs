//! Our own engine as a player.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

use anyhow::Context;
use chess::Board;
use classical::Classical;
use data::{Game, ScoredMove};
use eval::score::{MATE, is_mate};
use eval::{Evaluator, Score};
use nnue::{Network, Nnue};
use search::{Engine, Event, Limits, Position, Settings};

use super::player::{Choice, Player};

/// A search that its soft limit does not end is ended at this many times as many nodes.
const HARD: u64 = 10;

/// The engine with one thread and one evaluator.
struct OwnPlayer<E> {
    engine: Engine<E>,
}

/// What our engine judges positions with.
#[derive(Clone)]
pub(crate) enum Evaluation {
    /// Hand-written terms.
    Classical,
    /// A network, shared by all threads.
    Network(Arc<Network>),
}

impl Evaluation {
    /// Finds it by the name the option `EvalFile` knows: `<default>`, `<classical>` or a path.
    pub(crate) fn load(name: &str) -> anyhow::Result<Self> {
        match name {
            "<classical>" => Ok(Self::Classical),
            "<default>" => Ok(Self::Network(Network::default_net())),
            path => {
                let bytes = std::fs::read(Path::new(path))
                    .with_context(|| format!("cannot read the network {path}"))?;
                let network = Network::from_bytes(&bytes)
                    .with_context(|| format!("cannot use the network {path}"))?;
                Ok(Self::Network(Arc::new(network)))
            }
        }
    }

    /// An engine of one thread with it.
    pub(crate) fn new_player(&self, hash: usize) -> anyhow::Result<Box<dyn Player>> {
        match self {
            Self::Classical => {
                Ok(Box::new(OwnPlayer { engine: Engine::new(Classical::default, hash, 1)? }))
            }
            Self::Network(network) => {
                let network = Arc::clone(network);
                let factory =
                    move || Nnue::new(Arc::clone(&network), simd::kernels(), &Board::default());
                Ok(Box::new(OwnPlayer { engine: Engine::new(factory, hash, 1)? }))
            }
        }
    }
}

impl<E: Evaluator + 'static> Player for OwnPlayer<E> {
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
        let (sender, events) = channel();
        self.engine.go(position, limits, Settings::default(), move |event| {
            // Nobody listens any more only if this thread is gone.
            let _ = sender.send(event);
        });
        let mut score = None;
        let mut best = None;
        for event in events {
            match event {
                Event::Info(info) if info.multi_pv == 1 => score = Some(info.score),
                Event::BestMove { best: mv, .. } => best = mv,
                _ => {}
            }
        }
        let board = position.board();
        let mv = best.with_context(|| format!("expected a move in {board}, got none"))?;
        let score = score.with_context(|| format!("expected a score for {board}, got none"))?;
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
        let mut player = Evaluation::Classical.new_player(1).unwrap();
        for number in 0..3 {
            let mut game =
                || play(player.as_mut(), &openings, &mut Rng::stream(9, number), &pace).unwrap();
            let first = game();
            assert_eq!(first, game());
            assert!(first.replay().all(|position| position.is_ok()));
        }
    }
}
