//! Quiescence: captures until the position is quiet enough to trust its evaluation.
//!
//! The first ply also tries quiet checks: without them a mate by a quiet move is out of sight in
//! every line that ends just before it.

use chess::{Bitboard, Board, Move, see_value};
use eval::Evaluator;
use eval::score::{self, DRAW, INFINITY, Score};

use super::{Kind, NonPv, Pv, blend};
use crate::doubt;
use crate::event::Bound;
use crate::params::{doubt as weight, quiescence};
use crate::picker::{Picker, Wanted};
use crate::pool::Worker;
use crate::static_eval::StaticEval;
use crate::table::Entry;
use crate::threats::Threats;

/// Which quiet moves are tried after the captures, unless the side to move is in check.
#[derive(Copy, Clone, Eq, PartialEq)]
pub(crate) enum Quiets {
    /// Checks, at the first ply.
    Checks,
    /// None, below it.
    None,
}

/// The facts of a quiescence node.
struct Leaf {
    ply: usize,
    beta: Score,
    in_check: bool,
    tt: Option<Entry>,
    /// None in check.
    eval: Option<StaticEval>,
    /// The score without any move; minus infinity in check, where something must be done.
    stand_pat: Score,
    quiets: Quiets,
}

/// What the loop over the moves found.
struct Found {
    best_score: Score,
    best_move: Option<Move>,
    move_count: i32,
}

impl<E: Evaluator> Worker<E> {
    /// The score of the position once all worthwhile captures are played out.
    pub(crate) fn quiescence<K: Kind>(
        &mut self,
        board: &Board,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        quiets: Quiets,
    ) -> Score {
        // 1. Count the node, end the search when it is time.
        self.enter::<K>(ply);
        if self.aborted {
            return DRAW;
        }
        // 2. Draws and the end of the stack.
        if let Some(score) = self.draw_or_last_ply(board, ply, &mut alpha, beta) {
            return score;
        }
        // 3. What the table knows.
        let tt = self.table().probe(board.key(), ply);
        if !K::PV
            && let Some(entry) = tt.filter(|entry| entry.proves(beta))
        {
            return entry.score;
        }
        let tt_pv = K::PV || tt.is_some_and(|entry| entry.pv);
        // 4. Stand pat: nobody is forced to capture.
        let in_check = board.in_check();
        let known = tt.and_then(|entry| entry.static_eval());
        let eval = (!in_check).then(|| self.static_eval(board, ply, known));
        let stand_pat = eval.map_or(-INFINITY, |eval| stand_pat(eval, tt));
        if let Some(eval) = eval.filter(|_| stand_pat >= beta) {
            if tt.is_none() {
                self.store_eval(board, ply, eval, tt_pv);
            }
            return blend(stand_pat, beta, quiescence::stand_pat_blend());
        }
        alpha = alpha.max(stand_pat);
        // 5. The moves.
        let leaf = Leaf { ply, beta, in_check, tt, eval, stand_pat, quiets };
        let Found { mut best_score, best_move, move_count } =
            self.search_captures::<K>(board, &leaf, alpha);
        if self.aborted {
            return DRAW;
        }
        // 6. Mate.
        if in_check && move_count == 0 {
            return score::mated_in(ply);
        }
        // 7. Remember.
        if best_score >= beta && best_score != stand_pat {
            best_score = blend(best_score, beta, quiescence::fail_high_blend());
        }
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry::searched(0, best_score, bound, best_move, eval, tt_pv);
        self.table().store(board.key(), ply, &entry);
        best_score
    }

    /// Searches captures, evasions of a check, and quiet checks if they are wanted.
    #[inline]
    fn search_captures<K: Kind>(&mut self, board: &Board, leaf: &Leaf, mut alpha: Score) -> Found {
        let Leaf { ply, in_check, .. } = *leaf;
        let mut picker = self.quiescence_picker(board, leaf);
        let hope = leaf.eval.map_or(-INFINITY, |eval| {
            let margin = quiescence::futility();
            eval.value + doubt::scale(margin, eval.doubt.above(), weight::quiescence())
        });
        let mut found = Found { best_score: leaf.stand_pat, best_move: None, move_count: 0 };
        while let Some(mv) = picker.next(&mut self.moves, board, &self.histories) {
            found.move_count += 1;
            self.ask_table_early(board, mv);
            if !score::is_loss(found.best_score) {
                if !in_check
                    && mv.promoted().is_none()
                    && !picker.gives_check(board, mv)
                    && let Some(most) = futile(board, mv, hope, alpha)
                {
                    found.best_score = found.best_score.max(most);
                    continue;
                }
                if in_check && picker.at_bad_noisy() {
                    break;
                }
            }
            let next = self.make(board, mv, ply);
            let score = if K::PV {
                -self.quiescence::<Pv>(&next, ply + 1, -leaf.beta, -alpha, Quiets::None)
            } else {
                -self.quiescence::<NonPv>(&next, ply + 1, -leaf.beta, -alpha, Quiets::None)
            };
            self.unmake();
            if self.aborted {
                break;
            }
            if score > found.best_score {
                found.best_score = score;
                if score > alpha {
                    found.best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    alpha = score;
                    if score >= leaf.beta {
                        break;
                    }
                }
            }
            // One evasion that does not lose is enough; after it only captures are tried.
            if in_check && !score::is_loss(found.best_score) {
                picker.skip_quiets();
            }
        }
        picker.finish(&mut self.moves);
        found
    }

    #[inline]
    fn quiescence_picker(&mut self, board: &Board, leaf: &Leaf) -> Picker {
        let wanted = match leaf.quiets {
            _ if leaf.in_check => {
                // Evasions are too few for the histories to ask which squares are attacked.
                let mut threats = Threats::new(board);
                threats.all = Bitboard::EMPTY;
                Wanted::All { threats, before: self.stack.moves_before(leaf.ply) }
            }
            Quiets::Checks => {
                Wanted::NoisyAndChecks(quiescence::see(), self.stack.moves_before(leaf.ply))
            }
            Quiets::None => Wanted::Noisy(quiescence::see()),
        };
        let usable = |mv: &Move| (leaf.in_check || board.is_noisy(*mv)) && board.is_legal(*mv);
        let tt_move = leaf.tt.and_then(|entry| entry.mv).filter(usable);
        Picker::new(&self.moves, wanted, tt_move)
    }
}

/// The score without any move: the evaluation, or what the table knows better.
#[inline]
fn stand_pat(eval: StaticEval, tt: Option<Entry>) -> Score {
    let better = tt.and_then(|entry| entry.better_than(eval.value));
    better.filter(|&score| !score::is_decisive(score)).unwrap_or(eval.value)
}

/// Futility: the most the move can reach, if even with the captured piece that is not above alpha.
#[inline]
fn futile(board: &Board, mv: Move, hope: Score, alpha: Score) -> Option<Score> {
    let reach = hope + board.captured(mv).map_or(0, see_value);
    if reach <= alpha {
        return Some(reach);
    }
    (hope <= alpha && !board.see_at_least(mv, 1)).then_some(hope)
}
