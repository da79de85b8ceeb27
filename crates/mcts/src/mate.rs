//! Short mates, proved by trying everything: what a search for a mate begins with.
//!
//! A tree that grows where the odds are best comes late to quiet moves and to sacrifices, and when it
//! has a mate it may have a long one. Up to [`MOST_MOVES`] moves all of them can be tried.

use chess::{Board, CheckSquares, Move};
use eval::Evaluator;
use eval::score::mated_in;

use crate::playout::Worker;
use crate::proof;
use crate::tree::{Known, Tree};

/// Longer mates are left to the tree.
const MOST_MOVES: u32 = 3;

/// The limit of positions; the rest is left to the tree.
const MOST_POSITIONS: u64 = 2_000_000;

impl<E: Evaluator> Worker<'_, E> {
    /// The shortest mate by a move of the root in at most `moves` moves, with the longest defence; it is
    /// noted in the tree. Empty if there is none, or none was found in time.
    pub(crate) fn prove_mate(&mut self, moves: u32) -> Vec<Move> {
        let job = self.job;
        let most = self.probe.nodes() + MOST_POSITIONS;
        for moves in 1..=moves.min(MOST_MOVES) {
            if let Some(line) = self.mate(job.position().board(), &job.root_moves, moves, most) {
                note(&job.tree(), &line);
                return line;
            }
        }
        Vec::new()
    }

    /// A mate in exactly `moves` moves, unless there is a shorter one.
    fn mate(&mut self, board: &Board, tried: &[Move], moves: u32, most: u64) -> Option<Vec<Move>> {
        let checks = CheckSquares::new(board);
        let (checking, quiet): (Vec<_>, Vec<_>) =
            tried.iter().partition(|&&mv| checks.gives_check(board, mv));
        // The last move is a check.
        let others = if moves > 1 { &quiet[..] } else { &[] };
        checking.iter().chain(others).find_map(|&mv| {
            let next = self.enter(board, mv, most)?;
            let line = self.mated(&next, moves - 1, most)?;
            Some([&[mv][..], &line].concat())
        })
    }

    /// The longest defence of a side that is mated in `moves` moves of the other one, whatever it does.
    fn mated(&mut self, board: &Board, moves: u32, most: u64) -> Option<Vec<Move>> {
        let replies = board.legal_moves();
        if replies.is_empty() {
            return board.in_check().then(Vec::new);
        }
        if moves == 0 || board.is_fifty_move_draw() {
            return None;
        }
        let mut longest = Vec::new();
        for reply in &replies {
            let next = self.enter(board, reply, most)?;
            let line =
                (1..=moves).find_map(|moves| self.mate(&next, &next.legal_moves(), moves, most))?;
            if line.len() >= longest.len() {
                longest = [&[reply][..], &line].concat();
            }
        }
        Some(longest)
    }

    /// The board after a move; none if no more positions may be looked at.
    fn enter(&mut self, board: &Board, mv: Move, most: u64) -> Option<Board> {
        self.probe.count_node();
        (!self.probe.aborted() && self.probe.nodes() < most).then(|| board.after(mv))
    }
}

/// Notes a mate as the proof of its first move.
fn note(tree: &Tree, line: &[Move]) {
    let root = tree.root();
    let edge = root.edges().find(|&edge| tree.edge(edge).is_some_and(|edge| edge.mv == line[0]));
    let Some(edge) = edge else { return };
    let lost = mated_in(line.len() - 1);
    match tree.child(edge) {
        Some(child) => child.set_known(0.0, Known::Proved(lost)),
        None => {
            if let Some(child) = tree.add_node(Some(lost)) {
                tree.set_child(edge, child);
            }
        }
    }
    proof::update(tree, root);
}
