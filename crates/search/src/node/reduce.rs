//! Late-move reductions: the later a move in the order, the less deep it is searched at first.

use chess::Board;
use eval::Evaluator;

use super::{Candidate, Node};
use crate::doubt;
use crate::params::{analysis, doubt as weight, lmr};
use crate::pool::Worker;

/// The base reduction by depth and move number, in 1024ths of a ply.
pub(crate) struct Reductions {
    quiet: Box<[[i32; 64]; 64]>,
    noisy: Box<[[i32; 64]; 64]>,
    /// Are these the smaller ones of analysis?
    analysis: bool,
}

fn table(base: i32, divisor: i32) -> Box<[[i32; 64]; 64]> {
    // Rounded, because machines differ in the last bits of a logarithm.
    let log = |n: usize| ((n as f64).ln() * 1024.0).round() / 1024.0;
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (moves, entry) in row.iter_mut().enumerate().skip(1) {
            let logs = log(depth) * log(moves);
            *entry = base + (1024.0 * 100.0 * logs / f64::from(divisor)) as i32;
        }
    }
    table
}

impl Reductions {
    /// The reductions of a game.
    pub(crate) fn for_play() -> Self {
        Self::new(lmr::quiet_divisor(), false)
    }

    /// The smaller ones of an analysis.
    fn for_analysis() -> Self {
        Self::new(analysis::quiet_divisor(), true)
    }

    fn new(quiet_divisor: i32, analysis: bool) -> Self {
        Self {
            quiet: table(lmr::quiet_base(), quiet_divisor),
            noisy: table(lmr::noisy_base(), lmr::noisy_divisor()),
            analysis,
        }
    }

    /// Makes sure that they are those of analysis, or of play.
    pub(crate) fn prepare(&mut self, analysis: bool) {
        if analysis != self.analysis {
            *self = if analysis { Self::for_analysis() } else { Self::for_play() };
        }
    }

    #[inline]
    pub(crate) fn get(&self, noisy: bool, depth: i32, move_count: i32) -> i32 {
        let table = if noisy { &self.noisy } else { &self.quiet };
        table[depth.clamp(0, 63) as usize][move_count.clamp(0, 63) as usize]
    }
}

impl<E: Evaluator> Worker<E> {
    /// By how many plies to reduce a move that has just been made.
    #[inline]
    pub(super) fn reduction(&mut self, next: &Board, node: &Node, candidate: &Candidate) -> i32 {
        let Candidate { number, noisy, history, .. } = *candidate;
        let mut reduction = self.reductions.get(noisy, node.depth, number);
        if node.tt_pv {
            reduction -= lmr::tt_pv() + lmr::pv() * i32::from(node.pv);
        }
        if node.cut {
            reduction += lmr::cut_node() + lmr::no_tt_move() * i32::from(node.tt_move.is_none());
        }
        if !node.improving {
            reduction += lmr::not_improving();
        }
        if node.tt_move_noisy {
            reduction += lmr::tt_noisy();
        }
        if node.in_check {
            reduction -= lmr::evasion();
        }
        if next.in_check() {
            reduction -= lmr::gives_check();
        }
        if self.stack.at(node.ply + 1).cutoffs > lmr::cutoffs() {
            reduction += lmr::many_cutoffs();
        }
        reduction -= doubt::surplus(node.doubt().mean(), weight::lmr());
        let divisor = if noisy { lmr::noisy_history_divisor() } else { lmr::history_divisor() };
        reduction -= history * 1024 / divisor;
        reduction / 1024
    }
}

#[cfg(test)]
mod tests {
    use super::Reductions;

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let reductions = Reductions::for_play();
        assert_eq!(reductions.get(false, 10, 0), 0);
        for i in 2..63 {
            assert!(reductions.get(false, 10, i) <= reductions.get(false, 10, i + 1));
            assert!(reductions.get(false, i, 10) <= reductions.get(false, i + 1, 10));
            assert!(reductions.get(true, 10, i) < reductions.get(false, 10, i));
        }
        assert_eq!(reductions.get(false, 500, 500), reductions.get(false, 63, 63));
        let mut other = Reductions::for_play();
        other.prepare(true);
        assert!(other.get(false, 20, 20) < reductions.get(false, 20, 20), "less in analysis");
        other.prepare(false);
        assert_eq!(other.get(false, 20, 20), reductions.get(false, 20, 20));
    }
}
