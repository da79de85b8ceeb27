//! Perfect knowledge at the root: only moves that keep the result are searched.

use std::sync::Arc;

use chess::Move;
use eval::score::{self, DRAW, Score};
use eval::tablebase::{Tablebase, Wdl};

use super::limits::Settings;
use crate::position::Position;

/// What a search needs to know of the tablebase.
pub struct RootKnowledge {
    /// The result of the root, if the tablebase knows it.
    pub score: Option<Score>,
    /// How many men a position in the tree may have to be looked up; 0 for never.
    pub men: usize,
    /// Lookups that succeeded.
    pub hits: u64,
    /// The only moves that keep the result; empty if nothing is known.
    pub best: Vec<Move>,
}

/// Looks the root up.
pub fn consult(
    tablebase: Option<&Arc<dyn Tablebase>>,
    position: &Position,
    settings: &Settings,
) -> RootKnowledge {
    let nothing = |men| RootKnowledge { score: None, men, hits: 0, best: Vec::new() };
    let Some(tablebase) = tablebase else { return nothing(0) };
    let men = tablebase.max_men().min(settings.tb_probe_limit);
    let board = position.board();
    if board.occupied().count() as usize > men || !board.castling().is_empty() {
        return nothing(men);
    }
    let fifty = settings.tb_fifty_move_rule;
    let Some(probe) = tablebase.root(board, position.keys(), fifty) else { return nothing(men) };
    let Some(wdl) = probe.wdl() else { return nothing(men) };
    let best = probe.best().iter().map(|root| root.mv).collect();
    let score = match wdl {
        Wdl::Win => score::TB_WIN,
        Wdl::Loss => -score::TB_WIN,
        Wdl::CursedWin if !fifty => score::TB_WIN,
        Wdl::BlessedLoss if !fifty => -score::TB_WIN,
        _ => DRAW,
    };
    // With distances every move left makes progress, and the tree is better off without lookups:
    // it then finds mates instead of equal tablebase wins.
    let men = if probe.by_dtz || score <= DRAW { 0 } else { men };
    RootKnowledge { score: Some(score), men, hits: probe.moves.len() as u64, best }
}
