//! Quiescence: captures until the position is quiet enough to trust its evaluation.
//!
//! The first ply also tries quiet checks: without them a mate by a quiet move is out of sight in
//! every line that ends just before it.

use chess::{Bitboard, Board, see_value};
use eval::Evaluator;
use eval::score::{self, DRAW, INFINITY, MAX_PLY, Score};

use super::{Kind, NonPv, Pv};
use crate::doubt;
use crate::event::Bound;
use crate::params::{doubt as weight, quiescence};
use crate::picker::{Picker, Wanted};
use crate::table::{Doubt, Entry};
use crate::threats::Threats;
use crate::worker::Worker;

impl<E: Evaluator> Worker<E> {
    /// The score of the position once all worthwhile captures are played out, and at the first
    /// ply the quiet checks, if asked for.
    pub(crate) fn quiescence<K: Kind>(
        &mut self,
        board: &Board,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        with_checks: bool,
    ) -> Score {
        self.count_node();
        if self.aborted {
            return DRAW;
        }
        if K::PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if alpha < DRAW && self.can_repeat(board) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }
        if self.is_draw(board) {
            return self.draw_score();
        }
        let in_check = board.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.static_eval(board, ply, None).value };
        }

        let tt = self.table().probe(board.key(), ply);
        if !K::PV
            && let Some(entry) = tt.filter(|entry| entry.proves(beta))
        {
            return entry.score;
        }
        let tt_pv = K::PV || tt.is_some_and(|entry| entry.pv);

        // Stand pat: nobody is forced to capture.
        let mut best_score = -INFINITY;
        let mut hope = -INFINITY;
        let mut eval = None;
        if !in_check {
            let known = tt.and_then(|entry| entry.eval.map(|eval| (eval, entry.doubt)));
            let found = self.static_eval(board, ply, known);
            eval = Some(found);
            best_score = found.value;
            if let Some(entry) = tt
                && (entry.score > best_score && entry.proves(best_score + 1)
                    || entry.score < best_score && entry.proves(best_score))
                && !score::is_decisive(entry.score)
            {
                best_score = entry.score;
            }
            if best_score >= beta {
                if tt.is_none() {
                    self.store_eval(board, ply, found, tt_pv);
                }
                return if score::is_decisive(best_score) {
                    best_score
                } else {
                    (best_score + beta) / 2
                };
            }
            alpha = alpha.max(best_score);
            let margin = quiescence::futility();
            hope = found.value + doubt::scale(margin, found.doubt.above(), weight::quiescence());
        }
        let stand_pat = best_score;

        let wanted = if in_check {
            // Evasions are too few for the histories to ask which squares are attacked.
            let mut threats = Threats::new(board);
            threats.all = Bitboard::EMPTY;
            Wanted::All { threats, before: self.stack.moves_before(ply) }
        } else if with_checks {
            Wanted::NoisyAndChecks(quiescence::see(), self.stack.moves_before(ply))
        } else {
            Wanted::Noisy(quiescence::see())
        };
        let tt_move = tt
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || board.is_noisy(mv)) && board.is_legal(mv));
        let mut picker = Picker::new(&self.moves, wanted, tt_move);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(
            &mut self.moves,
            board,
            &self.histories,
            in_check && move_count > 0 && !score::is_loss(best_score),
        ) {
            move_count += 1;
            if !score::is_loss(best_score) {
                // Futility: even with the captured piece it stays below alpha.
                if !in_check && mv.promoted().is_none() && !picker.gives_check(board, mv) {
                    let reach = hope + board.captured(mv).map_or(0, see_value);
                    if reach <= alpha {
                        best_score = best_score.max(reach);
                        continue;
                    }
                    if hope <= alpha && !board.see_at_least(mv, 1) {
                        best_score = best_score.max(hope);
                        continue;
                    }
                }
                if in_check && picker.at_bad_noisy() {
                    break;
                }
            }
            let next = self.make(board, mv, ply);
            let score = if K::PV {
                -self.quiescence::<Pv>(&next, ply + 1, -beta, -alpha, false)
            } else {
                -self.quiescence::<NonPv>(&next, ply + 1, -beta, -alpha, false)
            };
            self.unmake();
            if self.aborted {
                break;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.moves);
        if self.aborted {
            return DRAW;
        }
        if in_check && move_count == 0 {
            return score::mated_in(ply);
        }
        if best_score >= beta && !score::is_decisive(best_score) && best_score != stand_pat {
            best_score = (best_score * 3 + beta) / 4;
        }
        let entry = Entry {
            mv: best_move,
            score: best_score,
            eval: eval.map(|eval| eval.raw),
            doubt: eval.map_or(Doubt::default(), |eval| eval.doubt),
            depth: 0,
            bound: Some(if best_score >= beta { Bound::Lower } else { Bound::Upper }),
            pv: tt_pv,
        };
        self.table().store(board.key(), ply, &entry);
        best_score
    }
}
