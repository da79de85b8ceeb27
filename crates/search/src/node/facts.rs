//! The facts of a node, collected once before its moves are searched.

use chess::{Board, Move};
use eval::Evaluator;
use eval::score::{INFINITY, Score};

use super::Kind;
use crate::doubt::Doubt;
use crate::pool::Worker;
use crate::static_eval::StaticEval;
use crate::table::Entry;
use crate::threats::Threats;

/// The facts of a node that no longer change once its moves are searched.
pub(super) struct Node {
    pub(super) ply: usize,
    pub(super) depth: i32,
    pub(super) beta: Score,
    /// A node expected to fail high.
    pub(super) cut: bool,
    pub(super) pv: bool,
    pub(super) in_check: bool,
    /// Our position is better than two plies ago.
    pub(super) improving: bool,
    /// The opponent's position is worse than before his last move.
    pub(super) worsening: bool,
    pub(super) tt: Option<Entry>,
    pub(super) tt_move: Option<Move>,
    pub(super) tt_move_noisy: bool,
    pub(super) tt_pv: bool,
    /// None in check.
    pub(super) eval: Option<StaticEval>,
    /// The best guess of the score before searching: the evaluation, or what the table knows.
    pub(super) guess: Score,
    /// What the opponent attacks; known from when moves are searched, as many nodes end before.
    pub(super) threats: Threats,
    pub(super) before: [u16; 3],
    pub(super) excluded: Option<Move>,
}

impl Node {
    /// How unsure the evaluation is; not at all in check, where there is none.
    #[inline]
    pub(super) fn doubt(&self) -> Doubt {
        self.eval.map_or(Doubt::default(), |eval| eval.doubt)
    }
}

impl<E: Evaluator> Worker<E> {
    /// Collects the facts of a node.
    #[inline]
    pub(super) fn examine<K: Kind>(
        &mut self,
        board: &Board,
        ply: usize,
        depth: i32,
        beta: Score,
        cut: bool,
        tt: Option<Entry>,
    ) -> Node {
        let excluded = self.stack.at(ply).excluded;
        let in_check = board.in_check();
        let tt_move = if K::ROOT { self.root.first_move() } else { tt.and_then(|entry| entry.mv) };
        let tt_move = tt_move.filter(|&mv| board.is_legal(mv));
        let tt_pv = if excluded.is_some() {
            self.stack.at(ply).tt_pv
        } else {
            K::PV || tt.is_some_and(|entry| entry.pv)
        };
        let eval = (!in_check).then(|| {
            let known = tt.and_then(|entry| entry.static_eval());
            self.static_eval(board, ply, known)
        });
        if let (Some(eval), None, None) = (eval, tt, excluded) {
            self.store_eval(board, ply, eval, tt_pv);
        }
        let value = eval.map(|eval| eval.value);
        let earlier = self.stack.before(ply, 2).eval.or(self.stack.before(ply, 4).eval);
        let improving = matches!((value, earlier), (Some(now), Some(then)) if now > then);
        let theirs = self.stack.before(ply, 1).eval;
        let worsening = matches!((value, theirs), (Some(ours), Some(theirs)) if ours > -theirs);
        let guess = value.map_or(-INFINITY, |value| {
            tt.and_then(|entry| entry.better_than(value)).unwrap_or(value)
        });
        let frame = self.stack.at(ply);
        frame.eval = value;
        frame.tt_pv = tt_pv;
        self.stack.at(ply + 2).cutoffs = 0;
        Node {
            ply,
            depth,
            beta,
            cut,
            pv: K::PV,
            in_check,
            improving,
            worsening,
            tt,
            tt_move,
            tt_move_noisy: tt_move.is_some_and(|mv| board.is_noisy(mv)),
            tt_pv,
            eval,
            guess,
            threats: Threats::default(),
            before: self.stack.moves_before(ply),
            excluded,
        }
    }

    /// Saves an evaluation for the next visit.
    pub(super) fn store_eval(&self, board: &Board, ply: usize, eval: StaticEval, pv: bool) {
        self.table().store(board.key(), ply, &Entry::evaluated(eval, pv));
    }
}
